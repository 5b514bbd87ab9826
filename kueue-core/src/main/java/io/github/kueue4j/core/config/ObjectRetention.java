// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How long finished and deactivated Workloads are kept (the block {@code
 * objectRetentionPolicies.workloads}).
 *
 * @param afterFinished time after which a finished Workload is deleted, but not its Job; not
 *     negative, empty for never
 * @param afterDeactivatedByKueue time after which the Job of a Workload that a limit or a check has
 *     deactivated is deleted; not negative, empty for never
 */
@API(status = API.Status.EXPERIMENTAL)
public record ObjectRetention(
    Optional<Duration> afterFinished, Optional<Duration> afterDeactivatedByKueue) {

  static ObjectRetention read(YamlBlock root) {
    try (YamlBlock policies = root.block("objectRetentionPolicies");
        YamlBlock workloads = policies.block("workloads")) {
      return new ObjectRetention(
          duration(workloads, "afterFinished"), duration(workloads, "afterDeactivatedByKueue"));
    }
  }

  private static Optional<Duration> duration(YamlBlock block, String key) {
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
