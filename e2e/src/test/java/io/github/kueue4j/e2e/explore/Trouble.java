// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

/**
 * The kinds of disturbance that an actor may cause. A world has a budget of each kind; steps of no
 * kind listed here happen as often as they can.
 */
enum Trouble {
  /** The core is killed and started again: it knows nothing but the objects. */
  CRASH(0),
  /** The core reads and plans; its patch arrives later. */
  SLOW(1),
  /** A patch of the core is written and its answer lost. */
  LOST(17),
  /**
   * A check whose clock is off says Retry with the very date of the one before, or with the one
   * that the core is about to record for it: a known limit, nothing is promised then. Without a
   * budget it may do so all the same, and the core has to tell them apart.
   */
  REPEATED_DATE(18),
  /** A user deactivates the Workload. */
  USER(2),
  /** An administrator stops a queue. */
  QUEUE(3),
  /** The ClusterQueue is deleted. */
  QUEUE_GONE(4),
  /** The scheduler evicts for another Workload. */
  PREEMPT(5),
  /** The pods don't get ready in time, or one of them fails. */
  PODS(6),
  /** It runs for longer than it may. */
  LIMIT(7),
  /** An administrator removes the last check from the queue, or adds it again. */
  CHECKS(8),
  /** An administrator has the last check only observe, or has it enforced again. */
  MODE(19),
  /**
   * The spec of the Workload changes while it waits, or checks are no longer asked before quota, or
   * again.
   */
  BEFORE_QUOTA(20),
  /** The assignment is no longer valid. */
  FLAVOR(9),
  /** A reservation is made of quota that victims still hold. */
  VICTIMS(10),
  /** The owner finishes. */
  FINISH(11),
  /** The Workload is deleted and made anew under its name. */
  RECREATE(12),
  /** A check lets its pending timeout pass. */
  TIMEOUT(13),
  /** The first check answers something else than Ready. */
  FIRST_CHECK(14),
  /** As the first. */
  SECOND_CHECK(15),
  /** As the first. */
  THIRD_CHECK(16);

  /** As many as a budget can hold; stands for no bound at all. */
  static final int UNBOUNDED = 7;

  private static final int BITS = 3;

  /** Where its budget is among the budgets. */
  private final int place;

  Trouble(int place) {
    this.place = place;
  }

  static Trouble ofCheck(int index) {
    return switch (index) {
      case 0 -> FIRST_CHECK;
      case 1 -> SECOND_CHECK;
      default -> THIRD_CHECK;
    };
  }

  /** How much of it is left. */
  int left(long budgets) {
    return (int) (budgets >>> (BITS * place)) & UNBOUNDED;
  }

  /** {@code budgets} with one less of it. */
  long spent(long budgets) {
    return left(budgets) == UNBOUNDED ? budgets : budgets - (1L << (BITS * place));
  }

  /** {@code budgets} with so much of it. */
  long with(long budgets, int amount) {
    if (amount < 0 || amount > UNBOUNDED) {
      throw new IllegalArgumentException("a budget is 0 to " + UNBOUNDED + ": " + amount);
    }
    int shift = BITS * place;
    return (budgets & ~((long) UNBOUNDED << shift)) | ((long) amount << shift);
  }
}
