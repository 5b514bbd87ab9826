// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * A reference check that needs no Java: the value of a PromQL query decides which Workloads may
 * start.
 *
 * <p>A {@code PrometheusCheck} (cluster-scoped) names a server, a query and a condition:
 *
 * <pre>
 * apiVersion: checks.kueue4j.io/v1alpha1
 * kind: PrometheusCheck
 * metadata: {name: api-server}
 * spec:
 *   endpoint: {url: "http://prometheus.monitoring:9090"}
 *   query: histogram_quantile(0.99, sum by (le) (rate(apiserver_request_duration_seconds_bucket[5m])))
 *   readyWhen: "&lt; 0.5"
 *   holdsFor: 2m
 * </pre>
 *
 * <p>How an answer becomes a verdict is a function of values: {@code Judgement}. Workloads that ask
 * the same within {@code cacheFor} share one answer of the server ({@code SharedReadings}), and
 * those that wait come back spread over {@code delay.spread}, each at a moment of its own that
 * follows from its UID and attempt.
 *
 * <p>That a condition has held for a time is asked of Prometheus, by a subquery, rather than
 * remembered here: so it is the same for all replicas, and a restart forgets nothing.
 */
@NullMarked
package io.github.kueue4j.prometheuscheck;

import org.jspecify.annotations.NullMarked;
