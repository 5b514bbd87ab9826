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
 * Preemption-based fair sharing (KEP-1714): takes from whoever has the largest share, as long as
 * that makes the shares more equal. Shares count the incoming Workload and are compared where the
 * two queues' ways to the root part.
 */
final class FairSharingPreemption {
  private final Preemptor preemptor;
  private final Policies policies;
  private final Room room;
  private final Holders holders;
  private final Comparator<Candidate> order;
  private final PreemptionSettings settings;
  private final List<Target> chosen = new ArrayList<>();

  FairSharingPreemption(
      Preemptor preemptor,
      Policies policies,
      Room room,
      Holders holders,
      Comparator<Candidate> order,
      PreemptionSettings settings) {
    this.preemptor = preemptor;
    this.policies = policies;
    this.room = room;
    this.holders = holders;
    this.order = order;
    this.settings = settings;
  }

  /** The smallest set that makes room; empty if there is none. */
  List<Target> targets() {
    Collection<Candidate> candidates = candidates();
    room.withPreemptor();
    List<Candidate> refused = new ArrayList<>();
    boolean fits = first(candidates, refused);
    if (!fits && settings.strategies().size() > 1) {
      fits = second(refused);
    }
    room.withoutPreemptor();
    return fits ? room.fillBack(chosen, true) : List.of();
  }

  private Collection<Candidate> candidates() {
    List<Candidate> candidates = new ArrayList<>();
    String own = preemptor.clusterQueue();
    for (Candidate candidate : policies.preemptsWithin() ? holders.of(own) : List.<Candidate>of()) {
      if (preemptor.gainsFrom(candidate) && policies.withinClusterQueue(candidate)) {
        candidates.add(candidate);
      }
    }
    if (policies.reclaims()) {
      for (String queue : room.trial().queuesUnder(room.trial().rootOf(own))) {
        if (!queue.equals(own) && room.exceeds(NodeId.queue(queue))) {
          for (Candidate candidate : holders.of(queue)) {
            if (preemptor.gainsFrom(candidate) && policies.withinCohort(candidate)) {
              candidates.add(candidate);
            }
          }
        }
      }
    }
    return candidates;
  }

  /** Goes by the first strategy; true once the preemptor fits. */
  private boolean first(Collection<Candidate> candidates, List<Candidate> refused) {
    Walk walk = new Walk(candidates);
    boolean free =
        settings.withinNominalIsFree() && !room.exceeds(NodeId.queue(preemptor.clusterQueue()));
    for (Optional<String> next = walk.next(); next.isPresent(); next = walk.next()) {
      String queue = next.get();
      if (queue.equals(preemptor.clusterQueue())) {
        if (take(walk.pop(queue), PreemptionReason.IN_CLUSTER_QUEUE)) {
          return true;
        }
      } else if (free) {
        if (take(walk.pop(queue), PreemptionReason.IN_COHORT_RECLAMATION)) {
          return true;
        }
      } else if (takeFirstPermitted(walk, queue, refused)) {
        return true;
      }
    }
    return false;
  }

  /** Takes one Workload of a queue, after which another queue's share may be the largest. */
  private boolean takeFirstPermitted(Walk walk, String queue, List<Candidate> refused) {
    Parting parting = new Parting(queue);
    DominantShare preemptorShare = room.trial().dominantShare(parting.preemptorSide());
    DominantShare before = room.trial().dominantShare(parting.targetSide());
    while (walk.has(queue)) {
      Candidate candidate = walk.pop(queue);
      room.without(candidate);
      DominantShare after = room.trial().dominantShare(parting.targetSide());
      room.with(candidate);
      if (settings.strategies().getFirst().permits(preemptorShare, before, after)) {
        return take(candidate, PreemptionReason.IN_COHORT_FAIR_SHARING);
      }
      refused.add(candidate);
    }
    return false;
  }

  /** Goes by the second strategy over what the first left, one Workload per queue at most. */
  private boolean second(List<Candidate> candidates) {
    Walk walk = new Walk(candidates);
    for (Optional<String> next = walk.next(); next.isPresent(); next = walk.next()) {
      String queue = next.get();
      Parting parting = new Parting(queue);
      DominantShare preemptorShare = room.trial().dominantShare(parting.preemptorSide());
      DominantShare before = room.trial().dominantShare(parting.targetSide());
      if (settings.strategies().get(1).permits(preemptorShare, before, before)
          && take(walk.pop(queue), PreemptionReason.IN_COHORT_FAIR_SHARING)) {
        return true;
      }
      walk.drop(queue);
    }
    return false;
  }

  /** Takes a candidate out; whether the preemptor fits then. */
  private boolean take(Candidate candidate, PreemptionReason reason) {
    room.without(candidate);
    chosen.add(new Target(candidate, reason));
    room.withoutPreemptor();
    boolean fits = room.fits();
    room.withPreemptor();
    return fits;
  }

  /** Where the ways of the preemptor's and another queue to their root part. */
  private final class Parting {
    private final NodeId preemptorSide;
    private final NodeId targetSide;

    Parting(String target) {
      List<NodeId> own = way(preemptor.clusterQueue());
      List<NodeId> other = way(target);
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

  private List<NodeId> way(String queue) {
    List<NodeId> way = new ArrayList<>();
    way.add(NodeId.queue(queue));
    way.addAll(room.trial().ancestors(queue));
    return way;
  }

  /** Finds the queue to take from next: from the root down to the child with the largest share. */
  private final class Walk {
    private final Map<String, Queue<Candidate>> waiting = new HashMap<>();
    private final Set<NodeId> pruned = new HashSet<>();
    private final Set<NodeId> ownWay;
    private final NodeId root;

    Walk(Collection<Candidate> candidates) {
      for (Candidate candidate : candidates) {
        of(candidate.clusterQueue()).add(candidate);
      }
      this.ownWay = Set.copyOf(way(preemptor.clusterQueue()));
      this.root = room.trial().rootOf(preemptor.clusterQueue());
    }

    boolean has(String queue) {
      return !of(queue).isEmpty();
    }

    Candidate pop(String queue) {
      return of(queue).remove();
    }

    private Queue<Candidate> of(String queue) {
      return waiting.computeIfAbsent(queue, name -> new PriorityQueue<>(order));
    }

    void drop(String queue) {
      waiting.remove(queue);
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

    /** A Cohort goes before a queue with the same share. */
    private @Nullable NodeId largestChild(NodeId cohort) {
      QuotaTree.Trial trial = room.trial();
      NodeId best = null;
      DominantShare bestShare = null;
      for (NodeId child : trial.children(cohort)) {
        if (pruned.contains(child)) {
          continue;
        }
        DominantShare share = trial.dominantShare(child);
        boolean empty = !child.isCohort() && !has(child.name());
        if (empty || (!share.borrows() && !ownWay.contains(child))) {
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
      // Children come Cohorts first, so both are queues: whose candidate would go first.
      return order.compare(of(child.name()).element(), of(best.name()).element()) < 0;
    }
  }
}
