// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.DominantShare;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaView;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The order by shares: see {@link CycleOrder#byShares}. Each Cohort keeps the contest among its
 * children. A child's place in it depends on the usage below that child only, so that after a
 * reservation the places on the path from its queue to the root are computed anew, and no others.
 */
final class OrderByShares implements CycleOrder {
  private final Deque<Nomination> remaining;
  private final Set<Nomination> gone = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Comparator<Entrant> order;

  /** The nominations that remain, by their queues; a queue's own order decides among its heads. */
  private final Map<String, Queue<Nomination>> heads = new HashMap<>();

  /** The children of each Cohort that have a nomination, the first of them first. */
  private final Map<NodeId, NavigableSet<Entrant>> contests = new HashMap<>();

  /** The place of each child in the contest of its Cohort. */
  private final Map<NodeId, Entrant> entrants = new HashMap<>();

  /** The queues whose places have to be computed anew. */
  private final Set<String> changed = new HashSet<>();

  /** A nomination with the values by which it is compared with others below one Cohort. */
  private record Entrant(Nomination nomination, boolean borrows, DominantShare share) {}

  OrderByShares(List<Nomination> nominations, boolean nonBorrowingFirst) {
    this.remaining = new ArrayDeque<>(nominations);
    this.order =
        Comparator.comparing((Entrant entrant) -> nonBorrowingFirst && entrant.borrows())
            .thenComparing(Entrant::share)
            .thenComparing(entrant -> entrant.nomination().head().workload());
    for (Nomination nomination : nominations) {
      heads
          .computeIfAbsent(
              nomination.head().clusterQueue(),
              queue -> new PriorityQueue<>(Comparator.comparing(head -> head.head().workload())))
          .add(nomination);
      changed.add(nomination.head().clusterQueue());
    }
  }

  @Override
  public boolean isEmpty() {
    while (!remaining.isEmpty() && gone.contains(remaining.getFirst())) {
      remaining.remove();
    }
    return remaining.isEmpty();
  }

  @Override
  public Nomination next(QuotaView quota) {
    changed.forEach(queue -> compete(queue, quota));
    changed.clear();
    while (gone.contains(remaining.getFirst())) {
      remaining.remove();
    }
    Nomination any = remaining.getFirst();
    Nomination first = firstOf(quota.rootOf(any.head().clusterQueue()));
    Nomination winner = first == null ? any : first;
    gone.add(winner);
    Queue<Nomination> ofItsQueue = heads.get(winner.head().clusterQueue());
    if (ofItsQueue != null) {
      ofItsQueue.remove(winner);
    }
    changed.add(winner.head().clusterQueue());
    return winner;
  }

  @Override
  public void usageChanged(String queue) {
    changed.add(queue);
  }

  private @Nullable Nomination firstOf(NodeId cohort) {
    NavigableSet<Entrant> contest = contests.get(cohort);
    return contest == null || contest.isEmpty() ? null : contest.first().nomination();
  }

  /** Lets a queue, and then each Cohort above it, take its place among its siblings. */
  private void compete(String queue, QuotaView quota) {
    NodeId child = NodeId.queue(queue);
    Queue<Nomination> own = heads.get(queue);
    Nomination nomination = own == null ? null : own.peek();
    for (NodeId cohort : quota.ancestors(queue)) {
      NavigableSet<Entrant> contest = contests.computeIfAbsent(cohort, key -> new TreeSet<>(order));
      Entrant before = entrants.remove(child);
      if (before != null) {
        contest.remove(before);
      }
      if (nomination != null) {
        Entrant now = entrant(child, nomination, quota);
        contest.add(now);
        entrants.put(child, now);
      }
      nomination = firstOf(cohort);
      child = cohort;
    }
  }

  private static Entrant entrant(NodeId child, Nomination nomination, QuotaView quota) {
    Amounts<FlavorResource> more =
        quota.increase(child, nomination.head().clusterQueue(), nomination.usage());
    boolean borrows = false;
    for (FlavorResource key : nomination.usage().asMap().keySet()) {
      borrows |= quota.borrowing(child, key, more.get(key));
    }
    return new Entrant(nomination, borrows, quota.dominantShare(child, more));
  }
}
