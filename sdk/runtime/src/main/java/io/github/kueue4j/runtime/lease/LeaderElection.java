// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.lease;

import io.github.kueue4j.api.ObjectKey;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.apiguardian.api.API;

/**
 * The settings of leader election: replicas compete for a Lease object (coordination.k8s.io/v1).
 *
 * @param lease the Lease's namespace and name
 * @param identity of this replica, unique among the replicas
 * @param leaseDuration how long other replicas wait after the last renewal that they saw
 * @param renewDeadline how long the leader retries a renewal before it stops leading; less than
 *     {@code leaseDuration}, and the difference is the time for ending running reconciles
 * @param retryPeriod the interval of renewals and attempts; less than {@code renewDeadline}
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

  /**
   * Settings with Kubernetes' default times (15 s, 10 s, 2 s) and the pod's name as identity: the
   * environment's {@code POD_NAME}, which names one pod for certain and lets a restarted container
   * lead again at once, or {@code HOSTNAME} or else the Lease's name with a random suffix, because
   * several replicas may share these. Two containers of one pod that compete need identities of
   * their own, see {@link #withIdentity}.
   */
  public static LeaderElection named(String namespace, String name) {
    return new LeaderElection(
        new ObjectKey(namespace, name),
        identity(System.getenv(), name, UUID.randomUUID()),
        Duration.ofSeconds(15),
        Duration.ofSeconds(10),
        Duration.ofSeconds(2));
  }

  static String identity(Map<String, String> environment, String lease, UUID random) {
    String pod = environment.getOrDefault("POD_NAME", "");
    if (!pod.isEmpty()) {
      return pod;
    }
    String host = environment.getOrDefault("HOSTNAME", "");
    return (host.isEmpty() ? lease : host) + '_' + random.toString().substring(0, 8);
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
