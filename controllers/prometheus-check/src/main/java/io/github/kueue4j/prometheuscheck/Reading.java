// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.http.prometheus.PrometheusAnswer;
import io.github.kueue4j.http.prometheus.Sample;
import java.util.Optional;

/**
 * The deciding part of an answer.
 *
 * @param worst the sample that is the farthest from what it must be; empty without a number
 */
record Reading(Optional<Sample> worst) {
  static Reading of(PrometheusAnswer answer, Threshold threshold) {
    return new Reading(threshold.worst(answer.samples()));
  }
}
