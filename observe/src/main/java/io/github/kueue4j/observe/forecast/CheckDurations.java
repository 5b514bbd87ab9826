// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.observe.explain.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * How long the checks of a ClusterQueue took from the reservation to the admission, by the
 * Workloads that have finished: of each its last reservation, which they let through.
 *
 * @param shortest a tenth of the Workloads took less; the least of fewer than ten
 * @param longest a tenth of the Workloads took more; the most of fewer than ten
 * @param workloads how many these are, at least {@value #FEWEST}; empty if that isn't told
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CheckDurations(Duration shortest, Duration longest, OptionalInt workloads) {
  /** Fewer tell nothing. */
  static final int FEWEST = QuotaHistory.FEWEST;

  /** The durations of a ClusterQueue's checks; empty if too little is known. */
  static Optional<CheckDurations> of(ClusterQueue queue, Stream<Workload> workloads) {
    String name = ObjectKey.of(queue).name();
    List<Duration> known =
        workloads
            .filter(each -> each.conditions().finished() && !each.conditions().evicted())
            .filter(each -> isOf(name, each))
            .flatMap(each -> CheckAnswers.took(each.conditions()).stream())
            .sorted()
            .toList();
    int tenth = known.size() / 10;
    return known.size() < FEWEST
        ? Optional.empty()
        : Optional.of(
            new CheckDurations(
                known.get(tenth),
                known.get(known.size() - 1 - tenth),
                OptionalInt.of(known.size())));
  }

  private static boolean isOf(String queue, Workload workload) {
    Admission admission = workload.status().admission();
    return admission != null
        && admission.clusterQueue().equals(queue)
        && !workload.status().admissionChecks().isEmpty();
  }

  /** As a line for a person. */
  public String words() {
    String who =
        workloads.isEmpty()
            ? "those"
            : (workloads.getAsInt() < 10 ? "all " : "eight in ten of ") + workloads.getAsInt();
    return "After the reservation its checks took %s to %s once they let it through (%s that finished in its ClusterQueue)."
        .formatted(DurationText.words(shortest), DurationText.words(longest), who);
  }

  /** The same without the number of Workloads. */
  public CheckDurations uncounted() {
    return new CheckDurations(shortest, longest, OptionalInt.empty());
  }
}
