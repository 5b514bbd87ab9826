// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.core.quota.DominantShare;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Preemption-based fair sharing (KEP-1714): preempts Workloads of the queue with the largest share
 * as long as that makes the shares more equal. Shares count the incoming Workload and are compared
 * just below the lowest common ancestor of the two queues.
 */
final class FairSharingPreemption {
  private final Preemptor preemptor;
  private final Policies policies;
  private final PreemptionSimulation preemptionSimulation;
  private final QuotaHolders quotaHolders;
  private final Comparator<Candidate> order;
  private final PreemptionSettings settings;
  private final List<Target> chosen = new ArrayList<>();

  FairSharingPreemption(
      Preemptor preemptor,
      Policies policies,
      PreemptionSimulation preemptionSimulation,
      QuotaHolders quotaHolders,
      Comparator<Candidate> order,
      PreemptionSettings settings) {
    this.preemptor = preemptor;
    this.policies = policies;
    this.preemptionSimulation = preemptionSimulation;
    this.quotaHolders = quotaHolders;
    this.order = order;
    this.settings = settings;
  }

  /** A minimal set of targets whose quota makes the preemptor fit; empty if there is none. */
  List<Target> targets() {
    Collection<Candidate> candidates = candidates();
    if (candidates.isEmpty()) {
      return List.of();
    }
    preemptionSimulation.withPreemptor();
    List<Candidate> refused = new ArrayList<>();
    boolean fits = applyFirstStrategy(candidates, refused);
    if (!fits && settings.strategies().size() > 1) {
      fits = applySecondStrategy(refused);
    }
    preemptionSimulation.withoutPreemptor();
    return fits ? preemptionSimulation.minimize(chosen, true) : List.of();
  }

  private Collection<Candidate> candidates() {
    List<Candidate> candidates = new ArrayList<>();
    String own = preemptor.clusterQueue();
    for (Candidate candidate :
        policies.preemptsWithin() ? quotaHolders.of(own) : List.<Candidate>of()) {
      if (preemptor.isHelpedBy(candidate) && policies.withinClusterQueue(candidate)) {
        candidates.add(candidate);
      }
    }
    if (policies.reclaims()) {
      for (String queue :
          preemptionSimulation.trial().queuesUnder(preemptionSimulation.trial().rootOf(own))) {
        if (!queue.equals(own) && preemptionSimulation.exceeds(NodeId.queue(queue))) {
          for (Candidate candidate : quotaHolders.of(queue)) {
            if (preemptor.isHelpedBy(candidate) && policies.withinCohort(candidate)) {
              candidates.add(candidate);
            }
          }
        }
      }
    }
    return candidates;
  }

  /** Applies the first strategy; true once the preemptor fits. */
  private boolean applyFirstStrategy(Collection<Candidate> candidates, List<Candidate> refused) {
    QueuesByShare queues = new QueuesByShare(candidates);
    boolean free =
        settings.withinNominalIsFree()
            && !preemptionSimulation.exceeds(NodeId.queue(preemptor.clusterQueue()));
    for (Optional<String> next = queues.next(); next.isPresent(); next = queues.next()) {
      String queue = next.get();
      if (queue.equals(preemptor.clusterQueue())) {
        if (take(queues.pop(queue), PreemptionReason.IN_CLUSTER_QUEUE)) {
          return true;
        }
      } else if (free) {
        if (take(queues.pop(queue), PreemptionReason.IN_COHORT_RECLAMATION)) {
          return true;
        }
      } else if (takeFirstPermitted(queues, queue, refused)) {
        return true;
      }
    }
    return false;
  }

  /** Preempts one Workload of a queue; afterwards another queue's share may be the largest. */
  private boolean takeFirstPermitted(QueuesByShare queues, String queue, List<Candidate> refused) {
    BelowCommonAncestor sides = new BelowCommonAncestor(queue);
    DominantShare preemptorShare =
        preemptionSimulation.trial().dominantShare(sides.preemptorSide());
    DominantShare before = preemptionSimulation.trial().dominantShare(sides.targetSide());
    while (queues.has(queue)) {
      Candidate candidate = queues.pop(queue);
      preemptionSimulation.without(candidate);
      DominantShare after = preemptionSimulation.trial().dominantShare(sides.targetSide());
      preemptionSimulation.with(candidate);
      if (settings.strategies().getFirst().permits(preemptorShare, before, after)) {
        return take(candidate, PreemptionReason.IN_COHORT_FAIR_SHARING);
      }
      refused.add(candidate);
    }
    return false;
  }

