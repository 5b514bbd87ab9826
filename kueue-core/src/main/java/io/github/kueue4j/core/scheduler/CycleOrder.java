// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.core.quota.DominantShare;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The order in which the nominations of a cycle reserve quota or preempt. */
sealed interface CycleOrder {
  /** Removes the next one from {@code remaining}, given the usage after those before it. */
  Nomination next(List<Nomination> remaining, QuotaTree quota);

  /**
   * Order by borrow level, then by priority, the higher first, then by waiting time, the longer
   * first.
   *
   * @param byPriority whether priorities count
   */
  static CycleOrder byBorrowing(boolean byPriority) {
    return new ByBorrowing(byPriority);
  }

  /**
   * A tournament (KEP-1714): at every Cohort, from the root down, the child with the smaller share
   * comes first; the share includes the incoming Workload.
   *
   * @param nonBorrowingFirst whether a child that needn't borrow precedes all that must
   */
  static CycleOrder byShares(boolean nonBorrowingFirst) {
    return new ByShares(nonBorrowingFirst);
  }

  /** See {@link #byBorrowing}. */
  record ByBorrowing(boolean byPriority) implements CycleOrder {
    private static final Comparator<Nomination> BY_PRIORITY =
        Comparator.comparingInt(Nomination::borrowLevel)
            .thenComparing(nomination -> nomination.head().workload());

    private static final Comparator<Nomination> BY_AGE =
        Comparator.comparingInt(Nomination::borrowLevel)
            .thenComparing(nomination -> nomination.head().workload().queuedSince())
            .thenComparing(nomination -> nomination.head().workload());

    @Override
    public Nomination next(List<Nomination> remaining, QuotaTree quota) {
      Nomination first = remaining.stream().min(byPriority ? BY_PRIORITY : BY_AGE).orElseThrow();
      remaining.remove(first);
      return first;
    }
  }

  /** See {@link #byShares}. */
  record ByShares(boolean nonBorrowingFirst) implements CycleOrder {
    @Override
    public Nomination next(List<Nomination> remaining, QuotaTree quota) {
      Nomination any = remaining.getFirst();
      NodeId root = quota.rootOf(any.head().clusterQueue());
      Nomination winner = any;
      if (root.isCohort()) {
        Map<String, Nomination> byQueue = new HashMap<>();
        for (Nomination nomination : remaining) {
          if (quota.rootOf(nomination.head().clusterQueue()).equals(root)) {
            // A queue with more than one head: keep the queue's own order.
            byQueue.merge(
                nomination.head().clusterQueue(),
                nomination,
                (one, other) ->
                    one.head().workload().compareTo(other.head().workload()) <= 0 ? one : other);
          }
        }
        Entrant best = best(root, byQueue, quota);
        winner = best == null ? any : best.nomination();
      }
      remaining.remove(winner);
      return winner;
    }

    /** A nomination with the values by which it is compared with others below one Cohort. */
    private record Entrant(Nomination nomination, boolean borrows, DominantShare share) {}

    private @Nullable Entrant best(
        NodeId cohort, Map<String, Nomination> byQueue, QuotaTree quota) {
      List<Entrant> entrants = new ArrayList<>();
      for (NodeId child : quota.children(cohort)) {
        Nomination nomination;
        if (child.isCohort()) {
          Entrant below = best(child, byQueue, quota);
          nomination = below == null ? null : below.nomination();
        } else {
          nomination = byQueue.get(child.name());
        }
        if (nomination != null) {
          entrants.add(entrant(child, nomination, quota));
        }
      }
      return entrants.stream().min(order()).orElse(null);
    }

    private Comparator<Entrant> order() {
      return Comparator.comparing((Entrant entrant) -> nonBorrowingFirst && entrant.borrows())
          .thenComparing(Entrant::share)
          .thenComparing(entrant -> entrant.nomination().head().workload());
    }

    private static Entrant entrant(NodeId child, Nomination nomination, QuotaTree quota) {
      QuotaTree.Trial with = quota.trial();
      with.reserve(nomination.head().clusterQueue(), nomination.usage());
      boolean borrows = false;
      for (FlavorResource key : nomination.usage().asMap().keySet()) {
        borrows |= with.borrowing(child, key);
      }
      return new Entrant(nomination, borrows, with.dominantShare(child));
    }
  }
}
