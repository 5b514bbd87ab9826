// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import io.github.kueue4j.http.Excerpt;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apiguardian.api.API;

/**
 * The answer to a query.
 *
 * @param query the PromQL that was asked
 * @param samples the series, in the server's order; one without labels for a scalar; at most {@link
 *     PrometheusClient#MAX_SAMPLES}
 * @see PrometheusClient
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PrometheusAnswer(String query, List<Sample> samples) {
  /** Keeps a copy of the list. */
  public PrometheusAnswer {
    samples = List.copyOf(samples);
  }

  /** The samples whose value is a number or infinite. */
  public List<Sample> numbers() {
    return samples.stream().filter(sample -> !Double.isNaN(sample.value())).toList();
  }

  /**
   * The one value of a query that gives one.
   *
   * @return empty if there is no data: no series, or one whose value is not a number; may be
   *     infinite
   * @throws PrometheusException if there are several series
   */
  public OptionalDouble value() {
    if (samples.size() > 1) {
      throw new PrometheusException(
          query,
          "it gives %s series, such as %s, and one is needed: aggregate them with sum(...) or max(...)"
              .formatted(samples.size(), Excerpt.of(samples.getFirst().labelText())));
    }
    Optional<Sample> one = numbers().stream().findFirst();
    return one.isPresent() ? OptionalDouble.of(one.get().value()) : OptionalDouble.empty();
  }

  /**
   * The one value of a query that measures an amount.
   *
   * @return finite and not negative; empty if there is no data
   * @throws PrometheusException if there are several series, or the value is infinite or negative
   */
  public OptionalDouble amount() {
    OptionalDouble value = value();
    if (value.isPresent() && !(value.getAsDouble() >= 0 && Double.isFinite(value.getAsDouble()))) {
      throw new PrometheusException(
          query, "it gives " + value.getAsDouble() + ", and an amount is finite and not negative");
    }
    return value;
  }
}
