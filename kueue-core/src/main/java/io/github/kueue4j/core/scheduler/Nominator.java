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
import io.github.kueue4j.core.preemption.Accounts;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.Preemptor;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.LabelSelectors;
import io.github.kueue4j.core.queue.PodSetDemand;
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
import org.jspecify.annotations.Nullable;

/** Finds out what each head could get if it were alone in the cycle. */
final class Nominator {
  private static final String MISCONFIGURED = "Misconfigured";

  /** It would fit if a deferred preemption had happened already. */
  private static final String PROMISED =
      "insufficient unused quota: what it needs is promised, but not given back yet (preemption"
          + " deferred by an AdmissionCheck)";

  /** Nobody would guess why the policies of the queue don't help. */
  private static final String PEACEFUL =
      "; it evicts nobody for a while, since it was evicted itself whenever it had done so";

  private final Snapshot snapshot;
  private final Accounts accounts;
  private final List<Accounts.Ground> grounds;

  Nominator(Snapshot snapshot, Accounts accounts) {
    this.snapshot = snapshot;
    this.accounts = accounts;
    this.grounds = accounts.grounds(snapshot.rivals());
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
    Nomination whole = nominated(queue, head, workload.podSets());
    return whole instanceof Nomination.Refused refused
            && snapshot.gates().partialAdmission()
            && PartialAdmission.possible(workload.podSets())
        ? PartialAdmission.most(
                workload.podSets(),
                fewer ->
                    Optional.of(nominated(queue, head, fewer))
                        .filter(nomination -> !(nomination instanceof Nomination.Refused)))
            .orElseGet(() -> refusedEvenTheFewest(queue, refused))
        : whole;
  }

  /**
   * That all of them never fit isn't the point where fewer would do: those may only have to wait.
   */
  private Nomination refusedEvenTheFewest(Snapshot.Queue queue, Nomination.Refused whole) {
    return whole.decision().reason().equals(NoFitReason.EXCEEDS_MAX_QUOTA.conditionReason())
        ? nominated(queue, whole.head(), PartialAdmission.fewest(whole.head().workload().podSets()))
        : whole;
  }

  /** Looks for room for these pods, on every ground until something comes of it. */
  private Nomination nominated(
      Snapshot.Queue queue, SchedulingCycle.Head head, List<PodSetDemand> podSets) {
    @Nullable Nomination first = null;
    for (Accounts.Ground ground : grounds) {
      Nomination found = nominated(ground, queue, head, podSets);
      if (stands(head, found)) {
        return found;
      }
      first = first == null ? found : first;
    }
    return first instanceof Nomination.Refused
        ? first
        : refused(
            queue,
            head,
            NoFitReason.WAITING_FOR_QUOTA,
            PROMISED,
            Amounts.none(),
            Amounts.none(),
            0);
  }

  /** Whether it holds whatever becomes of the claims. */
  private boolean stands(SchedulingCycle.Head head, Nomination nomination) {
    return switch (nomination) {
      case Nomination.Fits fits -> accounts.fits(head.clusterQueue(), fits.usage());
      case Nomination.Preempts preempts ->
          accounts.fitsWithout(preempts.targets(), head.clusterQueue(), preempts.usage());
      case Nomination.Refused refused -> false;
    };
  }

