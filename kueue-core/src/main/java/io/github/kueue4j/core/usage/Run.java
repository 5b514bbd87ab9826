/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.usage;

import io.github.kueue4j.core.quota.Amounts;
import java.time.Duration;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A time for which a Workload ran, as its conditions tell it to one who wasn't there.
 *
 * @param requests what it had of the quota, by resource
 * @param admittedAt when it was Admitted, in whole seconds
 * @param finishedAt null if it still runs
 */
@API(status = API.Status.INTERNAL)
public record Run(Amounts<String> requests, Instant admittedAt, @Nullable Instant finishedAt) {
  /**
   * What this run adds to past usage, in shares of its requests.
   *
   * @param base from when on it isn't known already
   * @param now when that is counted
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