  /**
   * Applies the second strategy to the candidates that the first refused, at most one per queue.
   */
  private boolean applySecondStrategy(List<Candidate> candidates) {
    QueuesByShare queues = new QueuesByShare(candidates);
    for (Optional<String> next = queues.next(); next.isPresent(); next = queues.next()) {
      String queue = next.get();
      BelowCommonAncestor sides = new BelowCommonAncestor(queue);
      DominantShare preemptorShare =
          preemptionSimulation.trial().dominantShare(sides.preemptorSide());
      DominantShare before = preemptionSimulation.trial().dominantShare(sides.targetSide());
      if (settings.strategies().get(1).permits(preemptorShare, before, before)
          && take(queues.pop(queue), PreemptionReason.IN_COHORT_FAIR_SHARING)) {
        return true;
      }
      queues.drop(queue);
    }
    return false;
  }

  /** Adds a candidate to the targets; returns whether the preemptor fits then. */
  private boolean take(Candidate candidate, PreemptionReason reason) {
    preemptionSimulation.without(candidate);
    chosen.add(new Target(candidate, reason));
    preemptionSimulation.withoutPreemptor();
    boolean fits = preemptionSimulation.fits();
    preemptionSimulation.withPreemptor();
    return fits;
  }

  /** The two children of the lowest common ancestor of the preemptor's and another queue. */
  private final class BelowCommonAncestor {
    private final NodeId preemptorSide;
    private final NodeId targetSide;

    BelowCommonAncestor(String target) {
      List<NodeId> own = path(preemptor.clusterQueue());
      List<NodeId> other = path(target);
      int fromRoot = 1;
      while (fromRoot < own.size()
          && fromRoot < other.size()
          && own.get(own.size() - 1 - fromRoot).equals(other.get(other.size() - 1 - fromRoot))) {
        fromRoot++;
      }
      this.preemptorSide = own.get(own.size() - 1 - fromRoot);
      this.targetSide = other.get(other.size() - 1 - fromRoot);
    }

    NodeId preemptorSide() {
      return preemptorSide;
    }

    NodeId targetSide() {
      return targetSide;
    }
  }

  private List<NodeId> path(String queue) {
    List<NodeId> path = new ArrayList<>();
    path.add(NodeId.queue(queue));
    path.addAll(preemptionSimulation.trial().ancestors(queue));
    return path;
  }

  /**
   * Finds the next queue to preempt from: from the root, always the child with the largest share.
   */
  private final class QueuesByShare {
    private final Map<String, Queue<Candidate>> candidatesByQueue = new HashMap<>();
    private final Set<NodeId> pruned = new HashSet<>();
    private final Set<NodeId> ownPath;
    private final NodeId root;

    QueuesByShare(Collection<Candidate> candidates) {
      for (Candidate candidate : candidates) {
        of(candidate.clusterQueue()).add(candidate);
      }
      this.ownPath = Set.copyOf(path(preemptor.clusterQueue()));
      this.root = preemptionSimulation.trial().rootOf(preemptor.clusterQueue());
    }

    boolean has(String queue) {
      return !of(queue).isEmpty();
    }

    Candidate pop(String queue) {
      return of(queue).remove();
    }

    private Queue<Candidate> of(String queue) {
      return candidatesByQueue.computeIfAbsent(queue, name -> new PriorityQueue<>(order));
    }

    void drop(String queue) {
      candidatesByQueue.remove(queue);
    }

    Optional<String> next() {
      if (!root.isCohort()) {
        return has(root.name()) ? Optional.of(root.name()) : Optional.empty();
      }
      while (!pruned.contains(root)) {
        NodeId node = root;
        while (node.isCohort()) {
          NodeId largest = largestChild(node);
          if (largest == null) {
            pruned.add(node);
            break;
          }
          node = largest;
        }
        if (!node.isCohort()) {
          return Optional.of(node.name());
        }
      }
      return Optional.empty();
    }

    /** The child with the largest share; a Cohort precedes a queue with the same share. */
    private @Nullable NodeId largestChild(NodeId cohort) {
      QuotaTree.Trial trial = preemptionSimulation.trial();
      NodeId best = null;
      DominantShare bestShare = null;
      for (NodeId child : trial.children(cohort)) {
        if (pruned.contains(child)) {
          continue;
        }
        DominantShare share = trial.dominantShare(child);
        boolean empty = !child.isCohort() && !has(child.name());
        if (empty || (!share.borrows() && !ownPath.contains(child))) {
          pruned.add(child);
          continue;
        }
        if (best == null || bestShare == null || better(child, share, best, bestShare)) {
          best = child;
          bestShare = share;
        }
      }
      return best;
    }

    private boolean better(
        NodeId child, DominantShare share, NodeId best, DominantShare bestShare) {
      int compared = share.compareTo(bestShare);
      if (compared != 0 || best.isCohort()) {
        return compared > 0;
      }
      // Cohorts come first among children, so both are queues: compare their first candidates.
      return order.compare(of(child.name()).element(), of(best.name()).element()) < 0;
    }
  }
}
