// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import static io.github.kueue4j.core.quota.Amounts.add;
import static io.github.kueue4j.core.quota.Amounts.subtract;
import static io.github.kueue4j.core.quota.TreeShape.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The quota of all ClusterQueues and Cohorts and its usage: an immutable value. Reserving and
 * releasing create a new tree that shares all data with the old one except for the usage on the
 * path from the queue to its root, so a snapshot is just a reference.
 *
 * <p>Every head of every cycle queries it, and simulations do so many times per head. Therefore the
 * amounts are in arrays, and all values that depend on the quotas alone are computed once per
 * change of a spec.
 */
@API(status = API.Status.INTERNAL)
public final class QuotaTree extends QuotaView {
  private static final long[] UNUSED = {};

  private final TreeShape shape;
  private final long[][] rows;

  private QuotaTree(TreeShape shape, long[][] rows) {
    this.shape = shape;
    this.rows = rows;
  }

  /** A tree without queues. */
  public static QuotaTree empty() {
    return of(List.of(), List.of());
  }

  /**
   * A tree without usage. A Cohort without an object gets a node without quota; Cohorts that are
   * their own ancestors are detached from their parents (see {@link #cycles}).
   */
  public static QuotaTree of(Collection<CohortQuotas> cohorts, Collection<QueueQuotas> queues) {
    return unused(TreeShape.of(cohorts, queues, Set.of()));
  }

  private static QuotaTree unused(TreeShape shape) {
    long[][] rows = new long[shape.nodes.size()][];
    Arrays.fill(rows, UNUSED);
    return new QuotaTree(shape, rows);
  }

  /**
   * The same usage with other quotas, after a spec has changed. Usage of a queue that isn't among
   * {@code queues} is kept, in case the queue is created again.
   */
  public QuotaTree withQuotas(Collection<CohortQuotas> cohorts, Collection<QueueQuotas> queues) {
    return withQuotas(cohorts, queues, Map.of());
  }

  /**
   * The tree with other quotas, and with changes of the usage of any queues.
   *
   * @param changes what is reserved in addition, by queue; negative amounts are released
   */
  public QuotaTree withQuotas(
      Collection<CohortQuotas> cohorts,
      Collection<QueueQuotas> queues,
      Map<String, Amounts<FlavorResource>> changes) {
    Map<String, Amounts<FlavorResource>> usages = new LinkedHashMap<>(changes);
    for (QueueQuotas queue : shape.queues()) {
      usages.merge(queue.name(), usage(queue.name()), Amounts::plus);
    }
    usages.values().removeIf(Amounts::isEmpty);
    Map<String, QueueQuotas> all = new LinkedHashMap<>();
    Set<FlavorResource> keys = new LinkedHashSet<>();
    usages.forEach(
        (queue, usage) -> {
          keys.addAll(usage.asMap().keySet());
          all.put(queue, QueueQuotas.unknown(queue));
        });
    queues.forEach(queue -> all.put(queue.name(), queue));
    Trial trial = unused(TreeShape.of(cohorts, all.values(), keys)).trial();
    usages.forEach(trial::reserve);
    return new QuotaTree(trial.shape(), trial.rows);
  }

  /** The tree after a reservation, which need not fit. */
  public QuotaTree reserve(String queue, Amounts<FlavorResource> amounts) {
    Trial trial = trial();
    trial.reserve(queue, amounts);
    return new QuotaTree(trial.shape(), trial.rows);
  }

  /** The tree after the release of a reservation. */
  public QuotaTree release(String queue, Amounts<FlavorResource> amounts) {
    Trial trial = trial();
    trial.release(queue, amounts);
    return new QuotaTree(trial.shape(), trial.rows);
  }

  /**
   * The tree with a new sum of the usage of one queue. Needed where the sum is saturated, because
   * subtracting from it would be wrong.
   */
  public QuotaTree withUsage(String queue, Amounts<FlavorResource> usage) {
    Trial trial = trial();
    trial.set(queue, usage);
    return new QuotaTree(trial.shape(), trial.rows);
  }

  /**
   * The tree as if a node had no parent: requests that fit below it then fit without borrowing from
   * above, whether or not others have borrowed that quota. Only the node and its descendants may be
   * queried.
   */
  public QuotaTree rootedAt(NodeId node) {
    if (parent(node).isEmpty()) {
      return this;
    }
    TreeShape rooted = shape.rootedAt(node);
    long[][] moved = new long[rooted.nodes.size()][];
    for (int number = 0; number < moved.length; number++) {
      int before = shape.numberOf(rooted.nodes.get(number));
      moved[number] = before == NONE ? UNUSED : rows[before];
    }
    return new QuotaTree(rooted, moved);
  }

  /** A mutable copy for simulations, which never changes this tree. */
  public Trial trial() {
    return new Trial(this);
  }

