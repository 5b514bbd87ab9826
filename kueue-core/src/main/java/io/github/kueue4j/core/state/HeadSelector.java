// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
 * Selects the heads of a cycle. A ClusterQueue without admission scope has one head. A Cohort that
 * is an admission scope (KEP-4136) has the heads of its ClusterQueues that fit into their queue's
 * own quota, and one of the Workloads that exceed it: the first by the usage from below the scope
 * down to the LocalQueue, then by priority and age. No other Workload that exceeds its queue's
 * quota passes that one.
 *
 * <p>A Cohort inside the scope acts as a StrictFIFO queue of the Workloads that exceed the quotas
 * of its ClusterQueues. If the first of them fits into the Cohort's quota, it is a head at once;
 * otherwise it competes one level up.
 */
final class HeadSelector {
  private final QueueIndex queues;
  private final Catalog catalog;
  private final Quotas quotas;
  private final FairUsage usage;

  /** The heads of the last cycle that were selected for a Cohort, with that Cohort. */
  private final Map<ObjectKey, NodeId> scopes = new HashMap<>();

  HeadSelector(SchedulingBooks books) {
    this.queues = books.queues();
    this.catalog = books.catalog();
    this.quotas = books.quotas();
    this.usage = books.usage();
  }

  /**
   * A Workload that exceeds the quota of its queue, and of the Cohorts between that and the level
   * at which it competes.
   *
   * @param usage of the LocalQueue, and of each level above it
   */
  private record Borrower(ClusterQueueEntry queue, QueuedWorkload workload, UsageVector usage) {
    static final Comparator<Borrower> ORDER =
        Comparator.comparing(Borrower::usage).thenComparing(Borrower::workload);

    Borrower under(double usageOfParent) {
      return new Borrower(queue, workload, usage.under(usageOfParent));
    }

    boolean refused() {
      return queue.pending.isScopeBlockedBy(workload);
    }
  }

  /** The heads of all queues that can admit. */
  List<SchedulingCycle.Head> select(Instant now) {
    scopes.clear();
    Selection selection = new Selection(now);
    Set<NodeId> cohorts = new LinkedHashSet<>();
    for (ClusterQueueEntry queue : queues.mayHaveHeads()) {
      if (!queue.health.active()) {
        continue;
      }
      Optional<NodeId> scope = usage.scopeOf(queue);
      queue.pending.serveByLocalQueue(scope.isPresent());
      if (scope.filter(NodeId::isCohort).isPresent()) {
        cohorts.add(scope.get());
      } else {
        queue.reasons.behindInScope = null;
        queue
            .pending
            .head(selection::used)
            .ifPresentOrElse(
                head -> selection.add(queue, head),
                () -> {
                  if (scope.isEmpty()) {
                    // With a scope, usage decides too, and changes by itself.
                    queues.exhausted(queue);
                  }
                });
      }
    }
    for (NodeId cohort : cohorts) {
      int before = selection.heads.size();
      Optional<Borrower> first = selection.firstOf(cohort);
      // Workloads that fit into their queue's own quota go first, so that no Workload borrows that
      // quota in the same cycle.
      if (selection.heads.size() == before) {
        first.ifPresent(borrower -> selection.addFor(cohort, borrower));
      }
    }
    return selection.heads;
  }

  /**
   * The Cohort for which a head of the last cycle was selected, since it exceeds the quota of its
   * ClusterQueue; empty if it was selected for its queue alone.
   */
  Optional<NodeId> scopeOf(QueuedWorkload head) {
    return Optional.ofNullable(scopes.get(head.key()));
  }

  /**
   * The selection for one cycle. If a Workload below a Cohort is a head at once, the Cohort itself
   * is considered in the next cycle, when its quota may be another one.
   */
  private final class Selection {
    private final Instant now;
    private final QuotaTree tree = quotas.tree();
    final List<SchedulingCycle.Head> heads = new ArrayList<>();

