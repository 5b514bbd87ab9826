// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * For checks that ask Prometheus: {@link io.github.kueue4j.http.prometheus.PrometheusClient} sends
 * a query, {@link io.github.kueue4j.http.prometheus.QueryTemplate} makes one of what an operator
 * wrote and what is known of a Workload, and {@link
 * io.github.kueue4j.http.prometheus.ConsumptionQueries} are ready-made for what clusters export
 * already.
 *
 * <p>Values that are no numbers are no data; infinite ones are values. A query of which the server
 * says that it is wrong is a {@link io.github.kueue4j.http.prometheus.PrometheusException};
 * whatever keeps the server from answering is a {@link
 * io.github.kueue4j.sdk.BackendUnavailableException}.
 */
@NullMarked
package io.github.kueue4j.http.prometheus;

import org.jspecify.annotations.NullMarked;
