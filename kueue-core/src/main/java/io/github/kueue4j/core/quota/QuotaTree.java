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
 * The quota of all ClusterQueues and Cohorts and what is used of it: an immutable value. Reserving
 * and releasing make a new tree that shares everything with the old one but the usage on the way
 * from the queue to its root, so a snapshot is a matter of keeping a reference.
 *
 * <p>Asked for every head of every cycle, and by simulations many times per head: hence numbers in
 * arrays, and all that follows from the quotas alone computed once per change of a spec.
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
   * A tree that nothing uses yet. A Cohort that is only named gets a node without quota; those that
   * are their own ancestors are cut off from their parents (see {@link #cycles}).
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
   * The same usage against other quotas, after a spec has changed. Usage of a queue that isn't
   * among {@code queues} is kept for when it comes back.
   */
  public QuotaTree withQuotas(Collection<CohortQuotas> cohorts, Collection<QueueQuotas> queues) {
    Map<String, QueueQuotas> all = new LinkedHashMap<>();
    Map<String, Amounts<FlavorResource>> usages = new LinkedHashMap<>();
    Set<FlavorResource> keys = new LinkedHashSet<>();
    for (QueueQuotas queue : shape.queues()) {
      Amounts<FlavorResource> usage = usage(queue.name());
      if (!usage.isEmpty()) {
        usages.put(queue.name(), usage);
        keys.addAll(usage.asMap().keySet());
        all.put(queue.name(), QueueQuotas.unknown(queue.name()));
      }
    }
    queues.forEach(queue -> all.put(queue.name(), queue));
    Trial trial = unused(TreeShape.of(cohorts, all.values(), keys)).trial();
    usages.forEach(trial::take);
    return new QuotaTree(trial.shape(), trial.rows);
  }

  /** The tree after a reservation; it need not fit. */
  public QuotaTree reserve(String queue, Amounts<FlavorResource> amounts) {
    Trial trial = trial();
    trial.take(queue, amounts);
    return new QuotaTree(trial.shape(), trial.rows);
  }

  /** The tree after a reservation was given back. */
  public QuotaTree release(String queue, Amounts<FlavorResource> amounts) {
    Trial trial = trial();
    trial.giveBack(queue, amounts);
    return new QuotaTree(trial.shape(), trial.rows);
  }

  /**
   * The tree with the usage of one queue counted anew: a sum that was cut off at the largest number
   * can't be taken apart.
   */
  public QuotaTree withUsage(String queue, Amounts<FlavorResource> usage) {
    Trial trial = trial();
    trial.set(queue, usage);
    return new QuotaTree(trial.shape(), trial.rows);
  }

  /**
   * The tree as if a node had no parent: what fits below it then fits without borrowing from above,
   * be the quota lent out or not. Only the node and what is below it may be asked about.
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

  /** A scratch pad that starts from this tree and never changes it. */
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
   * What if: a tree to take from and give back to, in any order and as often as one likes, each in
   * the depth of the tree. Not thread-safe.
   */
  @API(status = API.Status.INTERNAL)
  public static final class Trial extends QuotaView {
    private final QuotaTree origin;
    private TreeShape shape;
    private long[][] rows;

    private Trial(QuotaTree origin) {
      this.origin = origin;
      this.shape = origin.shape;
      this.rows = origin.rows.clone();
    }

    /** Reserves, whether it fits or not. */
    public void take(String queue, Amounts<FlavorResource> amounts) {
      learn(queue, amounts);
      int node = shape.numberOfQueue(queue);
      amounts.asMap().forEach((key, amount) -> change(node, shape.numberOf(key), amount));
    }

    /** Releases what was reserved. */
    public void giveBack(String queue, Amounts<FlavorResource> amounts) {
      learn(queue, amounts);
      int node = shape.numberOfQueue(queue);
      amounts
          .asMap()
          .forEach((key, amount) -> change(node, shape.numberOf(key), subtract(0, amount)));
    }

    /** Forgets everything that was taken and given back. */
    public void reset() {
      shape = origin.shape;
      rows = origin.rows.clone();
    }

    private void set(String queue, Amounts<FlavorResource> usage) {
      learn(queue, usage);
      int node = shape.numberOfQueue(queue);
      for (int key = 0; key < shape.keys.size(); key++) {
        long before = usedAt(node, key);
        long after = usage.get(shape.keys.get(key));
        if (before != after) {
          writable(node)[key] = after;
          spill(node, key, before, after);
        }
      }
    }

    private void change(int node, int key, long delta) {
      long before = usedAt(node, key);
      long after = add(before, delta);
      writable(node)[key] = after;
      spill(node, key, before, after);
    }

    /** Carries on upwards what exceeds the local quota. */
    private void spill(int start, int key, long startBefore, long startAfter) {
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
          // Cut off at the largest number: only a new sum says what is left.
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
      long[] row = rows[node];
      boolean shared = node < origin.rows.length && row == origin.rows[node];
      if (shared || row.length < shape.keys.size()) {
        row = Arrays.copyOf(row, shape.keys.size());
        rows[node] = row;
      }
      return row;
    }

    /** Makes room for a queue or for keys that nobody has quota of. */
    private void learn(String queue, Amounts<FlavorResource> amounts) {
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
