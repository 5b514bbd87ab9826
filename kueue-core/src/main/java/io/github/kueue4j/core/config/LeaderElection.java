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
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * Of several replicas only the holder of a Lease acts.
 *
 * @param leaderElect whether to elect at all
 * @param resourceName name of the Lease
 * @param leaseDuration how long the others wait for a silent leader
 * @param renewDeadline how long the leader tries to renew before it gives up; below leaseDuration
 * @param retryPeriod pause between tries; below renewDeadline
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

  static LeaderElection read(ConfigurationBlock parent) {
    try (ConfigurationBlock block = parent.block("leaderElection")) {
      block.oneOf("resourceLock", "leases", "leases");
      block.acceptUnused("resourceNamespace");
      return new LeaderElection(
          block.flag("leaderElect", true),
          block.text("resourceName", "c1f6bfd2.kueue.x-k8s.io"),
          block.duration("leaseDuration", Duration.ofSeconds(15)),
          block.duration("renewDeadline", Duration.ofSeconds(10)),
          block.duration("retryPeriod", Duration.ofSeconds(2)));
    }
  }
}
