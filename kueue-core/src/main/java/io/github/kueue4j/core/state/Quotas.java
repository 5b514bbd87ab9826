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

import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.CohortQuotas;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The one {@link QuotaTree} of the State, in step with the specs of ClusterQueues and Cohorts;
 * belongs to the State's thread. The specs are read again when the tree is next looked at, so that
 * many changes at once cost one.
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
    // Usage is kept over changes of the specs: no need to read those now.
    tree = change.apply(tree);
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

  /** Lets everything be tried again that waits for quota which this queue may have taken. */
  void unpark(String queue) {
    relatives(queue).forEach(relative -> relative.pending.unpark());
  }

  /** {@link #unpark}, but for the queue itself: nothing has changed for it. */
  void unparkOthers(ClusterQueueEntry queue) {
    relatives(queue.name).stream()
        .filter(relative -> relative != queue)
        .forEach(relative -> relative.pending.unpark());
  }

  /**
   * Notes whether reservations exceed the quota, after nothing but the usage of this queue has
   * changed. Who takes from others has used up all that is its own: if it still has something left,
   * so have they, and only it need be looked at.
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