  @Override
  TreeShape shape() {
    return shape;
  }

  @Override
  long[] row(int node) {
    return rows[node];
  }

  /**
   * A mutable copy of a tree for simulations: takes and gives back quota in any order, each in time
   * proportional to the depth of the tree. Not thread-safe.
   */
  @API(status = API.Status.INTERNAL)
  public static final class Trial extends QuotaView {
    private final QuotaTree origin;
    private TreeShape shape;

    /** The origin's own until a row is written. */
    private long[][] rows;

    private Trial(QuotaTree origin) {
      this.origin = origin;
      this.shape = origin.shape;
      this.rows = origin.rows;
    }

    /** Reserves, whether it fits or not. */
    public void reserve(String queue, Amounts<FlavorResource> amounts) {
      ensureKnown(queue, amounts);
      int node = shape.numberOfQueue(queue);
      amounts.asMap().forEach((key, amount) -> change(node, shape.numberOf(key), amount));
    }

    /** Releases reserved quota. */
    public void release(String queue, Amounts<FlavorResource> amounts) {
      ensureKnown(queue, amounts);
      int node = shape.numberOfQueue(queue);
      amounts
          .asMap()
          .forEach((key, amount) -> change(node, shape.numberOf(key), subtract(0, amount)));
    }

    /** Reverts all changes. */
    public void reset() {
      shape = origin.shape;
      rows = origin.rows;
    }

    /** The tree as it is now; later changes don't affect it. */
    public QuotaTree tree() {
      long[][] copy = new long[rows.length][];
      for (int node = 0; node < rows.length; node++) {
        copy[node] = sharedWithOrigin(node) ? rows[node] : rows[node].clone();
      }
      return new QuotaTree(shape, copy);
    }

    private boolean sharedWithOrigin(int node) {
      return node < origin.rows.length && rows[node] == origin.rows[node];
    }

    private void set(String queue, Amounts<FlavorResource> usage) {
      ensureKnown(queue, usage);
      int node = shape.numberOfQueue(queue);
      for (int key = 0; key < shape.keys.size(); key++) {
        long before = usedAt(node, key);
        long after = usage.get(shape.keys.get(key));
        if (before != after) {
          writable(node)[key] = after;
          propagate(node, key, before, after);
        }
      }
    }

    private void change(int node, int key, long delta) {
      long before = usedAt(node, key);
      long after = add(before, delta);
      writable(node)[key] = after;
      propagate(node, key, before, after);
    }

    /** Propagates usage beyond the local quota to the ancestors. */
    private void propagate(int start, int key, long startBefore, long startAfter) {
      int node = start;
      long before = startBefore;
      long after = startAfter;
      while (shape.parent[node] != NONE) {
        long local = shape.local[node][key];
        long spilledBefore = Math.max(0, subtract(before, local));
        long spilledAfter = Math.max(0, subtract(after, local));
        if (spilledBefore == spilledAfter) {
          return;
        }
        node = shape.parent[node];
        before = usedAt(node, key);
        after = add(before, subtract(spilledAfter, spilledBefore));
        if (before == Long.MAX_VALUE || after == Long.MAX_VALUE) {
          // The sum is saturated, so a difference is wrong: sum up again.
          after = spilledInto(node, key);
        }
        writable(node)[key] = after;
      }
    }

    private long spilledInto(int node, int key) {
      long sum = 0;
      for (int child : shape.children[node]) {
        sum = add(sum, Math.max(0, subtract(usedAt(child, key), shape.local[child][key])));
      }
      return sum;
    }

    private long usedAt(int node, int key) {
      long[] row = rows[node];
      return key < row.length ? row[key] : 0;
    }

    private long[] writable(int node) {
      if (rows == origin.rows) {
        rows = rows.clone();
      }
      long[] row = rows[node];
      if (sharedWithOrigin(node) || row.length < shape.keys.size()) {
        row = Arrays.copyOf(row, shape.keys.size());
        rows[node] = row;
      }
      return row;
    }

    /** Adds a queue or keys that the tree doesn't contain yet. */
    private void ensureKnown(String queue, Amounts<FlavorResource> amounts) {
      Set<FlavorResource> keys = amounts.asMap().keySet();
      if (shape.knows(queue, keys)) {
        return;
      }
      TreeShape wider = shape.with(queue, keys);
      List<long[]> moved = new ArrayList<>();
      for (NodeId node : wider.nodes) {
        int before = shape.numberOf(node);
        moved.add(before == NONE ? UNUSED : rows[before].clone());
      }
      shape = wider;
      rows = moved.toArray(long[][]::new);
    }

    @Override
    TreeShape shape() {
      return shape;
    }

    @Override
    long[] row(int node) {
      return rows[node];
    }
  }
}