  private Nomination nominated(
      Accounts.Ground ground,
      Snapshot.Queue queue,
      SchedulingCycle.Head head,
      List<PodSetDemand> podSets) {
    ClusterQueuePreemption policy =
        head.workload().peaceful() ? ClusterQueuePreemption.never() : queue.spec().preemption();
    Assignment assignment =
        new FlavorAssigner(head.clusterQueue(), queue.spec(), ground.quota(), snapshot.flavors())
            .under(snapshot.gates())
            .preempting(
                (contested, amount) -> simulate(ground, head, policy, contested, amount),
                snapshot.rivals().settings().fairSharing())
            .assign(podSets, candidate -> useful(ground, head, policy, candidate));
    return switch (assignment) {
      case Assignment.Fits fits ->
          tooManyChecks(queue, head, fits.podSets())
              .orElseGet(
                  () ->
                      new Nomination.Fits(
                          head,
                          reservation(head, fits.podSets(), fits.usage()),
                          fits.borrowLevel()));
      case Assignment.Preempts preempts -> {
        Preemptor preemptor = preemptor(head, preempts.usage(), preempts.contested());
        List<Target> targets = targets(ground, preemptor, policy);
        yield targets.isEmpty()
            ? refused(
                queue,
                head,
                NoFitReason.WAITING_FOR_QUOTA,
                preempts.message(),
                preempts.usage(),
                kept(ground.quota(), queue, head, preempts.usage(), preempts.borrowLevel()),
                preempts.borrowLevel())
            : tooManyChecks(queue, head, preempts.podSets())
                .orElseGet(() -> preempts(queue, head, preempts, preemptor, targets));
      }
      case Assignment.NoFit noFit ->
          refused(
              queue,
              head,
              noFit.reason(),
              noFit.message(),
              noFit.wanted(),
              kept(ground.quota(), queue, head, noFit.wanted(), noFit.borrowLevel()),
              noFit.borrowLevel());
    };
  }

  private static Nomination preempts(
      Snapshot.Queue queue,
      SchedulingCycle.Head head,
      Assignment.Preempts assignment,
      Preemptor preemptor,
      List<Target> targets) {
    Decision.Reserve reservation = reservation(head, assignment.podSets(), assignment.usage());
    boolean deferred =
        CheckStrategy.ofAssignment(queue.spec(), reservation.admission()).stream()
            .anyMatch(queue.deferringChecks()::contains);
    return new Nomination.Preempts(
        head,
        reservation,
        deferred,
        preemptor,
        targets,
        assignment.message(),
        assignment.borrowLevel());
  }

  private static Decision.Reserve reservation(
      SchedulingCycle.Head head, List<PodSetAssignment> podSets, Amounts<FlavorResource> usage) {
    return new Decision.Reserve(
        head.clusterQueue(), head.workload(), new Admission(head.clusterQueue(), podSets), usage);
  }

  private static boolean useful(
      Accounts.Ground ground,
      SchedulingCycle.Head head,
      ClusterQueuePreemption policy,
      Assignment assignment) {
    return switch (assignment) {
      case Assignment.Fits fits -> true;
      case Assignment.Preempts preempts ->
          !targets(ground, preemptor(head, preempts.usage(), preempts.contested()), policy)
              .isEmpty();
      case Assignment.NoFit noFit -> false;
    };
  }

  private static List<Target> targets(
      Accounts.Ground ground, Preemptor preemptor, ClusterQueuePreemption policy) {
    return ground.rivals().searchIn(ground.quota()).targets(preemptor, policy);
  }

  /** What preemption could do about one amount. */
  private static PreemptionOracle.Simulation simulate(
      Accounts.Ground ground,
      SchedulingCycle.Head head,
      ClusterQueuePreemption policy,
      FlavorResource contested,
      long amount) {
    String queue = head.clusterQueue();
    List<Target> targets =
        targets(ground, preemptor(head, Amounts.of(contested, amount), Set.of(contested)), policy);
    QuotaTree.Trial without = ground.quota().trial();
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
  private static Amounts<FlavorResource> kept(
      QuotaTree quota,
      Snapshot.Queue queue,
      SchedulingCycle.Head head,
      Amounts<FlavorResource> wanted,
      int borrowLevel) {
    NodeId node = NodeId.queue(head.clusterQueue());
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
      Amounts<FlavorResource> usage,
      Amounts<FlavorResource> kept,
      int borrowLevel) {
    return new Nomination.Refused(
        head,
        new Decision.Inadmissible(
            head.clusterQueue(),
            head.workload(),
            reason.conditionReason(),
            head.workload().peaceful() ? message + PEACEFUL : message,
            queue.spec().queueingStrategy().equals(QueueingStrategy.STRICT_FIFO)
                && !head.workload().peaceful()),
        usage,
        kept,
        borrowLevel);
  }

  private static Nomination misconfigured(
      SchedulingCycle.Head head, String message, boolean blocking) {
    return new Nomination.Refused(
        head,
        new Decision.Inadmissible(
            head.clusterQueue(), head.workload(), MISCONFIGURED, message, blocking),
        Amounts.none(),
        Amounts.none(),
        0);
  }
}
