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
package io.github.kueue4j.core.quota;

import static io.github.kueue4j.core.quota.Amounts.add;
import static io.github.kueue4j.core.quota.Amounts.subtract;
import static io.github.kueue4j.core.quota.TreeShape.NONE;
import static io.github.kueue4j.core.quota.TreeShape.UNLIMITED;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * What can be asked of the quota of all ClusterQueues and Cohorts and of what is used of it: of the
 * {@link QuotaTree} as it is, or of a {@link QuotaTree.Trial} as it would be. Amounts are in {@link
 * ResourceUnits} and saturate, where the largest number means unlimited; who isn't known has no
 * quota and no usage.
 *
 * <p>The subtree of a node is the node with all below it. Its quota is what it owns plus what its
 * children lend; what a node doesn't lend ({@code lendingLimit}) is local. Usage fills the local
 * quota first, and what exceeds it counts in the parent as well (KEP-79).
 */
@API(status = API.Status.INTERNAL)
public abstract sealed class QuotaView permits QuotaTree, QuotaTree.Trial {
  QuotaView() {}

  abstract TreeShape shape();

  /** Usage of a node by number of the key; may be shorter than there are keys. */
  abstract long[] row(int node);

  // How much.

  /**
   * What can be reserved in a queue now, of its own and borrowed; negative while usage exceeds a
   * quota that shrank.
   */
  public final long available(String queue, FlavorResource key) {
    return available(shape().numberOfQueue(queue), shape().numberOf(key));
  }

  /** What could be reserved in a queue if nothing were. */
  public final long potentialAvailable(String queue, FlavorResource key) {
    return potential(NodeId.queue(queue), key);
  }

