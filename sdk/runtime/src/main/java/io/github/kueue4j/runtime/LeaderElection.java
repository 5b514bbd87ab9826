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
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.ObjectKey;
import java.time.Duration;
import java.util.UUID;
import org.apiguardian.api.API;

/**
 * How replicas agree on a leader: they compete for a Lease object (coordination.k8s.io/v1).
 *
 * @param lease the Lease's namespace and name
 * @param identity this replica, unique among them
 * @param leaseDuration how long others wait after the last renewal that they saw
 * @param renewDeadline how long the leader keeps trying to renew before it gives up; less than
 *     {@code leaseDuration}, and the difference is the time for ending what is under way
 * @param retryPeriod how often to renew or try; less than {@code renewDeadline}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LeaderElection(
    ObjectKey lease,
    String identity,
    Duration leaseDuration,
    Duration renewDeadline,
    Duration retryPeriod) {

  public LeaderElection {
    if (lease.namespace().isEmpty() || identity.isEmpty()) {
      throw new IllegalArgumentException(
          "leader election on '" + lease + "' needs a namespace and an identity");
    }
    boolean ordered =
        retryPeriod.isPositive()
            && retryPeriod.compareTo(renewDeadline) < 0
            && renewDeadline.compareTo(leaseDuration) < 0
            && leaseDuration.toSeconds() >= 1;
    if (!ordered) {
      throw new IllegalArgumentException(
          "leader election needs retryPeriod < renewDeadline < leaseDuration and at least 1 s of"
              + " lease, but has "
              + retryPeriod
              + ", "
              + renewDeadline
              + ", "
              + leaseDuration);
    }
  }

  /** The usual times (15 s, 10 s, 2 s) and a random identity. */
  public static LeaderElection named(String namespace, String name) {
    return new LeaderElection(
        new ObjectKey(namespace, name),
        name + '-' + UUID.randomUUID(),
        Duration.ofSeconds(15),
        Duration.ofSeconds(10),
        Duration.ofSeconds(2));
  }

  /** A copy with another identity. */
  public LeaderElection withIdentity(String other) {
    return new LeaderElection(lease, other, leaseDuration, renewDeadline, retryPeriod);
  }

  /** A copy with other times. */
  public LeaderElection withTimes(Duration duration, Duration deadline, Duration period) {
    return new LeaderElection(lease, identity, duration, deadline, period);
  }
}
