// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.usage;

import io.github.kueue4j.core.quota.Amounts;
import java.time.Duration;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The time that a Workload ran, reconstructed from its conditions after a restart.
 *
 * @param requests the quota that it held, by resource
 * @param admittedAt when it was Admitted, in whole seconds
 * @param finishedAt null if it still runs
 */
@API(status = API.Status.INTERNAL)
public record ExecutionInterval(
    Amounts<String> requests, Instant admittedAt, @Nullable Instant finishedAt) {
  /**
   * The share of its requests that this run adds to past usage.
   *
   * @param base the instant until which the stored usage counts it already
   * @param now the instant of the sum
   */
  double share(Instant base, Instant now, UsagePolicy policy) {
    if (policy.halfLife().isZero()) {
      return 0;
    }
    Instant from = admittedAt.isBefore(base) ? base : admittedAt;
    Instant to = finishedAt == null || finishedAt.isAfter(now) ? now : finishedAt;
    double share = 0;
    if (!admittedAt.isBefore(base)) {
      share += policy.entryShare() * policy.remaining(Duration.between(admittedAt, now));
    }
    if (to.isAfter(from)) {
      share +=
          policy.remaining(Duration.between(to, now))
              - policy.remaining(Duration.between(from, now));
    }
    return share;
  }
}
