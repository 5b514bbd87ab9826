// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The result of a soak. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class SoakReport {
  /** What is measured within a shorter time is the start of the process, not its growth. */
  private static final Duration SHORTEST = Duration.ofMinutes(10);

  static final String HEADER =
      "%7s %9s %9s %10s %10s %8s %7s %7s %8s%n"
          .formatted(
              "MINUTE",
              "CREATED",
              "EXISTING",
              "RESIDENT",
              "HEAP",
              "THREADS",
              "FILES",
              "SERIES",
              "CPU");

  private final Map<Measure, Double> growth = new EnumMap<>(Measure.class);
  private final SoakCounts counts;
  private final boolean longEnough;

  /**
   * A report.
   *
   * @param samples in the order of time
   * @param counts of the load at its end
   */
  SoakReport(List<SoakSample> samples, SoakCounts counts) {
    this.counts = counts;
    longEnough = samples.getLast().minute() >= SHORTEST.toMinutes() * 0.95;
    for (Measure measure : Measure.values()) {
      growth.put(measure, measure.growthPerMinute(samples));
    }
  }

  /** One line of the table, below {@link #HEADER}. */
  static String line(SoakSample sample, SoakCounts counts) {
    return String.format(
        Locale.ROOT,
        "%7.1f %,9d %,9d %6.1f MiB %6s MiB %8d %7d %7d %6.1f s%n",
        sample.minute(),
        counts.created(),
        counts.existing(),
        Measure.mebibytes(sample.resident()),
        Optional.ofNullable(sample.heap())
            .map(bytes -> String.format(Locale.ROOT, "%.1f", Measure.mebibytes(bytes)))
            .orElse("-"),
        sample.threads(),
        sample.files(),
        sample.series(),
        sample.cpuSeconds());
  }

  /** What the load has done. */
  public SoakCounts counts() {
    return counts;
  }

  /** Whether something grows by more than its bound, and the time was long enough to tell. */
  public boolean grows() {
    return longEnough && growth.entrySet().stream().anyMatch(SoakReport::exceeds);
  }

  private static boolean exceeds(Map.Entry<Measure, Double> one) {
    return one.getValue() > one.getKey().bound;
  }

  /** What the load has done, a line for each value, and one with the verdict. */
  @Override
  public String toString() {
    String lines =
        growth.entrySet().stream()
            .map(
                one ->
                    String.format(
                        Locale.ROOT,
                        "%-24s %+8.3f %-3s a minute, at most %.1f%n",
                        one.getKey().words,
                        one.getValue(),
                        one.getKey().unit,
                        one.getKey().bound))
            .collect(Collectors.joining());
    return "\n" + counts + "\n\nGrowth over the last two thirds:\n" + lines + verdict() + "\n";
  }

  private String verdict() {
    if (!longEnough) {
      return "No verdict: a process that has just started grows. Let it run for at least "
          + SHORTEST.toMinutes()
          + " minutes.";
    }
    String grown =
        growth.entrySet().stream()
            .filter(SoakReport::exceeds)
            .map(one -> one.getKey().words)
            .collect(Collectors.joining(", "));
    return grown.isEmpty() ? "Nothing grows." : "Grows: " + grown + ".";
  }
}
