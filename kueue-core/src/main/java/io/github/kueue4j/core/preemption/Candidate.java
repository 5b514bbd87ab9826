// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.core.quota.AdmittedUsage;
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

  /**
   * A Workload that holds quota, by what is written in it: for what has no State to ask. It counts
   * as leaving from its eviction on, where the State counts it as soon as it is to be evicted.
   *
   * @param priority that counts
   */
  public static Candidate asWritten(Workload holder, int priority) {
    Admission admission = Objects.requireNonNull(holder.status().admission());
    String queue = Objects.requireNonNullElse(holder.spec().queueName(), "");
    return new Candidate(
        ObjectKey.of(holder),
        Uids.of(holder),
        admission.clusterQueue(),
        new ObjectKey(ObjectKey.of(holder).namespace(), queue),
        priority,
        QueueOrder.queuedSince(holder, false),
        holder.conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(Instant.EPOCH),
        AdmittedUsage.of(holder),
        holder.conditions().evicted());
  }
}
