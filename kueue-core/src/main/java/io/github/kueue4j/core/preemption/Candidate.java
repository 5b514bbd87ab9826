// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import java.time.Instant;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A Workload that holds quota, as a candidate for preemption.
 *
 * @param key namespace and name
 * @param uid of the object
 * @param clusterQueue the ClusterQueue whose quota it holds
 * @param localQueue the LocalQueue that it was submitted to
 * @param queuedSince the time that orders Workloads of equal priority
 * @param reservedSince since when it holds the quota; {@link Instant#MAX} while the reservation
 *     isn't written yet
 * @param usage the quota that it holds
 * @param evicted whether it is being evicted already, so that its quota will be released anyway
 */
@API(status = API.Status.INTERNAL)
public record Candidate(
    ObjectKey key,
    String uid,
    String clusterQueue,
    ObjectKey localQueue,
    int priority,
    Instant queuedSince,
    Instant reservedSince,
    Amounts<FlavorResource> usage,
    boolean evicted) {
  public Candidate {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(uid, "uid");
    Objects.requireNonNull(clusterQueue, "clusterQueue");
    Objects.requireNonNull(localQueue, "localQueue");
    Objects.requireNonNull(queuedSince, "queuedSince");
    Objects.requireNonNull(reservedSince, "reservedSince");
    Objects.requireNonNull(usage, "usage");
  }
}
