// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * When a Workload gets quota, counted from now.
 *
 * @param earliest one time in ten it is sooner; empty if unknown
 * @param likely half of the times it is sooner; empty if unknown
 * @param latest nine times in ten it is sooner; empty if unknown
 * @param atMost if all that comes before it takes as long as its maximum execution time allows;
 *     empty if some of that has none
 * @param obstacle why nothing is known, and what would help, as sentences; empty where something is
 *     known, and where time alone brings it none
 * @param finished how many finished Workloads of the queues that share the quota can be seen
 * @param remarks what isn't known and may lead to another answer, as sentences without a period
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record QuotaForecast(
    Optional<Duration> earliest,
    Optional<Duration> likely,
    Optional<Duration> latest,
    Optional<Duration> atMost,
    Optional<String> obstacle,
    int finished,
    List<String> remarks) {
  public QuotaForecast {
    Objects.requireNonNull(earliest, "earliest");
    Objects.requireNonNull(likely, "likely");
    Objects.requireNonNull(latest, "latest");
    Objects.requireNonNull(atMost, "atMost");
    Objects.requireNonNull(obstacle, "obstacle");
    remarks = List.copyOf(remarks);
  }

  /** It has quota, or gets it with the next look. */
  static QuotaForecast atOnce() {
    Optional<Duration> none = Optional.of(Duration.ZERO);
    return new QuotaForecast(none, none, none, none, Optional.empty(), 0, List.of());
  }

  /** Time alone doesn't bring it any. */
  static QuotaForecast unknown() {
    return new QuotaForecast(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        List.of());
  }

  QuotaForecast remarking(List<String> more) {
    return new QuotaForecast(earliest, likely, latest, atMost, obstacle, finished, more);
  }
}
