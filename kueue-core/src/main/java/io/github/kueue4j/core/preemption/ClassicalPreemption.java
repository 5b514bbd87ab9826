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
 * Preemption by right and priority: a queue takes back what others borrowed from it, and Workloads
 * of a higher priority go before others as far as the policies let them.
 */
final class ClassicalPreemption {
  private final Preemptor preemptor;
  private final Policies policies;
  private final Room room;
  private final Holders holders;
  private final Comparator<Candidate> order;

  ClassicalPreemption(
      Preemptor preemptor,
      Policies policies,
      Room room,
      Holders holders,
      Comparator<Candidate> order) {
    this.preemptor = preemptor;
    this.policies = policies;
    this.room = room;
    this.holders = holders;
    this.order = order;
  }

  /** By what right a candidate may be preempted. */
  private enum Right {
    /** It is in the same ClusterQueue. */
    SAME_QUEUE(PreemptionReason.IN_CLUSTER_QUEUE),
    /** What is asked for is the quota of a subtree that the candidate isn't in. */
    HIERARCHY(PreemptionReason.IN_COHORT_RECLAMATION),
    /** It borrows, and the preemptor wouldn't. */
    NOT_BORROWING(PreemptionReason.IN_COHORT_RECLAMATION),
    /** It borrows, and the preemptor goes before it even if it borrows as well. */
    BORROWING(PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING);

    private final PreemptionReason reason;

    Right(PreemptionReason reason) {
      this.reason = reason;
    }
  }

  /**
   * Somebody who may be preempted.
   *
   * @param commonAncestor the lowest Cohort above both; null in the same ClusterQueue
   */
  private record Prospect(Candidate candidate, Right right, @Nullable NodeId commonAncestor) {
    Target target() {
      return new Target(candidate, right.reason);
    }
  }

  /** The smallest set that makes room; empty if there is none. */
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
    List<InOrder<Prospect>> sequence = sequence(List.of(hierarchical, byPriority, sameQueue));
    for (boolean borrowing : attempts(hierarchical, byPriority)) {
      List<Target> targets = attempt(sequence, borrowing);
      if (!targets.isEmpty()) {
        return targets;
      }
    }
    return List.of();
  }

  /** Who is evicted already comes first; then group by group, each in its order. */
  private List<InOrder<Prospect>> sequence(List<List<Prospect>> groups) {
    List<InOrder<Prospect>> parts = new ArrayList<>();
    for (boolean evicted : new boolean[] {true, false}) {
      for (List<Prospect> group : groups) {
        List<Prospect> part =
            group.stream().filter(prospect -> prospect.candidate().evicted() == evicted).toList();
        parts.add(new InOrder<>(part, Comparator.comparing(Prospect::candidate, order)));
      }
    }
    return parts;
  }

  /** Whether to let the preemptor borrow, in the order to try. */
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
      if (room.trial().usage(queue, key) >= room.trial().subtreeQuota(queue, key)) {
        return false;
      }
    }
    return true;
  }

  private List<Target> attempt(List<InOrder<Prospect>> sequence, boolean borrowing) {
    room.reset();
    List<Target> chosen = new ArrayList<>();
    for (InOrder<Prospect> part : sequence) {
      for (Prospect prospect : part) {
        if (valid(prospect, borrowing)) {
          room.without(prospect.candidate());
          chosen.add(prospect.target());
          if (borrowing ? room.fits() : room.fitsWithinNominal()) {
            return room.fillBack(chosen, borrowing);
          }
        }
      }
    }
    return List.of();
  }

  /** Whether a candidate may be taken after those before it: who borrows no more is left alone. */
  private boolean valid(Prospect prospect, boolean borrowing) {
    NodeId commonAncestor = prospect.commonAncestor();
    if (commonAncestor == null) {
      return true;
    }
    if (borrowing && prospect.right() == Right.NOT_BORROWING) {
      return false;
    }
    String queue = prospect.candidate().clusterQueue();
    if (!room.exceeds(NodeId.queue(queue))) {
      return false;
    }
    for (NodeId cohort : room.trial().ancestors(queue)) {
      if (cohort.equals(commonAncestor)) {
        return true;
      }
      if (!room.exceeds(cohort)) {
        return false;
      }
    }
    return true;
  }

  /** Candidates below every Cohort on the way up, nearest first. */
  private void collectInCohort(List<Prospect> hierarchical, List<Prospect> byPriority) {
    List<NodeId> ancestors = room.trial().ancestors(preemptor.clusterQueue());
    int sufficient = 0;
    for (var entry : preemptor.usage().asMap().entrySet()) {
      NodeId covering =
          room.trial()
              .lowestCovering(preemptor.clusterQueue(), entry.getKey(), entry.getValue())
              .orElse(null);
      // 0 is the queue itself, which is in front of its ancestors.
      sufficient = Math.max(sufficient, covering == null ? 0 : ancestors.indexOf(covering) + 1);
    }
    NodeId before = NodeId.queue(preemptor.clusterQueue());
    for (int i = 0; i < ancestors.size(); i++) {
      NodeId ancestor = ancestors.get(i);
      boolean advantage = sufficient <= i;
      collectBelow(ancestor, ancestor, before, advantage, advantage ? hierarchical : byPriority);
      before = ancestor;
    }
  }

  private void collectBelow(
      NodeId cohort, NodeId commonAncestor, NodeId skipped, boolean advantage, List<Prospect> to) {
    for (NodeId child : room.trial().children(cohort)) {
      // Who is within its quota has nothing that belongs to others.
      if (child.equals(skipped) || !room.exceeds(child)) {
        continue;
      }
      if (child.isCohort()) {
        collectBelow(child, commonAncestor, skipped, advantage, to);
      } else {
        to.addAll(
            prospects(
                child.name(),
                policies::withinCohort,
                candidate -> rightOver(candidate, advantage),
                commonAncestor));
      }
    }
  }

  private Right rightOver(Candidate candidate, boolean advantage) {
    if (advantage) {
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
    for (Candidate candidate : holders.of(queue)) {
      if (preemptor.gainsFrom(candidate) && permitted.test(candidate)) {
        prospects.add(new Prospect(candidate, right.apply(candidate), commonAncestor));
      }
    }
    return prospects;
  }
}
