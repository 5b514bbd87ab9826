// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.dryrun;

import java.time.Duration;
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
 * @param finished how many finished Workloads of the same queues tell how long others take
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record QuotaForecast(
    Optional<Duration> earliest,
    Optional<Duration> likely,
    Optional<Duration> latest,
    Optional<Duration> atMost,
    int finished) {
  public QuotaForecast {
    Objects.requireNonNull(earliest, "earliest");
    Objects.requireNonNull(likely, "likely");
    Objects.requireNonNull(latest, "latest");
    Objects.requireNonNull(atMost, "atMost");
  }
}
