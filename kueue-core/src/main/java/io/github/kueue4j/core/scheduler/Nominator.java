// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.QueueingStrategy;
import io.github.kueue4j.api.ReclaimPolicy;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.Preemptor;
import io.github.kueue4j.core.preemption.QuotaProjections;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.LabelSelectors;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Computes the nomination of each head as if it were alone in the cycle. */
final class Nominator {

  /** For a head that fits only after a deferred preemption. */
  private static final String WAITING_FOR_DEFERRED_PREEMPTION =
      "insufficient unused quota: the quota is reserved for a workload whose preemption is"
          + " deferred by an AdmissionCheck";

  /** Explains why the queue's preemption policies are not applied. */
  private static final String PREEMPTION_SUSPENDED =
      "; its preemptions are suspended for a while, since it was evicted itself after each of them";

  private final Snapshot snapshot;
  private final QuotaProjections quotaProjections;
  private final List<QuotaProjections.SearchScope> grounds;

  Nominator(Snapshot snapshot, QuotaProjections quotaProjections) {
    this.snapshot = snapshot;
    this.quotaProjections = quotaProjections;
    this.grounds = quotaProjections.searchScopes(snapshot.preemptionCandidates());
  }

  /**
   * Nominates a head. An unexpected exception refuses this head only; the others are still decided.
   */
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
    V1LabelSelector selector = queue.spec().namespaceSelector();
    @Nullable Map<String, String> labels = snapshot.namespaces().get(workload.key().namespace());
    // NotIn and DoesNotExist would match labels that are only not known yet.
    if (labels == null && !LabelSelectors.matchesEverything(selector)) {
      return misconfigured(
          head,
          "the labels of the workload's namespace are not known yet, and the ClusterQueue selects by"
              + " them",
          false);
    }
    if (labels != null && !LabelSelectors.matches(selector, labels)) {
      return misconfigured(head, "workload namespace doesn't match ClusterQueue selector", false);
    }
    Nomination whole = nominated(queue, head, workload.podSets());
    return whole instanceof Nomination.NotAssigned notAssigned
            && snapshot.gates().partialAdmission()
            && PartialAdmission.possible(workload.podSets())
        ? PartialAdmission.most(
                workload.podSets(),
                fewer ->
                    Optional.of(nominated(queue, head, fewer))
                        .filter(nomination -> !(nomination instanceof Nomination.NotAssigned)))
            .orElseGet(() -> refusedWithFewestPods(queue, notAssigned))
        : whole;
  }

  /**
   * The refusal of a Workload that allows fewer pods. If all pods exceed the maximum, the reason
   * for the fewest pods counts, because those may only have to wait.
   */
  private Nomination refusedWithFewestPods(Snapshot.Queue queue, Nomination.NotAssigned whole) {
    return whole.decision().reason().equals(NoFitReason.EXCEEDS_MAX_QUOTA.conditionReason())
        ? nominated(queue, whole.head(), PartialAdmission.fewest(whole.head().workload().podSets()))
        : whole;
  }

  /** Nominates the head with these pods: tries each scope until one leads to a result. */
  private Nomination nominated(
      Snapshot.Queue queue, SchedulingCycle.Head head, List<PodSetDemand> podSets) {
    @Nullable Nomination first = null;
    for (QuotaProjections.SearchScope searchScope : grounds) {
      Nomination found = nominated(searchScope, queue, head, podSets);
      if (validBesideClaims(head, found)) {
        return found;
      }
      first = first == null ? found : first;
    }
    return first instanceof Nomination.NotAssigned
        ? first
        : refused(
            queue,
            head,
            NoFitReason.WAITING_FOR_QUOTA,
            WAITING_FOR_DEFERRED_PREEMPTION,
            Amounts.none(),
            Amounts.none(),
            0);
  }

  /** Whether the nomination is valid whether or not the claims are carried out. */
  private boolean validBesideClaims(SchedulingCycle.Head head, Nomination nomination) {
    return switch (nomination) {
      case Nomination.FitsNow fitsNow ->
          quotaProjections.fits(head.clusterQueue(), fitsNow.usage());
      case Nomination.NeedsPreemption needsPreemption ->
          quotaProjections.fitsWithout(
              needsPreemption.targets(), head.clusterQueue(), needsPreemption.usage());
      case Nomination.NotAssigned notAssigned -> false;
    };
  }

  private Nomination nominated(
      QuotaProjections.SearchScope searchScope,
      Snapshot.Queue queue,
      SchedulingCycle.Head head,
      List<PodSetDemand> podSets) {
    ClusterQueuePreemption policy =
        head.workload().preemptionSuspended()
            ? ClusterQueuePreemption.never()
            : queue.spec().preemption();
    Assignment assignment =
        new FlavorAssigner(
                head.clusterQueue(), queue.spec(), searchScope.quota(), snapshot.flavors())
            .withGates(snapshot.gates())
            .withPreemption(
                (contested, amount) -> simulate(searchScope, head, policy, contested, amount),
                snapshot.preemptionCandidates().settings().fairSharing())
            .assign(podSets, candidate -> useful(searchScope, head, policy, candidate));
    return switch (assignment) {
      case Assignment.Fits fits ->
          tooManyChecks(queue, head, fits.podSets())
              .orElseGet(
                  () ->
                      new Nomination.FitsNow(
                          head,
                          reservation(head, fits.podSets(), fits.usage()),
                          fits.borrowLevel()));
      case Assignment.Preempts preempts -> {
        Preemptor preemptor = preemptor(head, preempts.usage(), preempts.contested());
        List<Target> targets = targets(searchScope, preemptor, policy);
        yield targets.isEmpty()
            ? refused(
                queue,
                head,
                NoFitReason.WAITING_FOR_QUOTA,
                preempts.message(),
                preempts.usage(),
                kept(searchScope.quota(), queue, head, preempts.usage(), preempts.borrowLevel()),
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
              noFit.awaitedQuota(),
              kept(searchScope.quota(), queue, head, noFit.awaitedQuota(), noFit.borrowLevel()),
              noFit.borrowLevel());
    };
  }

  private static Nomination preempts(
      Snapshot.Queue queue,
      SchedulingCycle.Head head,
      Assignment.Preempts assignment,
      Preemptor preemptor,
      List<Target> targets) {
    Decision.ReserveQuota reservation = reservation(head, assignment.podSets(), assignment.usage());
    boolean deferred =
        CheckStrategy.ofAssignment(queue.spec(), reservation.admission()).stream()
            .anyMatch(queue.deferringChecks()::contains);
    return new Nomination.NeedsPreemption(
        head,
        reservation,
        deferred,
        preemptor,
        targets,
        assignment.message(),
        assignment.borrowLevel());
  }

  private static Decision.ReserveQuota reservation(
      SchedulingCycle.Head head, List<PodSetAssignment> podSets, Amounts<FlavorResource> usage) {
    return new Decision.ReserveQuota(
        head.clusterQueue(), head.workload(), new Admission(head.clusterQueue(), podSets), usage);
  }

  private static boolean useful(
      QuotaProjections.SearchScope searchScope,
      SchedulingCycle.Head head,
      ClusterQueuePreemption policy,
      Assignment assignment) {
    return switch (assignment) {
      case Assignment.Fits fits -> true;
      case Assignment.Preempts preempts ->
          !targets(searchScope, preemptor(head, preempts.usage(), preempts.contested()), policy)
              .isEmpty();
      case Assignment.NoFit noFit -> false;
    };
  }

  private static List<Target> targets(
      QuotaProjections.SearchScope searchScope,
      Preemptor preemptor,
      ClusterQueuePreemption policy) {
    return searchScope.candidates().searchIn(searchScope.quota()).targets(preemptor, policy);
  }

  /** Simulates preemption for one amount. */
  private static PreemptionOracle.Simulation simulate(
      QuotaProjections.SearchScope searchScope,
      SchedulingCycle.Head head,
      ClusterQueuePreemption policy,
      FlavorResource contested,
      long amount) {
    String queue = head.clusterQueue();
    List<Target> targets =
        targets(
            searchScope, preemptor(head, Amounts.of(contested, amount), Set.of(contested)), policy);
    QuotaTree.Trial without = searchScope.quota().trial();
    boolean own = false;
    for (Target target : targets) {
      Candidate candidate = target.candidate();
      without.release(candidate.clusterQueue(), candidate.usage());
      own |= candidate.clusterQueue().equals(queue);
    }
    PreemptionOracle.Possibility possibility =
        own ? PreemptionOracle.Possibility.PREEMPT : PreemptionOracle.Possibility.RECLAIM;
    return new PreemptionOracle.Simulation(
        targets.isEmpty() ? PreemptionOracle.Possibility.NO_CANDIDATES : possibility,
        without.borrowLevel(queue, contested, amount));
  }

  /**
   * The quota that is kept for a head that has to wait, because its queue could not reclaim it from
   * queues that borrow it.
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
    Map<FlavorResource, Long> kept = new TreeMap<>();
    wanted
        .asMap()
        .forEach(
            (key, amount) -> {
              long own = quota.subtreeQuota(node, key);
              long most = borrowLevel > 0 ? Amounts.add(own, quota.borrowingLimit(node, key)) : own;
              long free = Amounts.subtract(most, quota.usage(node, key));
              kept.put(key, Math.max(0, Math.min(amount, free)));
            });
    return Amounts.of(kept);
  }

  private static Preemptor preemptor(
      SchedulingCycle.Head head, Amounts<FlavorResource> usage, Set<FlavorResource> contested) {
    QueuedWorkload workload = head.workload();
    return new Preemptor(
        head.clusterQueue(), workload.priority(), workload.queuedSince(), usage, contested);
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
    return new Nomination.NotAssigned(
        head,
        new Decision.Inadmissible(
            head.clusterQueue(),
            head.workload(),
            reason.conditionReason(),
            head.workload().preemptionSuspended() ? message + PREEMPTION_SUSPENDED : message,
            queue.spec().queueingStrategy().equals(QueueingStrategy.STRICT_FIFO)
                && !head.workload().preemptionSuspended()),
        usage,
        kept,
        borrowLevel);
  }

  private static Nomination misconfigured(
      SchedulingCycle.Head head, String message, boolean blocking) {
    return new Nomination.NotAssigned(
        head,
        new Decision.Inadmissible(
            head.clusterQueue(),
            head.workload(),
            WorkloadConditions.MISCONFIGURED,
            message,
            blocking),
        Amounts.none(),
        Amounts.none(),
        0);
  }
}
