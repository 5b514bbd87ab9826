// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

/** A question to the lifecycle. */
enum Order {
  /** What to do next. */
  PLAN(0),
  /** As {@link #PLAN}, by a core that has just started. */
  PLAN_AFTER_RESTART(1),
  /** To reserve the flavor that requires every check. */
  RESERVE(2),
  /** To reserve the flavor that requires only the first check. */
  RESERVE_OTHER(3),
  /** To say that there is no quota. */
  NOT_RESERVED(4),
  /** To evict for another Workload. */
  PREEMPT(5),
  /** To evict because the pods aren't ready. */
  PODS_READY_TIMEOUT(6),
  /** To deactivate because it ran for too long. */
  EXCEED_LIMIT(7),
  /** To say that the owner has finished. */
  FINISH(8),
  /** To ask what has to be asked before quota. */
  ASK(9);

  /** Tells it from the others in the keys of what was asked. */
  private final int number;

  Order(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
