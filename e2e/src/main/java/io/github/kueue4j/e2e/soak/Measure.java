// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** The quantities that must not grow, and the excess by which a growth is told from noise. */
enum Measure {
  /** A loss of 440 bytes for each of 1,200 Workloads a minute would be seen. */
  RESIDENT("resident memory", "MiB", 0.5),
  /** A loss of 175 bytes for each of 1,200 Workloads a minute would be seen. */
  HEAP("heap after a collection", "MiB", 0.2),
  /** One in ten minutes. */
  THREADS("threads", "", 0.1),
  /** One in ten minutes. */
  FILES("file handles", "", 0.1),
  /** One in ten minutes. */
  SERIES("series of /metrics", "", 0.1);

  private static final double MEBIBYTE = 1 << 20;

  final String words;
  final String unit;

  /** Growth in a minute that is still called none. */
  final double bound;

  Measure(String words, String unit, double bound) {
    this.words = words;
    this.unit = unit;
    this.bound = bound;
  }

  static double mebibytes(long bytes) {
    return bytes / MEBIBYTE;
  }

  /** Over the last two thirds of the samples' time. */
  double growthPerMinute(List<SoakSample> samples) {
    return Growth.perMinute(
        samples.stream().flatMap(this::point).toList(), samples.getLast().minute() / 3);
  }

  private Stream<Growth.Point> point(SoakSample sample) {
    return valueIn(sample).stream().mapToObj(value -> new Growth.Point(sample.minute(), value));
  }

  private OptionalDouble valueIn(SoakSample sample) {
    return switch (this) {
      case RESIDENT -> OptionalDouble.of(mebibytes(sample.resident()));
      case HEAP ->
          sample.heap() == null
              ? OptionalDouble.empty()
              : OptionalDouble.of(mebibytes(sample.heap()));
      case THREADS -> OptionalDouble.of(sample.threads());
      case FILES -> OptionalDouble.of(sample.files());
      case SERIES -> OptionalDouble.of(sample.series());
    };
  }
}
