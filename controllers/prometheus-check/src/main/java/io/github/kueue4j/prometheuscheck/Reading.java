// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.http.Excerpt;
import io.github.kueue4j.http.prometheus.PrometheusAnswer;
import io.github.kueue4j.http.prometheus.Sample;
import java.util.List;
import java.util.Optional;

/**
 * What of an answer decides.
 *
 * @param worst the sample that is the farthest from what it must be; empty without a number
 * @param warnings of the server
 */
record Reading(Optional<Sample> worst, List<String> warnings) {
  static Reading of(PrometheusAnswer answer, Threshold threshold) {
    return new Reading(threshold.worst(answer.samples()), answer.warnings());
  }

  /** For the end of a message; empty without warnings. */
  String warningText() {
    return warnings.isEmpty()
        ? ""
        : " Prometheus warns: " + Excerpt.of(String.join("; ", warnings)) + ".";
  }
}
