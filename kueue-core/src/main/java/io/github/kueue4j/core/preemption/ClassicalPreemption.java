// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Preemption without fair sharing: a queue reclaims quota that other queues borrowed, and a
 * Workload preempts others of a lower priority where the policies permit it.
 */
final class ClassicalPreemption {
  private final Preemptor preemptor;
  private final Policies policies;
  private final PreemptionSimulation preemptionSimulation;
  private final QuotaHolders quotaHolders;
  private final Comparator<Candidate> order;

  ClassicalPreemption(
      Preemptor preemptor,
      Policies policies,
      PreemptionSimulation preemptionSimulation,
      QuotaHolders quotaHolders,
      Comparator<Candidate> order) {
    this.preemptor = preemptor;
    this.policies = policies;
    this.preemptionSimulation = preemptionSimulation;
    this.quotaHolders = quotaHolders;
    this.order = order;
  }

  /** The rule by which a candidate may be preempted. */
  private enum Right {
    /** It is in the same ClusterQueue. */
    SAME_QUEUE(PreemptionReason.IN_CLUSTER_QUEUE),
    /** The preemptor's request fits the quota of a subtree that doesn't contain the candidate. */
    HIERARCHY(PreemptionReason.IN_COHORT_RECLAMATION),
    /** The candidate's queue borrows, and the preemptor's would not. */
    NOT_BORROWING(PreemptionReason.IN_COHORT_RECLAMATION),
    /**
     * The candidate's queue borrows, and the preemptor may preempt it even if its own queue
     * borrows.
     */
    BORROWING(PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING);

    private final PreemptionReason reason;

    Right(PreemptionReason reason) {
      this.reason = reason;
    }
  }

  /**
   * A candidate with the rule by which it may be preempted.
   *
   * @param commonAncestor the lowest Cohort above both queues; null in the same ClusterQueue
   */
  private record Prospect(Candidate candidate, Right right, @Nullable NodeId commonAncestor) {
    Target target() {
      return new Target(candidate, right.reason);
    }
  }

  /** A minimal set of targets whose quota makes the preemptor fit; empty if there is none. */
  List<Target> targets() {
    List<Prospect> hierarchical = new ArrayList<>();
    List<Prospect> byPriority = new ArrayList<>();
    if (policies.reclaims()) {
      collectInCohort(hierarchical, byPriority);
    }
    List<Prospect> sameQueue =
        policies.preemptsWithin()
            ? prospects(
                preemptor.clusterQueue(),
                policies::withinClusterQueue,
                candidate -> Right.SAME_QUEUE,
                null)
            : List.of();
    List<LazySorted<Prospect>> sequence = sequence(List.of(hierarchical, byPriority, sameQueue));
    for (boolean borrowing : attempts(hierarchical, byPriority)) {
      List<Target> targets = attempt(sequence, borrowing);
      if (!targets.isEmpty()) {
        return targets;
      }
    }
    return List.of();
  }

  /** Candidates that are being evicted come first; then group by group, each in its order. */
  private List<LazySorted<Prospect>> sequence(List<List<Prospect>> groups) {
    List<LazySorted<Prospect>> parts = new ArrayList<>();
    for (boolean evicted : new boolean[] {true, false}) {
      for (List<Prospect> group : groups) {
        List<Prospect> part =
            group.stream().filter(prospect -> prospect.candidate().evicted() == evicted).toList();
        parts.add(new LazySorted<>(part, Comparator.comparing(Prospect::candidate, order)));
      }
    }
    return parts;
  }

  /** The attempts in their order; true lets the preemptor borrow. */
  private boolean[] attempts(List<Prospect> hierarchical, List<Prospect> byPriority) {
    boolean onlyOwnQueue = hierarchical.isEmpty() && byPriority.isEmpty();
    if (onlyOwnQueue || (!policies.mayBorrow() && !strictlyUnderNominal())) {
      return new boolean[] {true};
    }
    return !policies.mayBorrow() && hierarchical.isEmpty()
        ? new boolean[] {false, true}
        : new boolean[] {true, false};
  }

  private boolean strictlyUnderNominal() {
    NodeId queue = NodeId.queue(preemptor.clusterQueue());
    for (FlavorResource key : preemptor.contested()) {
      if (preemptionSimulation.trial().usage(queue, key)
          >= preemptionSimulation.trial().subtreeQuota(queue, key)) {
        return false;
      }
    }
    return true;
  }

