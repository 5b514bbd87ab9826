// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.CohortQuotas;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@link QuotaTree} of the State, in step with the specs of ClusterQueues and Cohorts. After
 * changes, the specs are read again when the tree is used next, and what follows from them is left
 * for {@link #takeChanges}, so that many changes at once cost one update. Belongs to the State's
 * thread.
 */
final class Quotas {
  private final QueueIndex queues;
  private final Catalog catalog;
  private QuotaTree tree = QuotaTree.empty();
  private boolean outdated;

  /** Usage that the tree doesn't contain yet, by queue. */
  private final Map<String, Amounts<FlavorResource>> missing = new LinkedHashMap<>();

  /** The nodes around which quota has changed, until {@link #takeChanges}. */
  private final SequencedSet<NodeId> changed = new LinkedHashSet<>();

  /** The tree before the first of these changes. */
  private QuotaTree before = QuotaTree.empty();

  /** Roots of trees in which reservations were last seen to exceed the quota. */
  private final Set<NodeId> overcommitted = new HashSet<>();

  /** Roots of trees in which quota was released since the last turn of the scheduler. */
  private final Set<NodeId> released = new HashSet<>();

  private boolean deciding;

  Quotas(QueueIndex queues, Catalog catalog) {
    this.queues = queues;
    this.catalog = catalog;
  }

  /**
   * The consequences of changes of quota.
   *
   * @param queues the ClusterQueues that share, or shared, quota with one that has changed
   * @param cohorts the Cohorts of their trees
   */
  record Changes(SequencedSet<ClusterQueueEntry> queues, SequencedSet<String> cohorts) {}

  QuotaTree tree() {
    if (outdated) {
      outdated = false;
      tree =
          tree.withQuotas(
              catalog.cohorts().entrySet().stream()
                  .map(cohort -> CohortQuotas.of(cohort.getKey(), cohort.getValue().spec()))
                  .toList(),
              queues.clusterQueues().stream()
                  .flatMap(
                      entry ->
                          Optional.ofNullable(entry.object).stream()
                              .map(queue -> QueueQuotas.of(entry.name, queue.spec())))
                  .toList(),
              missing);
      missing.clear();
    }
    return tree;
  }

  /** A ClusterQueue or a Cohort is about to come, to change or to go. */
  void specChanges(NodeId node) {
    changes(node);
    outdated = true;
  }

  private void changes(NodeId node) {
    if (changed.isEmpty()) {
      before = tree;
    }
    changed.add(node);
  }

  /**
   * What follows from the changes since this was called last; null if there were none. Whatever
   * concerns the queues around them can wait until then.
   */
  @Nullable Changes takeChanges() {
    if (changed.isEmpty()) {
      return null;
    }
    SequencedSet<ClusterQueueEntry> affected = new LinkedHashSet<>();
    SequencedSet<String> cohorts = new LinkedHashSet<>();
    for (QuotaTree current : List.of(before, tree())) {
      SequencedSet<NodeId> roots = new LinkedHashSet<>();
      changed.forEach(node -> roots.add(current.rootOf(node)));
      for (NodeId root : roots) {
        affected.addAll(entries(current.queuesUnder(root)));
        cohorts.addAll(cohortsUnder(current, root));
      }
    }
    for (NodeId node : changed) {
      if (node.isCohort()) {
        cohorts.add(node.name());
      } else {
        queues.clusterQueue(node.name()).ifPresent(affected::add);
      }
    }
    changed.clear();
    before = QuotaTree.empty();
    return new Changes(affected, cohorts);
  }

  void reserve(String queue, Amounts<FlavorResource> usage) {
    if (!outdated && !tree.knows(NodeId.queue(queue))) {
      specChanges(NodeId.queue(queue));
    }
    if (outdated) {
      missing.merge(queue, usage, Amounts::plus);
    } else {
      tree = tree.reserve(queue, usage);
    }
  }

  void release(String queue, Amounts<FlavorResource> usage) {
    if (outdated) {
      missing.merge(queue, Amounts.<FlavorResource>none().minus(usage), Amounts::plus);
    } else {
      tree = tree.release(queue, usage);
    }
  }

  /** Replaces what a queue uses. */
  void count(String queue, Amounts<FlavorResource> usage) {
    tree = tree().withUsage(queue, usage);
  }

  private static List<String> cohortsUnder(QuotaTree tree, NodeId root) {
    List<String> cohorts = new ArrayList<>();
    Deque<NodeId> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      NodeId node = open.pop();
      if (node.isCohort()) {
        cohorts.add(node.name());
        open.addAll(tree.children(node));
      }
    }
    return cohorts;
  }

  /** The queues that share quota with this one, itself included. */
  List<ClusterQueueEntry> relatives(String queue) {
    return entries(tree().queuesUnder(tree().rootOf(queue)));
  }

  private List<ClusterQueueEntry> entries(List<String> names) {
    return names.stream().flatMap(name -> queues.clusterQueue(name).stream()).toList();
  }

  /**
   * Lets all Workloads be tried again that wait for quota which this queue shares: at once while
   * decisions are recorded, because the next cycle depends on it, and otherwise before the next
   * turn, once for all that released quota meanwhile.
   */
  void tryAgain(String queue) {
    if (deferred(queue)) {
      return;
    }
    if (deciding) {
      relatives(queue).forEach(relative -> relative.pending.retryAll());
    } else {
      released.add(tree().rootOf(queue));
    }
  }

  /** From now on decisions are made and recorded, or no longer. */
  void deciding(boolean isSo) {
    deciding = isSo;
    if (isSo) {
      for (NodeId root : released) {
        entries(tree().queuesUnder(root)).forEach(queue -> queue.pending.retryAll());
      }
      released.clear();
    }
  }

  /** {@link #tryAgain}, except in the queue itself, for which nothing has changed. */
  void tryOthersAgain(ClusterQueueEntry queue) {
    if (deferred(queue.name)) {
      return;
    }
    relatives(queue.name).stream()
        .filter(relative -> relative != queue)
        .forEach(relative -> relative.pending.retryAll());
  }

  /** Whether this is left for {@link #takeChanges}, because quota has changed anyway. */
  private boolean deferred(String queue) {
    boolean deferred = !changed.isEmpty();
    if (deferred) {
      changed.add(NodeId.queue(queue));
    }
    return deferred;
  }

  /**
   * Notes whether reservations exceed the quota, after nothing but the usage of this queue has
   * changed. A queue borrows only when its own quota is used up. As long as it has some left, the
   * other queues lose nothing to it, and only this queue has to be checked.
   *
   * @return whether they do, or did when last asked
   */
  boolean overcommittedBy(String queue) {
    if (deferred(queue)) {
      return false;
    }
    boolean mayBe = tree().exceeded(queue) || overcommitted.contains(tree().rootOf(queue));
    return mayBe && overcommittedAround(queue);
  }

  /**
   * Notes whether reservations exceed the quota around a queue.
   *
   * @return whether they do, or did when last asked
   */
  boolean overcommittedAround(String queue) {
    NodeId root = tree().rootOf(queue);
    boolean exceeded =
        tree().queuesUnder(root).stream()
            .anyMatch(
                name ->
                    tree().exceeded(name)
                        && queues
                            .clusterQueue(name)
                            .filter(entry -> entry.object != null)
                            .isPresent());
    boolean before = exceeded ? !overcommitted.add(root) : overcommitted.remove(root);
    return exceeded || before;
  }
}
