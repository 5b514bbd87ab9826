// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.quota.FlavorResource;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a core about Workloads, as their versions tell: recorded ones and replayed ones
 * are read by the same rules.
 */
final class DecisionLog {
  /** Reason of a preempted Workload's eviction. */
  static final String PREEMPTED = "Preempted";

  private final Map<ObjectKey, WorkloadLife> living = new HashMap<>();
  private final List<WorkloadLife> lives = new ArrayList<>();
  private final List<LoadDecision> decisions = new ArrayList<>();

  /** Quota that a Workload held. */
  static final class QuotaStay {
    final Instant from;
    final String clusterQueue;
    final Map<FlavorResource, BigDecimal> usage;
    @Nullable Instant to;

    QuotaStay(Instant from, String clusterQueue, Map<FlavorResource, BigDecimal> usage) {
      this.from = from;
      this.clusterQueue = clusterQueue;
      this.usage = usage;
    }
  }

  /** The life of one Workload. */
  static final class WorkloadLife {
    final ObjectKey key;
    final String uid;
    final Instant arrival;
    final List<QuotaStay> stays = new ArrayList<>();
    ObjectKey localQueue;
    @Nullable Instant admitted;

    /** Whether it ran when the recording began, so that it waited before. */
    boolean ranBefore;

    int preemptions;
    private int reservations;
    private int evictions;
    private Workload latest;

    WorkloadLife(Workload workload, Instant arrival) {
      this.key = workload.key();
      this.uid = Uids.of(workload);
      this.arrival = arrival;
      this.latest = workload;
      this.localQueue = localQueueOf(workload);
    }

    private static ObjectKey localQueueOf(Workload workload) {
      return new ObjectKey(
          workload.key().namespace(), Optional.ofNullable(workload.spec().queueName()).orElse(""));
    }

    /** Whether it was deactivated before it was ever admitted, and stayed so. */
    boolean endedWaiting() {
      return admitted == null && !latest.spec().active();
    }

    /** The ClusterQueue whose quota it held last; empty if it never did. */
    Optional<String> clusterQueue() {
      return stays.isEmpty() ? Optional.empty() : Optional.of(stays.getLast().clusterQueue);
    }
  }

  /** A Workload came. */
  void arrived(Workload workload, Instant at) {
    begin(workload, at);
  }

  private WorkloadLife begin(Workload workload, Instant at) {
    WorkloadLife life = new WorkloadLife(workload, at);
    living.put(life.key, life);
    lives.add(life);
    return life;
  }

  /** A Workload was there when the recording began. */
  void present(Workload workload, Instant now) {
    var created = workload.metadata().getCreationTimestamp();
    WorkloadLife life = begin(workload, created == null ? now : created.toInstant());
    WorkloadConditions conditions = workload.conditions();
    if (conditions.holdsQuota()) {
      stay(life, workload, now);
    }
    life.ranBefore = conditions.admitted() && conditions.holdsQuota();
  }

  /** A Workload has become this. */
  void take(Workload workload, Instant at) {
    WorkloadLife life = living.get(workload.key());
    if (life == null) {
      return;
    }
    WorkloadConditions before = life.latest.conditions();
    WorkloadConditions now = workload.conditions();
    life.latest = workload;
    life.localQueue = WorkloadLife.localQueueOf(workload);
    if (now.evicted()
        && !before
            .trueSince(WorkloadConditions.EVICTED)
            .equals(now.trueSince(WorkloadConditions.EVICTED))) {
      String reason = now.find(WorkloadConditions.EVICTED).orElseThrow().reason();
      decisions.add(new LoadDecision(at, life.key, life.uid, ++life.evictions, "evicted", reason));
      life.preemptions += reason.equals(PREEMPTED) ? 1 : 0;
    }
    if (now.holdsQuota()) {
      if (!before.holdsQuota()
          || !before
              .trueSince(WorkloadConditions.QUOTA_RESERVED)
              .equals(now.trueSince(WorkloadConditions.QUOTA_RESERVED))) {
        release(life, at);
        stay(life, workload, at);
        decisions.add(
            new LoadDecision(
                at, life.key, life.uid, ++life.reservations, "reserved", assignment(workload)));
      }
    } else {
      release(life, at);
    }
    if (life.admitted == null && now.admitted() && now.holdsQuota()) {
      life.admitted = at;
    }
  }

  /** A Workload is gone. */
  void deleted(ObjectKey key, Instant at) {
    WorkloadLife life = living.remove(key);
    if (life != null) {
      release(life, at);
    }
  }

  private static void release(WorkloadLife life, Instant at) {
    if (!life.stays.isEmpty() && life.stays.getLast().to == null) {
      life.stays.getLast().to = at;
    }
  }

  private static void stay(WorkloadLife life, Workload workload, Instant from) {
    Admission admission = workload.status().admission();
    if (admission == null) {
      return;
    }
    Map<FlavorResource, BigDecimal> usage = new HashMap<>();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      podSet
          .resourceUsage()
          .forEach(
              (resource, amount) -> {
                String flavor = podSet.flavors().get(resource);
                if (flavor != null) {
                  usage.merge(
                      new FlavorResource(flavor, resource), amount.amount(), BigDecimal::add);
                }
              });
    }
    life.stays.add(new QuotaStay(from, admission.clusterQueue(), usage));
  }

  /** The ClusterQueue, and each pod set's count and flavors, in an order of its own. */
  private static String assignment(Workload workload) {
    Admission admission = workload.status().admission();
    if (admission == null) {
      return "nothing";
    }
    return admission.clusterQueue()
        + ": "
        + admission.podSetAssignments().stream()
            .map(
                podSet ->
                    podSet.name()
                        + (podSet.count() == null ? "" : " x " + podSet.count())
                        + " on "
                        + new TreeMap<>(podSet.flavors()))
            .sorted()
            .collect(Collectors.joining("; "));
  }

  /** All decisions in their order. */
  List<LoadDecision> decisions() {
    return decisions;
  }

  /** What became of each Workload, in the order of arrival. */
  List<WorkloadLife> lives() {
    return lives;
  }
}