  private List<Target> attempt(List<LazySorted<Prospect>> sequence, boolean borrowing) {
    preemptionSimulation.reset();
    List<Target> chosen = new ArrayList<>();
    for (LazySorted<Prospect> part : sequence) {
      for (Prospect prospect : part) {
        if (valid(prospect, borrowing)) {
          preemptionSimulation.without(prospect.candidate());
          chosen.add(prospect.target());
          if (borrowing ? preemptionSimulation.fits() : preemptionSimulation.fitsWithinNominal()) {
            return preemptionSimulation.minimize(chosen, borrowing);
          }
        }
      }
    }
    return List.of();
  }

  /**
   * Whether a candidate may still be preempted: not if its queue or a Cohort of it no longer
   * borrows.
   */
  private boolean valid(Prospect prospect, boolean borrowing) {
    NodeId commonAncestor = prospect.commonAncestor();
    if (commonAncestor == null) {
      return true;
    }
    if (borrowing && prospect.right() == Right.NOT_BORROWING) {
      return false;
    }
    String queue = prospect.candidate().clusterQueue();
    if (!preemptionSimulation.exceeds(NodeId.queue(queue))) {
      return false;
    }
    for (NodeId cohort : preemptionSimulation.trial().ancestors(queue)) {
      if (cohort.equals(commonAncestor)) {
        return true;
      }
      if (!preemptionSimulation.exceeds(cohort)) {
        return false;
      }
    }
    return true;
  }

  /** Collects the candidates below each of the preemptor's ancestors, nearest first. */
  private void collectInCohort(List<Prospect> hierarchical, List<Prospect> byPriority) {
    List<NodeId> ancestors = preemptionSimulation.trial().ancestors(preemptor.clusterQueue());
    int lowestSufficient = 0;
    for (var entry : preemptor.usage().asMap().entrySet()) {
      NodeId covering =
          preemptionSimulation
              .trial()
              .lowestCovering(preemptor.clusterQueue(), entry.getKey(), entry.getValue())
              .orElse(null);
      // 0 stands for the queue itself, 1 for the first ancestor.
      lowestSufficient =
          Math.max(lowestSufficient, covering == null ? 0 : ancestors.indexOf(covering) + 1);
    }
    NodeId before = NodeId.queue(preemptor.clusterQueue());
    for (int i = 0; i < ancestors.size(); i++) {
      NodeId ancestor = ancestors.get(i);
      boolean withinSubtreeQuota = lowestSufficient <= i;
      collectBelow(
          ancestor,
          ancestor,
          before,
          withinSubtreeQuota,
          withinSubtreeQuota ? hierarchical : byPriority);
      before = ancestor;
    }
  }

  private void collectBelow(
      NodeId cohort,
      NodeId commonAncestor,
      NodeId skipped,
      boolean withinSubtreeQuota,
      List<Prospect> to) {
    for (NodeId child : preemptionSimulation.trial().children(cohort)) {
      // A subtree within its quota has borrowed nothing.
      if (child.equals(skipped) || !preemptionSimulation.exceeds(child)) {
        continue;
      }
      if (child.isCohort()) {
        collectBelow(child, commonAncestor, skipped, withinSubtreeQuota, to);
      } else {
        to.addAll(
            prospects(
                child.name(),
                policies::withinCohort,
                candidate -> rightToPreempt(candidate, withinSubtreeQuota),
                commonAncestor));
      }
    }
  }

  private Right rightToPreempt(Candidate candidate, boolean withinSubtreeQuota) {
    if (withinSubtreeQuota) {
      return Right.HIERARCHY;
    }
    return policies.whileBorrowing(candidate) ? Right.BORROWING : Right.NOT_BORROWING;
  }

  private List<Prospect> prospects(
      String queue,
      Predicate<Candidate> permitted,
      Function<Candidate, Right> right,
      @Nullable NodeId commonAncestor) {
    List<Prospect> prospects = new ArrayList<>();
    for (Candidate candidate : quotaHolders.of(queue)) {
      if (preemptor.isHelpedBy(candidate) && permitted.test(candidate)) {
        prospects.add(new Prospect(candidate, right.apply(candidate), commonAncestor));
      }
    }
    return prospects;
  }
}
