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
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.QueueingStrategy;
import io.github.kueue4j.api.ReclaimPolicy;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.Preemptor;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.LabelSelectors;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Finds out what each head could get if it were alone in the cycle. */
final class Nominator {
  private static final String MISCONFIGURED = "Misconfigured";

  private final Snapshot snapshot;

  Nominator(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  /** One head that can't be dealt with must not keep the others from being decided. */
  Nomination nominate(SchedulingCycle.Head head) {
    try {
      return nominated(head);
    } catch (RuntimeException e) {
      return misconfigured(head, "Failed to admit workload: " + e, false);
    }
  }

  private Nomination nominated(SchedulingCycle.Head head) {
    QueuedWorkload workload = head.workload();
    Snapshot.Queue queue = snapshot.queues().get(head.clusterQueue());
    if (queue == null) {
      return misconfigured(head, "ClusterQueue " + head.clusterQueue() + " not found", true);
    }
    Map<String, String> labels =
        snapshot.namespaces().getOrDefault(workload.key().namespace(), Map.of());
    if (!LabelSelectors.matches(queue.spec().namespaceSelector(), labels)) {
      return misconfigured(head, "workload namespace doesn't match ClusterQueue selector", false);
    }
    ClusterQueuePreemption policy = queue.spec().preemption();
    Assignment assignment =
        new FlavorAssigner(head.clusterQueue(), queue.spec(), snapshot.quota(), snapshot.flavors())
            .preempting(
                (contested, amount) -> simulate(head, policy, contested, amount),
                snapshot.rivals().settings().fairSharing())
            .assign(workload.podSets(), candidate -> useful(head, policy, candidate));
    return switch (assignment) {
      case Assignment.Fits fits ->
          tooManyChecks(queue, head, fits.podSets())
              .orElseGet(
                  () ->
                      new Nomination.Fits(
                          new Decision.Reserve(
                              head.clusterQueue(),
                              workload,
                              new Admission(head.clusterQueue(), fits.podSets()),
                              fits.usage()),
                          fits.borrowLevel()));
      case Assignment.Preempts preempts -> {
        Preemptor preemptor = preemptor(head, preempts.usage(), preempts.contested());
        List<Target> targets = targets(preemptor, policy);
        yield targets.isEmpty()
            ? refused(
                queue,
                head,
                NoFitReason.WAITING_FOR_QUOTA,
                preempts.message(),
                kept(queue, head, preempts.usage(), preempts.borrowLevel()))
            : tooManyChecks(queue, head, preempts.podSets())
                .orElseGet(
                    () ->
                        new Nomination.Preempts(
                            head, preemptor, targets, preempts.message(), preempts.borrowLevel()));
      }
      case Assignment.NoFit noFit ->
          refused(
              queue,
              head,
              noFit.reason(),
              noFit.message(),
              kept(queue, head, noFit.wanted(), noFit.borrowLevel()));
    };
  }

  private boolean useful(
      SchedulingCycle.Head head, ClusterQueuePreemption policy, Assignment assignment) {
    return switch (assignment) {
      case Assignment.Fits fits -> true;
      case Assignment.Preempts preempts ->
          !targets(preemptor(head, preempts.usage(), preempts.contested()), policy).isEmpty();
      case Assignment.NoFit noFit -> false;
    };
  }

  private List<Target> targets(Preemptor preemptor, ClusterQueuePreemption policy) {
    return snapshot.rivals().searchIn(snapshot.quota()).targets(preemptor, policy);
  }

  /** What preemption could do about one amount. */
  private PreemptionOracle.Simulation simulate(
      SchedulingCycle.Head head,
      ClusterQueuePreemption policy,
      FlavorResource contested,
      long amount) {
    String queue = head.clusterQueue();
    List<Target> targets =
        targets(preemptor(head, Amounts.of(contested, amount), Set.of(contested)), policy);
    QuotaTree.Trial without = snapshot.quota().trial();
    boolean own = false;
    for (Target target : targets) {
      Candidate candidate = target.candidate();
      without.giveBack(candidate.clusterQueue(), candidate.usage());
      own |= candidate.clusterQueue().equals(queue);
    }
    PreemptionOracle.Possibility possibility =
        own ? PreemptionOracle.Possibility.PREEMPT : PreemptionOracle.Possibility.RECLAIM;
    return new PreemptionOracle.Simulation(
        targets.isEmpty() ? PreemptionOracle.Possibility.NO_CANDIDATES : possibility,
        without.borrowLevel(queue, contested, amount));
  }

  /**
   * What is kept for a head that has to wait, since it could not take it back from who borrows it.
   */
  private Amounts<FlavorResource> kept(
      Snapshot.Queue queue,
      SchedulingCycle.Head head,
      Amounts<FlavorResource> wanted,
      int borrowLevel) {
    NodeId node = NodeId.queue(head.clusterQueue());
    QuotaTree quota = snapshot.quota();
    ClusterQueuePreemption policy = queue.spec().preemption();
    if (policy.reclaimWithinCohort().equals(ReclaimPolicy.ANY) || quota.parent(node).isEmpty()) {
      return Amounts.none();
    }
    Map<FlavorResource, Quota> limits = Quota.byKey(queue.spec().resourceGroups());
    Map<FlavorResource, Long> kept = new TreeMap<>();
    wanted
        .asMap()
        .forEach(
            (key, amount) -> {
              long own = quota.subtreeQuota(node, key);
              Long limit = limits.getOrDefault(key, Quota.ZERO).borrowingLimit();
              long most = own;
              if (borrowLevel > 0) {
                most = limit == null ? Long.MAX_VALUE : Amounts.add(own, limit);
              }
              long free = Amounts.subtract(most, quota.usage(node, key));
              kept.put(key, Math.max(0, Math.min(amount, free)));
            });
    return Amounts.of(kept);
  }

  private static Preemptor preemptor(
      SchedulingCycle.Head head, Amounts<FlavorResource> usage, Set<FlavorResource> contested) {
    QueuedWorkload workload = head.workload();
    return new Preemptor(
        head.clusterQueue(),
        new ObjectKey(workload.key().namespace(), workload.localQueue()),
        workload.priority(),
        workload.queuedSince(),
        usage,
        contested);
  }

  private static Optional<Nomination> tooManyChecks(
      Snapshot.Queue queue, SchedulingCycle.Head head, List<PodSetAssignment> podSets) {
    Set<String> checks =
        CheckStrategy.ofAssignment(queue.spec(), new Admission(head.clusterQueue(), podSets));
    return checks.size() > CheckStrategy.LIMIT
        ? Optional.of(
            misconfigured(
                head,
                "the flavors that fit require %d AdmissionChecks together (%s), more than the %d that the status of a workload holds"
                    .formatted(checks.size(), String.join(", ", checks), CheckStrategy.LIMIT),
                false))
        : Optional.empty();
  }

  private static Nomination refused(
      Snapshot.Queue queue,
      SchedulingCycle.Head head,
      NoFitReason reason,
      String message,
      Amounts<FlavorResource> kept) {
    return new Nomination.Refused(
        head,
        new Decision.Inadmissible(
            head.clusterQueue(),
            head.workload(),
            reason.conditionReason(),
            message,
            queue.spec().queueingStrategy().equals(QueueingStrategy.STRICT_FIFO)),
        kept,
        0);
  }

  private static Nomination misconfigured(
      SchedulingCycle.Head head, String message, boolean blocking) {
    return new Nomination.Refused(
        head,
        new Decision.Inadmissible(
            head.clusterQueue(), head.workload(), MISCONFIGURED, message, blocking),
        Amounts.none(),
        0);
  }
}