  /** Whether all of {@code amounts} can be reserved now. */
  public final boolean fits(String queue, Amounts<FlavorResource> amounts) {
    int node = shape().numberOfQueue(queue);
    for (Map.Entry<FlavorResource, Long> entry : amounts.asMap().entrySet()) {
      if (entry.getValue() > available(node, shape().numberOf(entry.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /** What a node uses: a queue its reservations, a Cohort what exceeds its children's own. */
  public final long usage(NodeId node, FlavorResource key) {
    return used(shape().numberOf(node), shape().numberOf(key));
  }

  /** All that is reserved in a queue. */
  public final Amounts<FlavorResource> usage(String queue) {
    Map<FlavorResource, Long> usage = new TreeMap<>();
    int node = shape().numberOfQueue(queue);
    for (int key = 0; key < shape().keys.size(); key++) {
      usage.put(shape().keys.get(key), used(node, key));
    }
    return Amounts.of(usage);
  }

  /** The quota of a node and what its children lend; the nominal quota of a queue. */
  public final long subtreeQuota(NodeId node, FlavorResource key) {
    return at(shape().subtree, shape().numberOf(node), shape().numberOf(key));
  }

  /** The quota of a node and what its children lend, of everything that anybody has quota of. */
  public final Amounts<FlavorResource> subtreeQuota(NodeId node) {
    Map<FlavorResource, Long> quota = new TreeMap<>();
    shape().keys.forEach(key -> quota.put(key, subtreeQuota(node, key)));
    return Amounts.of(quota);
  }

  private long potential(NodeId node, FlavorResource key) {
    return at(shape().potential, shape().numberOf(node), shape().numberOf(key));
  }

  /** Whether more is reserved in a queue than there is, since a quota shrank. */
  public final boolean exceeded(String queue) {
    int node = shape().numberOfQueue(queue);
    for (int key = 0; key < shape().keys.size(); key++) {
      if (used(node, key) > 0 && available(node, key) < 0) {
        return true;
      }
    }
    return false;
  }

  // Borrowing.

  /** Whether a node uses more of this key than its subtree has. */
  public final boolean borrowing(NodeId node, FlavorResource key) {
    return borrowing(node, key, 0);
  }

  /** Whether a node would use more of this key than its subtree has, with {@code more} on top. */
  public final boolean borrowing(NodeId node, FlavorResource key, long more) {
    return borrows(shape().numberOf(node), shape().numberOf(key), more);
  }

  /** Whether a node uses more of any key than its subtree has. */
  public final boolean borrowing(NodeId node) {
    int number = shape().numberOf(node);
    for (int key = 0; key < shape().keys.size(); key++) {
      if (borrows(number, key, 0)) {
        return true;
      }
    }
    return false;
  }

  /**
   * How far a queue has to reach for {@code amount} more: the height of the lowest subtree that has
   * quota for its usage and the amount, be it free or not; 0 for the queue's own, the height of the
   * root if not even the whole tree has enough.
   */
  public final int borrowLevel(String queue, FlavorResource key, long amount) {
    int node = lowestThatCovers(shape().numberOfQueue(queue), shape().numberOf(key), amount);
    return node == NONE ? 0 : shape().height[node];
  }

  /**
   * Whether a subtree smaller than the whole tree has quota for a queue's usage and {@code amount}
   * more: others may then have to give back what they took of it. Never so for a queue without
   * Cohort.
   */
  public final boolean fitsBelowRoot(String queue, FlavorResource key, long amount) {
    int numberOfKey = shape().numberOf(key);
    int node = lowestThatCovers(shape().numberOfQueue(queue), numberOfKey, amount);
    return node != NONE && shape().parent[node] != NONE;
  }

  /**
   * The lowest node on the way up from a queue that has quota for the queue's usage and {@code
   * amount} more, be it free or not; the root if not even that has. Empty for an unknown queue.
   */
  public final Optional<NodeId> lowestCovering(String queue, FlavorResource key, long amount) {
    int node = lowestThatCovers(shape().numberOfQueue(queue), shape().numberOf(key), amount);
    return node == NONE ? Optional.empty() : Optional.of(shape().nodes.get(node));
  }

  private int lowestThatCovers(int queue, int key, long amount) {
    int node = queue;
    long rest = amount;
    while (node != NONE && shape().parent[node] != NONE && borrows(node, key, rest)) {
      rest = subtract(rest, localAvailable(node, key));
      node = shape().parent[node];
    }
    return node;
  }

  // Fair sharing.

  /** The share of a node as it is. */
  public final DominantShare dominantShare(NodeId node) {
    return dominantShare(node, Amounts.none());
  }

  /** The share that a node would have if it used {@code extra} more. */
  public final DominantShare dominantShare(NodeId node, Amounts<FlavorResource> extra) {
    int number = shape().numberOf(node);
    int above = number == NONE ? NONE : shape().parent[number];
    if (above == NONE) {
      return DominantShare.none(number == NONE ? 1 : shape().weight[number]);
    }
    long[] borrowed = new long[shape().resources.size()];
    for (int key = 0; key < shape().keys.size(); key++) {
      long more = extra.isEmpty() ? 0 : extra.get(shape().keys.get(key));
      long excess = subtract(add(used(number, key), more), shape().subtree[number][key]);
      if (excess > 0) {
        int resource = shape().resourceOf[key];
        borrowed[resource] = add(borrowed[resource], excess);
      }
    }
    DominantShare share = DominantShare.none(shape().weight[number]);
    for (int resource = 0; resource < borrowed.length; resource++) {
      // With nothing to lend at all, be it since a quota shrank, the share is as large as can be.
      double lendable = Math.max(1, shape().lendable[above][resource]);
      double ratio = borrowed[resource] * 1000.0 / lendable;
      if (ratio > share.ratio()) {
        share = new DominantShare(ratio, share.weight(), shape().resources.get(resource));
      }
    }
    return share;
  }

  // Who belongs to whom.

  /** Whether there is such a node, be it only named by others. */
  public final boolean knows(NodeId node) {
    return shape().numberOf(node) != NONE;
  }

  public final Optional<NodeId> parent(NodeId node) {
    int number = shape().numberOf(node);
    return number == NONE || shape().parent[number] == NONE
        ? Optional.empty()
        : Optional.of(shape().nodes.get(shape().parent[number]));
  }

  /** The Cohorts above a queue, its own first and the root last; empty if it stands alone. */
  public final List<NodeId> ancestors(String queue) {
    List<NodeId> ancestors = new ArrayList<>();
    for (int node = above(shape().numberOfQueue(queue)); node != NONE; node = above(node)) {
      ancestors.add(shape().nodes.get(node));
    }
    return ancestors;
  }

  /** The root of the tree that a queue is in; the queue itself if it stands alone. */
  public final NodeId rootOf(String queue) {
    return rootOf(NodeId.queue(queue));
  }

  /** The root of the tree that a node is in; the node itself if nothing is above it. */
  public final NodeId rootOf(NodeId start) {
    NodeId root = start;
    for (int node = above(shape().numberOf(start)); node != NONE; node = above(node)) {
      root = shape().nodes.get(node);
    }
    return root;
  }

  /** Children in the order of their names, Cohorts first. */
  public final List<NodeId> children(NodeId node) {
    int number = shape().numberOf(node);
    return number == NONE ? List.of() : shape().sortedChildren.get(number);
  }

  /** The queues in the subtree of a node, the node itself included. */
  public final List<String> queuesUnder(NodeId node) {
    List<String> queues = new ArrayList<>();
    collectQueues(shape().numberOf(node), queues);
    return queues;
  }

  private void collectQueues(int start, List<String> queues) {
    List<Integer> open = new ArrayList<>(start == NONE ? List.of() : List.of(start));
    while (!open.isEmpty()) {
      int node = open.removeLast();
      NodeId id = shape().nodes.get(node);
      if (!id.isCohort()) {
        queues.add(id.name());
      }
      for (int child : shape().children[node]) {
        open.add(child);
      }
    }
  }

  /** All Cohorts, those included that are only named by others. */
  public final List<String> cohorts() {
    return shape().nodes.stream().filter(NodeId::isCohort).map(NodeId::name).toList();
  }

  /** The Cohorts that are their own ancestors. */
  public final SortedSet<String> cycles() {
    return shape().cycles;
  }

  /** Whether the way up from a node leads into a cycle, so that nobody can tell its quota. */
  public final boolean inCycle(NodeId node) {
    int number = shape().numberOf(node);
    return number != NONE && shape().cut[number];
  }

  // By number.

  /**
   * What is free of a node's own, plus what its parent has available as far as its borrowing limit
   * lets it, and so on upwards. Each step gives one bound of the sum; the lowest one holds.
   */
  private long available(int start, int key) {
    int node = start;
    long lowest = Long.MAX_VALUE;
    long ownOnTheWay = 0;
    for (int above = above(node); above != NONE; above = above(node)) {
      ownOnTheWay = add(ownOnTheWay, localAvailable(node, key));
      if (key != NONE && shape().borrowingLimit[node][key] != UNLIMITED) {
        long local = shape().local[node][key];
        long lent = subtract(shape().subtree[node][key], local);
        long usedAbove = Math.max(0, subtract(used(node, key), local));
        long borrowable = add(left(lent, usedAbove), shape().borrowingLimit[node][key]);
        lowest = Math.min(lowest, add(ownOnTheWay, borrowable));
      }
      node = above;
    }
    long ofRoot = left(at(shape().subtree, node, key), used(node, key));
    return Math.min(lowest, add(ownOnTheWay, ofRoot));
  }

  private long localAvailable(int node, int key) {
    return Math.max(0, left(at(shape().local, node, key), used(node, key)));
  }

  /** A quota that was cut off at the largest number is as good as unlimited. */
  private static long left(long quota, long used) {
    return quota == UNLIMITED ? UNLIMITED : subtract(quota, used);
  }

  private boolean borrows(int node, int key, long more) {
    return add(used(node, key), more) > at(shape().subtree, node, key);
  }

  private int above(int node) {
    return node == NONE ? NONE : shape().parent[node];
  }

  private long used(int node, int key) {
    if (node == NONE || key == NONE) {
      return 0;
    }
    long[] row = row(node);
    return key < row.length ? row[key] : 0;
  }

  private static long at(long[][] table, int node, int key) {
    return node == NONE || key == NONE ? 0 : table[node][key];
  }
}
