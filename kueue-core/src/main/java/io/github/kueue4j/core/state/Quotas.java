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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The {@link QuotaTree} of the State, in step with the specs of ClusterQueues and Cohorts. After
 * changes, the specs are read again when the tree is used next, so that many changes at once cost
 * one update. Belongs to the State's thread.
 */
final class Quotas {
  private final QueueIndex queues;
  private final Catalog catalog;
  private QuotaTree tree = QuotaTree.empty();
  private boolean outdated;

  /** Roots of trees in which reservations were last seen to exceed the quota. */
  private final Set<NodeId> overcommitted = new HashSet<>();

  Quotas(QueueIndex queues, Catalog catalog) {
    this.queues = queues;
    this.catalog = catalog;
  }

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
                  .toList());
    }
    return tree;
  }

  /** A ClusterQueue or a Cohort came, changed or went. */
  void specsChanged() {
    outdated = true;
  }

  void reserve(String queue, Amounts<FlavorResource> usage) {
    change(current -> current.reserve(queue, usage));
  }

  void release(String queue, Amounts<FlavorResource> usage) {
    change(current -> current.release(queue, usage));
  }

  /** Replaces what a queue uses. */
  void count(String queue, Amounts<FlavorResource> usage) {
    change(current -> current.withUsage(queue, usage));
  }

  private void change(UnaryOperator<QuotaTree> change) {
    // Changes of the specs keep the usage, so that the specs need not be read here.
    tree = change.apply(tree);
  }

  /** All Cohorts of the tree that a node belongs to; none for a queue without Cohort. */
  List<String> cohortsAround(NodeId member) {
    QuotaTree current = tree();
    List<String> cohorts = new ArrayList<>();
    Deque<NodeId> open = new ArrayDeque<>(List.of(current.rootOf(member)));
    while (!open.isEmpty()) {
      NodeId node = open.pop();
      if (node.isCohort()) {
        cohorts.add(node.name());
        open.addAll(current.children(node));
      }
    }
    return cohorts;
  }

  /** The queues that share quota with this one, itself included. */
  List<ClusterQueueEntry> relatives(String queue) {
    return entries(tree().queuesUnder(tree().rootOf(queue)));
  }

  /** The queues that share quota with the members of this Cohort. */
  List<ClusterQueueEntry> family(String cohort) {
    return entries(tree().queuesUnder(tree().rootOf(NodeId.cohort(cohort))));
  }

  private List<ClusterQueueEntry> entries(List<String> names) {
    return names.stream().flatMap(name -> queues.clusterQueue(name).stream()).toList();
  }

  /** Lets all Workloads be tried again that wait for quota which this queue shares. */
  void unpark(String queue) {
    relatives(queue).forEach(relative -> relative.pending.retryAll());
  }

  /** {@link #unpark}, except in the queue itself, for which nothing has changed. */
  void unparkOthers(ClusterQueueEntry queue) {
    relatives(queue.name).stream()
        .filter(relative -> relative != queue)
        .forEach(relative -> relative.pending.retryAll());
  }

  /**
   * Notes whether reservations exceed the quota, after nothing but the usage of this queue has
   * changed. A queue borrows only when its own quota is used up. As long as it has some left, the
   * other queues lose nothing to it, and only this queue has to be checked.
   *
   * @return whether they do, or did when last asked
   */
  boolean overcommittedBy(String queue) {
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
