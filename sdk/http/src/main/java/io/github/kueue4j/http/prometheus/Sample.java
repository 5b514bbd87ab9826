// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * One series of an answer and its value at the time of the query.
 *
 * @param labels label name to value, the metric's name as {@code __name__}; empty for a scalar
 * @param value what was measured; may be infinite or not a number, which PromQL gives for divisions
 *     by zero and for quantiles of nothing
 * @see PrometheusClient
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Sample(Map<String, String> labels, double value) {
  /** Keeps a copy of the labels. */
  public Sample {
    labels = Map.copyOf(labels);
  }

  /** The labels as PromQL writes them, in alphabetical order: {@code {instance="a", job="b"}}. */
  public String labelText() {
    return new TreeMap<>(labels)
        .entrySet().stream()
            .map(label -> label.getKey() + '=' + PromqlText.quoted(label.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
  }
}
