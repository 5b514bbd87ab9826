// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.sdk.Evaluation;

/** Warns a Workload's owner of its budget; told again where that can't be noted. */
interface Warnings {

  /** The subject of a warning. */
  enum Kind {
    /** The Workload will be evicted. */
    BUDGET_EXCEEDED("BudgetExceeded"),
    /** The Workload may start, but little of the budget is left. */
    SOFT_LIMIT_REACHED("BudgetSoftLimitReached");

    private final String reason;

    Kind(String reason) {
      this.reason = reason;
    }

    /** As it stands in events. */
    String reason() {
      return reason;
    }
  }

  /**
   * Warns.
   *
   * @throws RuntimeException if the Workload's owner could not be warned; of a soft limit, only if
   *     the thread was interrupted meanwhile
   */
  void warn(Evaluation<?> evaluation, Kind kind, String message);
}
