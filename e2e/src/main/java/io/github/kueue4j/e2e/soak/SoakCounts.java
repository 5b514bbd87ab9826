// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The counts of a soak's load so far.
 *
 * @param created Workloads and Jobs
 * @param deleted of these, after they had finished
 * @param evictions of Workloads that ran, by preemption
 * @param retries answers Retry of the check
 * @param unanswered writes of the load that got no answer, and were repeated
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record SoakCounts(int created, int deleted, int evictions, int retries, int unanswered) {
  /** How many there are now. */
  int existing() {
    return created - deleted;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d created, %,d deleted after they had run; %,d evicted by preemption, %,d delayed by the"
            + " check; %,d writes unanswered",
        created,
        deleted,
        evictions,
        retries,
        unanswered);
  }
}
