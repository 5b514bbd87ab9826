// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A Workload that waits for quota. Ordered as in its ClusterQueue: by priority, the higher first,
 * then by {@code queuedSince}, then by {@code firstVersion}, then by uid.
 *
 * @param key namespace and name
 * @param uid of the object
 * @param localQueue name of the LocalQueue that it was submitted to
 * @param queuedSince the instant that orders Workloads of equal priority; a creation has whole
 *     seconds
 * @param firstVersion the number of the resourceVersion in which it was first seen, which orders
 *     those of one instant as the server stored them; 0 if it isn't known
 * @param equivalence its shape: everything that decides whether it fits
 */
@API(status = API.Status.INTERNAL)
public record QueuedWorkload(
    ObjectKey key,
    String uid,
    String localQueue,
    Instant queuedSince,
    long firstVersion,
    SchedulingEquivalence equivalence)
    implements Comparable<QueuedWorkload> {
  public QueuedWorkload {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(uid, "uid");
    Objects.requireNonNull(localQueue, "localQueue");
    Objects.requireNonNull(queuedSince, "queuedSince");
    Objects.requireNonNull(equivalence, "equivalence");
  }

  public static QueuedWorkload of(
      ObjectKey key,
      String uid,
      String localQueue,
      int priority,
      Instant queuedSince,
      List<PodSetDemand> podSets) {
    return new QueuedWorkload(
        key,
        uid,
        localQueue,
        queuedSince,
        0,
        new SchedulingEquivalence(key.namespace(), priority, podSets));
  }

  /** This Workload as first seen in this version. */
  public QueuedWorkload firstSeenIn(long version) {
    return new QueuedWorkload(key, uid, localQueue, queuedSince, version, equivalence);
  }

  /** This Workload without preemption: it waits for free quota. */
  public QueuedWorkload withoutPreemption() {
    return withEquivalence(equivalence.withoutPreemption());
  }

  QueuedWorkload withEquivalence(SchedulingEquivalence other) {
    return new QueuedWorkload(key, uid, localQueue, queuedSince, firstVersion, other);
  }

  /** Whether it may not preempt other Workloads. */
  public boolean preemptionSuspended() {
    return equivalence.preemptionSuspended();
  }

  /** Namespace and name of its LocalQueue. */
  public ObjectKey localQueueKey() {
    return new ObjectKey(key.namespace(), localQueue);
  }

  public int priority() {
    return equivalence.priority();
  }

  public List<PodSetDemand> podSets() {
    return equivalence.podSets();
  }

  /**
   * The order of a ClusterQueue. A change of it concerns what builds on it, too: {@link
   * WaitingWorkloads#inOrder} and {@link Lanes} (usage of LocalQueues first), {@code
   * state.HeadSelector} (usage of levels first), {@code scheduler.CycleOrder} (borrowing first),
   * {@code preemption.Policies} (what counts as older), and {@code explain.WaitingOrder} and {@code
   * explain.QueuePosition}, which build such Workloads from outside.
   */
  @Override
  public int compareTo(QueuedWorkload other) {
    // A chain of comparators takes twice as long, and queues compare more than they do all else.
    int order = Integer.compare(other.priority(), priority());
    if (order == 0) {
      order = queuedSince.compareTo(other.queuedSince);
    }
    if (order == 0) {
      order = Long.compare(firstVersion, other.firstVersion);
    }
    if (order == 0) {
      order = uid.compareTo(other.uid);
    }
    return order == 0 ? key.compareTo(other.key) : order;
  }
}
