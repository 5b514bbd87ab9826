// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import io.github.kueue4j.apiserver.traffic.RequestCounters;
import java.time.Duration;
import java.util.Comparator;
import java.util.Formatter;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The result of a run as text. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class BenchReport {
  private static final Set<String> READS = Set.of("get", "list", "watch");
  private static final String CORE = "kueue-core/";

  private BenchReport() {}

  /**
   * The resources that the core used.
   *
   * @param cpu its process, from its start to the end of the load
   * @param peakMemory of its process, in bytes
   */
  public record Cost(Duration cpu, OptionalLong peakMemory) {}

  /**
   * The report.
   *
   * @param cost null if the core isn't a process of ours
   * @param requests null if the server doesn't tell whose requests it got
   */
  public static String of(
      Load load, Outcome outcome, @Nullable Cost cost, @Nullable RequestCounters requests) {
    Formatter text = new Formatter(Locale.ROOT);
    Duration bound = QuotaBound.of(load);
    text.format(
        "%,d of %,d workloads finished (%,d created, %,d preemptions) in %.1f s\n",
        outcome.finished(),
        outcome.workloads(),
        outcome.created(),
        outcome.preempted(),
        seconds(outcome.makespan()));
    text.format(
        "at least %.1f s by quota and arrivals: ratio %.2f\n",
        seconds(bound), seconds(outcome.makespan()) / seconds(bound));
    text.format("\n");
    text.format("%-12s %10s %10s %10s %10s\n", "ADMISSION", "WORKLOADS", "MEAN", "P50", "P99");
    new TreeMap<>(outcome.waits()).forEach((name, waits) -> waits(text, name, waits));
    text.format("\n");
    if (cost != null) {
      text.format("core: %.1f CPU seconds%s\n", seconds(cost.cpu()), memory(cost.peakMemory()));
    }
    if (requests != null && outcome.finished() > 0) {
      requests(text, requests, outcome.finished());
    }
    return text.toString();
  }

  private static void waits(Formatter text, String name, Waits waits) {
    if (!waits.isEmpty()) {
      text.format(
          "%-12s %,10d %8.2f s %8.2f s %8.2f s\n",
          name,
          waits.sorted().size(),
          seconds(waits.mean()),
          seconds(waits.quantile(0.5)),
          seconds(waits.quantile(0.99)));
    }
  }

  /** The requests that the core has sent, in lines. */
  public static String requests(RequestCounters requests, int workloads) {
    Formatter text = new Formatter(Locale.ROOT);
    requests(text, requests, workloads);
    return text.toString();
  }

  private static void requests(Formatter text, RequestCounters requests, int workloads) {
    Map<String, Long> counts = new TreeMap<>();
    long[] sums = new long[2];
    requests.forEach(
        (series, count) -> {
          if (series.request().userAgent().startsWith(CORE)
              && !series.request().resource().isEmpty()) {
            String resource =
                series.request().subresource().isEmpty()
                    ? series.request().resource()
                    : series.request().resource() + "/" + series.request().subresource();
            String refused = series.code() < 400 ? "" : ", refused with " + series.code();
            counts.merge(series.request().verb() + " " + resource + refused, count, Long::sum);
            sums[READS.contains(series.request().verb()) ? 0 : 1] += count;
          }
        });
    text.format(
        "core: %.2f writes and %.2f reads per workload\n",
        (double) sums[1] / workloads, (double) sums[0] / workloads);
    counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .forEach(
            entry ->
                text.format(
                    "  %8.3f  %s\n", (double) entry.getValue() / workloads, entry.getKey()));
  }

  private static String memory(OptionalLong peak) {
    return peak.isPresent()
        ? String.format(Locale.ROOT, ", at most %,d MiB of memory", peak.getAsLong() >> 20)
        : "";
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
