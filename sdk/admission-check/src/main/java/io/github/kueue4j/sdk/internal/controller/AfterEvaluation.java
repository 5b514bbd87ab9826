// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The effects that an evaluation leaves behind.
 *
 * @param progress what to remember; absent: nothing, the check is due whenever it is looked at
 * @param wakeUpSpent whether a wake-up that led to the evaluation has had its effect
 * @param next when to look at the entry again; absent: when something changes
 */
record AfterEvaluation(@Nullable Progress progress, boolean wakeUpSpent, @Nullable Instant next) {

  /** The entry says what the check answered. */
  static AfterEvaluation answered(Progress progress) {
    return new AfterEvaluation(progress, true, progress.next());
  }

  /** The answer came too late and nothing waits for another. */
  static AfterEvaluation tooLate() {
    return new AfterEvaluation(null, true, null);
  }

  /** Nothing can be asked before something changes, which wakes the entry; nothing is spent. */
  static AfterEvaluation notPossible() {
    return new AfterEvaluation(null, false, null);
  }

  /** It couldn't be told whether the check's own delay ends; it goes on meanwhile. */
  static AfterEvaluation failedInBackoff(Progress failure) {
    return new AfterEvaluation(failure, false, failure.next());
  }

  /** There is no answer yet: evaluate again then. */
  static AfterEvaluation again(Instant next) {
    return new AfterEvaluation(null, false, next);
  }

  /** The check could not be asked now; what came of earlier evaluations still counts. */
  static AfterEvaluation notAsked(Progress known) {
    return new AfterEvaluation(known, false, known.next());
  }
}
