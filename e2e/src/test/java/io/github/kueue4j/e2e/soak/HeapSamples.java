// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How much of the heap is in use after a garbage collection, over a time. Not thread-safe. */
final class HeapSamples {
  private static final Duration EVERY = Duration.ofSeconds(15);
  private static final double MEBIBYTE = 1 << 20;
  private static final double NANOS_A_MINUTE = Duration.ofMinutes(1).toNanos();

  private final List<Growth.Point> samples = new ArrayList<>();
  private final long begin = System.nanoTime();
  private final double warmUp;

  /**
   * No samples yet.
   *
   * @param length of the whole time, whose first third fills caches and histories and doesn't count
   */
  HeapSamples(Duration length) {
    this.warmUp = length.toNanos() / NANOS_A_MINUTE / 3;
  }

  /** Takes a sample, unless the last one is younger than 15 s. */
  void sampleWhenDue() {
    double minute = (System.nanoTime() - begin) / NANOS_A_MINUTE;
    double last = samples.isEmpty() ? 0 : samples.getLast().minute();
    if (minute - last >= EVERY.toNanos() / NANOS_A_MINUTE) {
      System.gc();
      long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      samples.add(new Growth.Point(minute, used / MEBIBYTE));
    }
  }

  /**
   * The growth after the first third: the slope of the line of least squares.
   *
   * @throws IllegalStateException if there are too few samples to tell
   */
  double mebibytesAMinute() {
    return Growth.perMinute(samples, warmUp);
  }

  @Override
  public String toString() {
    return samples.stream()
        .map(one -> String.format(Locale.ROOT, "%.1f min %.1f MiB", one.minute(), one.value()))
        .collect(Collectors.joining(", ", "heap after a collection: ", ""));
  }
}
