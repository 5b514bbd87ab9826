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
package io.github.kueue4j.core.config;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How long objects are kept that have nothing to wait for any more (the block {@code
 * objectRetentionPolicies.workloads}).
 *
 * @param afterFinished after this time a finished Workload is deleted, its Job is not; not
 *     negative; empty: never
 * @param afterDeactivatedByKueue after this time the Job of a Workload that a limit or a check has
 *     deactivated is deleted; not negative; empty: never
 */
@API(status = API.Status.EXPERIMENTAL)
public record ObjectRetention(
    Optional<Duration> afterFinished, Optional<Duration> afterDeactivatedByKueue) {

  static ObjectRetention read(ConfigurationBlock root) {
    try (ConfigurationBlock policies = root.block("objectRetentionPolicies");
        ConfigurationBlock workloads = policies.block("workloads")) {
      return new ObjectRetention(
          duration(workloads, "afterFinished"), duration(workloads, "afterDeactivatedByKueue"));
    }
  }

  private static Optional<Duration> duration(ConfigurationBlock block, String key) {
    if (block.text(key).isEmpty()) {
      return Optional.empty();
    }
    Duration duration = block.duration(key, Duration.ZERO);
    if (duration.isNegative()) {
      throw block.invalid(key, "must not be negative; 0s means at once");
    }
    return Optional.of(duration);
  }
}
