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
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.scheduler.Assignment;
import io.github.kueue4j.core.scheduler.FlavorAssigner;
import io.github.kueue4j.core.scheduler.SchedulingCycle;
import io.github.kueue4j.core.usage.UsageVector;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the heads of a cycle. A ClusterQueue by itself has one. A Cohort that is an admission
 * scope (KEP-4136) has those of its ClusterQueues that fit into the queue's own quota, plus one of
 * all that stick out: the one that comes first by the usage from below the scope down to the
 * LocalQueue, then by priority and age. Nothing that sticks out passes it.
 *
 * <p>A Cohort inside the scope acts as a queue in which nothing passes the first: what sticks out
 * of its ClusterQueues waits in it, and if the first fits into the Cohort's quota it is a head at
 * once; else it competes one level up.
 */
final class Nominations {
  private final QueueIndex queues;
  private final Catalog catalog;
  private final Quotas quotas;
  private final FairUsage usage;

  /** Those of the last cycle that were nominated for a Cohort, with that Cohort. */
  private final Map<ObjectKey, NodeId> outside = new HashMap<>();

  Nominations(QueueIndex queues, Catalog catalog, Quotas quotas, FairUsage usage) {
    this.queues = queues;
    this.catalog = catalog;
    this.quotas = quotas;
    this.usage = usage;
  }

  /** One that sticks out of what is below. */
  private record Candidate(ClusterQueueEntry queue, QueuedWorkload workload, UsageVector usage) {
    static final Comparator<Candidate> ORDER =
        Comparator.comparing(Candidate::usage).thenComparing(Candidate::workload);

    Candidate under(double more) {
      return new Candidate(queue, workload, usage.under(more));
    }

    boolean refused() {
      return queue.pending.isRefusedOutside(workload);
    }
  }

  /** The heads of all queues that can admit. */
  List<SchedulingCycle.Head> heads(Instant now) {
    outside.clear();
    Round round = new Round(now);
    Set<NodeId> scopes = new LinkedHashSet<>();
    for (ClusterQueueEntry queue : queues.clusterQueues()) {
      if (!queue.health.active()) {
        continue;
      }
      Optional<NodeId> scope = usage.scopeOf(queue);
      queue.pending.serveByLocalQueue(scope.isPresent());
      if (scope.filter(NodeId::isCohort).isPresent()) {
        scopes.add(scope.get());
      } else {
        queue.behindInScope = null;
        queue.pending.head(round::used).ifPresent(head -> round.nominate(queue, head));
      }
    }
    for (NodeId scope : scopes) {
      int before = round.heads.size();
      Optional<Candidate> first = round.firstOf(scope);
      // What needs nothing from others goes first, so that nobody borrows it away in the same
      // cycle.
      if (round.heads.size() == before) {
        first.ifPresent(candidate -> round.nominateFor(scope, candidate));
      }
    }
    return round.heads;
  }

  /**
   * The Cohort for which a head of the last cycle was nominated, as it doesn't fit into the quota
   * of its ClusterQueue; empty if it was nominated by its own queue.
   */
  Optional<NodeId> nominatedFor(QueuedWorkload head) {
    return Optional.ofNullable(outside.get(head.key()));
  }

  /**
   * The choice of the heads of one cycle. Where something below a Cohort is a head at once, the
   * Cohort's own turn comes in the next cycle: it may look different then.
   */
  private final class Round {
    private final Instant now;
    private final QuotaTree tree = quotas.tree();
    final List<SchedulingCycle.Head> heads = new ArrayList<>();

    Round(Instant now) {
      this.now = now;
    }

    double used(ObjectKey localQueue) {
      return usage.of(localQueue, now);
    }

    void nominate(ClusterQueueEntry queue, QueuedWorkload head) {
      heads.add(new SchedulingCycle.Head(queue.name, head));
    }

    /** Makes the first of a Cohort a head, unless it was refused and nothing has changed since. */
    void nominateFor(NodeId cohort, Candidate first) {
      if (!first.refused()) {
        outside.put(first.workload().key(), cohort);
        nominate(first.queue(), first.workload());
      }
    }

    /** The first of those that stick out of what is directly below a Cohort. */
    Optional<Candidate> firstOf(NodeId cohort) {
      return tree.children(cohort).stream()
          .flatMap(
              child ->
                  (child.isCohort() ? stickingOutOfCohort(child) : stickingOutOfQueue(child.name()))
                      .stream())
          .min(Candidate.ORDER);
    }

    private Optional<Candidate> stickingOutOfCohort(NodeId cohort) {
      int before = heads.size();
      Optional<Candidate> first = firstOf(cohort);
      if (heads.size() > before) {
        return Optional.empty();
      }
      if (first.isPresent() && fits(cohort, first.get().queue(), first.get().workload())) {
        nominateFor(cohort, first.get());
        return Optional.empty();
      }
      return first.map(candidate -> candidate.under(usage.ofCohort(cohort, now)));
    }

    private Optional<Candidate> stickingOutOfQueue(String name) {
      return queues
          .clusterQueue(name)
          .filter(queue -> queue.health.active())
          .flatMap(queue -> queue.strict() ? firstOfStrict(queue) : firstOfBestEffort(queue))
          .map(candidate -> candidate.under(usage.of(ObjectKey.cluster(name), now)));
    }

    /** Nothing passes the first, wherever that waits. */
    private Optional<Candidate> firstOfStrict(ClusterQueueEntry queue) {
      QueuedWorkload first = queue.pending.first(this::used).orElse(null);
      if (first == null || queue.pending.isBlockedBy(first)) {
        return Optional.empty();
      }
      if (!queue.pending.isOutside(first)) {
        if (fits(NodeId.queue(queue.name), queue, first)) {
          nominate(queue, first);
          return Optional.empty();
        }
        queue.pending.putOutside(first);
      }
      return Optional.of(candidate(queue, first));
    }

    /**
     * What fits into the queue's own quota passes what sticks out of it. A preemptor whose victims
     * are still there holds up the queue.
     */
    private Optional<Candidate> firstOfBestEffort(ClusterQueueEntry queue) {
      Optional<QueuedWorkload> open = queue.pending.firstOpen(this::used);
      while (open.isPresent()) {
        if (queue.pending.isBlockedBy(open.get())) {
          return Optional.empty();
        }
        if (fits(NodeId.queue(queue.name), queue, open.get())) {
          nominate(queue, open.get());
          break;
        }
        queue.pending.putOutside(open.get());
        open = queue.pending.firstOpen(this::used);
      }
      return queue.pending.firstOutside(this::used).map(first -> candidate(queue, first));
    }

    private Candidate candidate(ClusterQueueEntry queue, QueuedWorkload workload) {
      return new Candidate(queue, workload, UsageVector.NONE.then(used(workload.localQueueKey())));
    }

    /** Whether a Workload needs nothing from above a node, be the node's quota lent out or not. */
    private boolean fits(NodeId node, ClusterQueueEntry queue, QueuedWorkload workload) {
      ClusterQueueSpec spec = queue.object == null ? null : queue.object.spec();
      return spec != null
          && new FlavorAssigner(queue.name, spec, tree.rootedAt(node), catalog.flavors())
                  .assign(workload.podSets())
              instanceof Assignment.Fits;
    }
  }
}
