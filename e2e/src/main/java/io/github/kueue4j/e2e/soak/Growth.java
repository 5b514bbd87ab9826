// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import java.util.List;
import org.apiguardian.api.API;

/** How much a measured value grows in a minute. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Growth {
  /** Fewer tell nothing. */
  private static final int FEWEST = 4;

  private Growth() {}

  /**
   * One measurement.
   *
   * @param minute since the beginning
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record Point(double minute, double value) {}

  /**
   * The slope of the line of least squares, per minute.
   *
   * @param from the minute before which points don't count: caches and histories still fill
   * @throws IllegalStateException if fewer than four points are left
   */
  public static double perMinute(List<Point> points, double from) {
    List<Point> counted = points.stream().filter(one -> one.minute() >= from).toList();
    if (counted.size() < FEWEST) {
      throw new IllegalStateException(
          "only %d measurements after minute %.1f; let it run for longer"
              .formatted(counted.size(), from));
    }
    double minutes = counted.stream().mapToDouble(Point::minute).average().orElseThrow();
    double values = counted.stream().mapToDouble(Point::value).average().orElseThrow();
    double covariance =
        counted.stream()
            .mapToDouble(one -> (one.minute() - minutes) * (one.value() - values))
            .sum();
    double variance =
        counted.stream().mapToDouble(one -> Math.pow(one.minute() - minutes, 2)).sum();
    return covariance / variance;
  }
}