    Selection(Instant now) {
      this.now = now;
    }

    double used(ObjectKey localQueue) {
      return usage.of(localQueue, now);
    }

    void add(ClusterQueueEntry queue, QueuedWorkload head) {
      heads.add(
          new SchedulingCycle.Head(queue.name, head, false, queue.pending.hasUntriedBeside(head)));
    }

    /** Makes the first of a Cohort a head, unless it was refused and nothing has changed since. */
    void addFor(NodeId cohort, Borrower first) {
      if (!first.refused()) {
        scopes.put(first.workload().key(), cohort);
        add(first.queue(), first.workload());
      }
    }

    /** The first Workload that exceeds the quota of its child of a Cohort. */
    Optional<Borrower> firstOf(NodeId cohort) {
      return tree.children(cohort).stream()
          .flatMap(
              child ->
                  (child.isCohort() ? firstBeyondCohort(child) : firstBeyondQueue(child.name()))
                      .stream())
          .min(Borrower.ORDER);
    }

    private Optional<Borrower> firstBeyondCohort(NodeId cohort) {
      int before = heads.size();
      Optional<Borrower> first = firstOf(cohort);
      if (heads.size() > before) {
        return Optional.empty();
      }
      if (first.isPresent() && fits(cohort, first.get().queue(), first.get().workload())) {
        addFor(cohort, first.get());
        return Optional.empty();
      }
      return first.map(borrower -> borrower.under(usage.ofCohort(cohort, now)));
    }

    private Optional<Borrower> firstBeyondQueue(String name) {
      return queues
          .clusterQueue(name)
          .filter(queue -> queue.health.active())
          .flatMap(queue -> queue.strict() ? firstOfStrict(queue) : firstOfBestEffort(queue))
          .map(borrower -> borrower.under(usage.of(ObjectKey.cluster(name), now)));
    }

    /** No Workload passes the first, whether that fits into the queue's own quota or not. */
    private Optional<Borrower> firstOfStrict(ClusterQueueEntry queue) {
      QueuedWorkload first = queue.pending.first(this::used).orElse(null);
      if (first == null || queue.pending.isBlockedBy(first)) {
        return Optional.empty();
      }
      if (!queue.pending.exceedsNominal(first)) {
        if (fits(NodeId.queue(queue.name), queue, first)) {
          add(queue, first);
          return Optional.empty();
        }
        queue.pending.markExceedsNominal(first);
      }
      return Optional.of(borrower(queue, first));
    }

    /**
     * Workloads that fit into the queue's own quota pass those that exceed it. A preemptor whose
     * victims still hold quota holds up the queue.
     */
    private Optional<Borrower> firstOfBestEffort(ClusterQueueEntry queue) {
      Optional<QueuedWorkload> open = queue.pending.firstUntried(this::used);
      while (open.isPresent()) {
        if (queue.pending.isBlockedBy(open.get())) {
          return Optional.empty();
        }
        if (fits(NodeId.queue(queue.name), queue, open.get())) {
          add(queue, open.get());
          break;
        }
        queue.pending.markExceedsNominal(open.get());
        open = queue.pending.firstUntried(this::used);
      }
      return queue.pending.firstExceedingNominal(this::used).map(first -> borrower(queue, first));
    }

    private Borrower borrower(ClusterQueueEntry queue, QueuedWorkload workload) {
      return new Borrower(queue, workload, UsageVector.NONE.then(used(workload.localQueueKey())));
    }

    /** Whether a Workload fits into the quota of a node alone, even if that is lent out. */
    private boolean fits(NodeId node, ClusterQueueEntry queue, QueuedWorkload workload) {
      ClusterQueueSpec spec = queue.object == null ? null : queue.object.spec();
      return spec != null
          && new FlavorAssigner(queue.name, spec, tree.rootedAt(node), catalog.flavors())
                  .assign(workload.podSets())
              instanceof Assignment.Fits;
    }
  }
}
