// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.core.quota.QuotaView;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** The order in which the nominations of a cycle reserve quota or preempt. */
sealed interface CycleOrder permits CycleOrder.ByBorrowing, OrderByShares {
  /** Whether none is left. */
  boolean isEmpty();

  /** Removes the next one, given the usage after those before it. */
  Nomination next(QuotaView quota);

  /** The usage of a queue isn't what it was when the last one was removed. */
  default void usageChanged(String queue) {}

  /**
   * Order by borrow level, then by priority, the higher first, then by waiting time, the longer
   * first.
   *
   * @param byPriority whether priorities count
   */
  static CycleOrder byBorrowing(List<Nomination> nominations, boolean byPriority) {
    return new ByBorrowing(
        new ArrayDeque<>(
            nominations.stream()
                .sorted(byPriority ? ByBorrowing.BY_PRIORITY : ByBorrowing.BY_AGE)
                .toList()));
  }

  /**
   * A tournament (KEP-1714): at every Cohort, from the root down, the child with the smaller share
   * comes first; the share includes the incoming Workload.
   *
   * @param nonBorrowingFirst whether a child that needn't borrow precedes all that must
   */
  static CycleOrder byShares(List<Nomination> nominations, boolean nonBorrowingFirst) {
    return new OrderByShares(nominations, nonBorrowingFirst);
  }

  /**
   * See {@link #byBorrowing}. Borrow levels are those of the nominations, so that no reservation
   * changes the order.
   *
   * @param remaining in their order
   */
  record ByBorrowing(Deque<Nomination> remaining) implements CycleOrder {
    private static final Comparator<Nomination> BY_PRIORITY =
        Comparator.comparingInt(Nomination::borrowLevel)
            .thenComparing(nomination -> nomination.head().workload());

    private static final Comparator<Nomination> BY_AGE =
        Comparator.comparingInt(Nomination::borrowLevel)
            .thenComparing(nomination -> nomination.head().workload().queuedSince())
            .thenComparing(nomination -> nomination.head().workload());

    @Override
    public boolean isEmpty() {
      return remaining.isEmpty();
    }

    @Override
    public Nomination next(QuotaView quota) {
      return remaining.remove();
    }
  }
}
