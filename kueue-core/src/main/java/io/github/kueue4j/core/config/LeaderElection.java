// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The configuration of leader election: of several replicas, only the holder of a Lease acts.
 *
 * @param leaderElect whether leader election is on
 * @param resourceName name of the Lease
 * @param leaseDuration how long other replicas wait after the leader's last renewal
 * @param renewDeadline how long the leader retries a renewal before it stops leading; below
 *     leaseDuration
 * @param retryPeriod pause between attempts; positive, below renewDeadline
 */
@API(status = API.Status.EXPERIMENTAL)
public record LeaderElection(
    boolean leaderElect,
    String resourceName,
    Duration leaseDuration,
    Duration renewDeadline,
    Duration retryPeriod) {
  public LeaderElection {
    Objects.requireNonNull(resourceName, "resourceName");
    if (leaseDuration.compareTo(renewDeadline) <= 0) {
      throw new InvalidConfigurationException(
          "leaderElection.leaseDuration must be longer than leaderElection.renewDeadline");
    }
    if (renewDeadline.compareTo(retryPeriod) <= 0 || !retryPeriod.isPositive()) {
      throw new InvalidConfigurationException(
          "leaderElection.retryPeriod must be positive and shorter than"
              + " leaderElection.renewDeadline");
    }
  }

  static LeaderElection read(YamlBlock parent) {
    try (YamlBlock block = parent.block("leaderElection")) {
      block.oneOf("resourceLock", "leases", "leases");
      block.acceptUnused("resourceNamespace");
      boolean leaderElect = block.flag("leaderElect", true);
      if (!leaderElect) {
        block.reportUnusedBut(Set.of("leaderElect", "resourceNamespace"), "leaderElect is false");
      }
      return new LeaderElection(
          leaderElect,
          block.text("resourceName", "c1f6bfd2.kueue.x-k8s.io"),
          block.duration("leaseDuration", Duration.ofSeconds(15)),
          block.duration("renewDeadline", Duration.ofSeconds(10)),
          block.duration("retryPeriod", Duration.ofSeconds(2)));
    }
  }
}
