// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
 * The queries on the quota of all ClusterQueues and Cohorts and its usage, of a {@link QuotaTree}
 * or of a {@link QuotaTree.Trial}. Amounts are in {@link ResourceUnits} and saturate, where {@link
 * Long#MAX_VALUE} means unlimited; unknown nodes have no quota and no usage.
 *
 * <p>The subtree of a node is the node with all its descendants. Its quota is the node's own plus
 * the quota that its children lend; the part that a node doesn't lend ({@code lendingLimit}) is
 * local. Usage takes the local quota first, and the excess counts in the parent as well (KEP-79).
 */
@API(status = API.Status.INTERNAL)
public abstract sealed class QuotaView permits QuotaTree, QuotaTree.Trial {
  QuotaView() {}

  abstract TreeShape shape();

  /** Usage of a node by number of the key; may be shorter than there are keys. */
  abstract long[] row(int node);

  // Amounts.

  /**
   * The amount that can be reserved in a queue now, own and borrowed quota; negative while usage
   * exceeds a quota that was reduced.
   */
  public final long available(String queue, FlavorResource key) {
    return available(shape().numberOfQueue(queue), shape().numberOf(key));
  }

  /** The amount that could be reserved in a queue if there were no usage. */
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

  /**
   * The usage of a node: of a queue its reservations, of a Cohort its children's usage beyond their
   * local quota.
   */
  public final long usage(NodeId node, FlavorResource key) {
    return used(shape().numberOf(node), shape().numberOf(key));
  }

  /** All reservations of a queue. */
  public final Amounts<FlavorResource> usage(String queue) {
    Map<FlavorResource, Long> usage = new TreeMap<>();
    int node = shape().numberOfQueue(queue);
    for (int key = 0; key < shape().keys.size(); key++) {
      usage.put(shape().keys.get(key), used(node, key));
    }
    return Amounts.of(usage);
  }

  /** The quota of a node plus that which its children lend; for a queue the nominal quota. */
  public final long subtreeQuota(NodeId node, FlavorResource key) {
    return at(shape().subtree, shape().numberOf(node), shape().numberOf(key));
  }

  /** The quota of a node plus that which its children lend, for all keys of the tree. */
  public final Amounts<FlavorResource> subtreeQuota(NodeId node) {
    Map<FlavorResource, Long> quota = new TreeMap<>();
    shape().keys.forEach(key -> quota.put(key, subtreeQuota(node, key)));
    return Amounts.of(quota);
  }

  /** How much a node may borrow from its parent; {@link Long#MAX_VALUE} without a limit. */
  public final long borrowingLimit(NodeId node, FlavorResource key) {
    int number = shape().numberOf(node);
    int numberOfKey = shape().numberOf(key);
    return number == NONE || numberOfKey == NONE
        ? UNLIMITED
        : shape().borrowingLimit[number][numberOfKey];
  }

  private long potential(NodeId node, FlavorResource key) {
    return at(shape().potential, shape().numberOf(node), shape().numberOf(key));
  }

  /** Whether reservations of a queue exceed the quota, after it was reduced. */
  public final boolean exceeded(String queue) {
    int node = shape().numberOfQueue(queue);
    for (int key = 0; key < shape().keys.size(); key++) {
      if (used(node, key) > 0 && available(node, key) < 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * The usage that a reservation in a queue would add to a node: of the queue itself all of it, of
   * a Cohort above it the part that exceeds the local quotas on the way.
   */
  public final Amounts<FlavorResource> increase(
      NodeId node, String queue, Amounts<FlavorResource> amounts) {
    int end = shape().numberOf(node);
    Map<FlavorResource, Long> increase = new TreeMap<>();
    amounts
        .asMap()
        .forEach(
            (key, amount) ->
                increase.put(
                    key,
                    increase(end, shape().numberOfQueue(queue), shape().numberOf(key), amount)));
    return Amounts.of(increase);
  }

  private long increase(int end, int start, int key, long amount) {
    int node = start;
    long more = amount;
    while (node != NONE && node != end) {
      long before = subtract(used(node, key), at(shape().local, node, key));
      more = subtract(Math.max(0, add(before, more)), Math.max(0, before));
      node = shape().parent[node];
    }
    return node == NONE ? 0 : more;
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

  /**
   * The borrow level of {@code amount} more in a queue: the height of the lowest subtree whose
   * quota covers the queue's usage and the amount, whether or not it is free; 0 for the queue's own
   * quota, the height of the root if even that doesn't cover it.
   */
  public final int borrowLevel(String queue, FlavorResource key, long amount) {
    int node = lowestThatCovers(shape().numberOfQueue(queue), shape().numberOf(key), amount);
    return node == NONE ? 0 : shape().height[node];
  }

  /**
   * Whether a subtree smaller than the whole tree has quota for a queue's usage and {@code amount}
   * more, so that the queue may reclaim it from queues outside that subtree. Always false for a
   * queue without a Cohort.
   */
  public final boolean fitsBelowRoot(String queue, FlavorResource key, long amount) {
    int numberOfKey = shape().numberOf(key);
    int node = lowestThatCovers(shape().numberOfQueue(queue), numberOfKey, amount);
    return node != NONE && shape().parent[node] != NONE;
  }

  /**
   * The lowest node on the path from a queue to the root that has quota for the queue's usage and
   * {@code amount} more, whether or not it is free; the root if even that has not. Empty for an
   * unknown queue.
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

  /** The current share of a node. */
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
      // Without any lendable quota (it may have been reduced) divide by 1, so the share is large.
      double lendable = Math.max(1, shape().lendable[above][resource]);
      double ratio = borrowed[resource] * 1000.0 / lendable;
      if (ratio > share.ratio()) {
        share = new DominantShare(ratio, share.weight(), shape().resources.get(resource));
      }
    }
    return share;
  }

  // Structure of the tree.

  /** Whether there is such a node, with or without an object. */
  public final boolean knows(NodeId node) {
    return shape().numberOf(node) != NONE;
  }

  public final Optional<NodeId> parent(NodeId node) {
    int number = shape().numberOf(node);
    return number == NONE || shape().parent[number] == NONE
        ? Optional.empty()
        : Optional.of(shape().nodes.get(shape().parent[number]));
  }

  /** The Cohorts above a queue, its own first and the root last; empty if it has no Cohort. */
  public final List<NodeId> ancestors(String queue) {
    List<NodeId> ancestors = new ArrayList<>();
    for (int node = above(shape().numberOfQueue(queue)); node != NONE; node = above(node)) {
      ancestors.add(shape().nodes.get(node));
    }
    return ancestors;
  }

  /** The root of the tree that a queue is in; the queue itself if it has no Cohort. */
  public final NodeId rootOf(String queue) {
    return rootOf(NodeId.queue(queue));
  }

  /** The root of the tree that a node is in; the node itself if it has no parent. */
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

  /** All Cohorts, those without an object included. */
  public final List<String> cohorts() {
    return shape().nodes.stream().filter(NodeId::isCohort).map(NodeId::name).toList();
  }

  /** The Cohorts that are their own ancestors. */
  final SortedSet<String> cycles() {
    return shape().cycles;
  }

  /** Whether the path of parents from a node leads into a cycle, so that its quota is undefined. */
  final boolean inCycle(NodeId node) {
    int number = shape().numberOf(node);
    return number != NONE && shape().belowCycle[number];
  }

  // Computations by node and key number.

  /**
   * The free quota of a node, plus that which its parent has available within the borrowing limit,
   * and so on upwards. Each step gives a bound for the sum; the lowest bound is the result.
   */
  private long available(int start, int key) {
    int node = start;
    long lowest = Long.MAX_VALUE;
    long ownOnThePath = 0;
    for (int above = above(node); above != NONE; above = above(node)) {
      ownOnThePath = add(ownOnThePath, localAvailable(node, key));
      if (key != NONE && shape().borrowingLimit[node][key] != UNLIMITED) {
        long local = shape().local[node][key];
        long lent = subtract(shape().subtree[node][key], local);
        long usedAbove = Math.max(0, subtract(used(node, key), local));
        long borrowable = add(left(lent, usedAbove), shape().borrowingLimit[node][key]);
        lowest = Math.min(lowest, add(ownOnThePath, borrowable));
      }
      node = above;
    }
    long ofRoot = left(at(shape().subtree, node, key), used(node, key));
    return Math.min(lowest, add(ownOnThePath, ofRoot));
  }

  private long localAvailable(int node, int key) {
    return Math.max(0, left(at(shape().local, node, key), used(node, key)));
  }

  /** A saturated quota counts as unlimited. */
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
