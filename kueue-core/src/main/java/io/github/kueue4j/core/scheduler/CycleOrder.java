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

/** In which order the nominations of a cycle get what they ask for. */
sealed interface CycleOrder {
  /** Takes the next one out of {@code remaining}, given what those before it have taken. */
  Nomination next(List<Nomination> remaining, QuotaTree quota);

  /**
   * Who borrows less goes first, then the higher priority, then who has waited longer.
   *
   * @param byPriority whether priorities count
   */
  static CycleOrder byBorrowing(boolean byPriority) {
    return new ByBorrowing(byPriority);
  }

  /**
   * A tournament (KEP-1714): at every Cohort, from the root down, the child with the smaller share
   * goes first, its incoming Workload included.
   *
   * @param nonBorrowingFirst whether a child that need not borrow goes before all that must
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
            // More than one head of a queue: they go in the order of the queue.
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

    /** A nomination, with what decides between it and others at one Cohort. */
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
      with.take(nomination.head().clusterQueue(), nomination.usage());
      boolean borrows = false;
      for (FlavorResource key : nomination.usage().asMap().keySet()) {
        borrows |= with.borrowing(child, key);
      }
      return new Entrant(nomination, borrows, with.dominantShare(child));
    }
  }
}
