// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.observer;

import java.util.Optional;

/**
 * Counts the core's patches of one Workload from one reservation to the next (invariant 10): three
 * for a round of Retry (evict and release, requeue, reserve), one more if it was admitted first and
 * one for that admission. Each further word of a check may cost two: one that moves the deadline
 * one, a Retry that comes after the requeue another requeue as well.
 */
final class Rounds {
  private static final int RETRY = 3;
  private static final int ADMITTED = 2;
  private static final int LATE_WORD = 2;

  private int patches;
  private int lateWords;
  private boolean retried;
  private boolean wasAdmitted;
  private boolean disturbed;
  private int most;

  /** A check wrote its entry. */
  void word(boolean retry, boolean admitted) {
    if (retried) {
      lateWords++;
    }
    retried |= retry;
    wasAdmitted |= admitted;
  }

  /** The core wrote. */
  void patch() {
    patches++;
  }

  /** Notes that a client that is no check wrote in this round, so that the round isn't judged. */
  void disturbed() {
    disturbed = true;
  }

  /** The core reserved quota again, which is a patch that was counted; says what is wrong. */
  Optional<String> reserved() {
    int allowed = RETRY + (wasAdmitted ? ADMITTED : 0) + lateWords * LATE_WORD;
    Optional<String> problem =
        retried && !disturbed && patches > allowed
            ? Optional.of(
                patches
                    + " patches of the core in a round with "
                    + lateWords
                    + " late words, where "
                    + allowed
                    + " should do")
            : Optional.empty();
    if (retried && !disturbed && lateWords == 0) {
      most = Math.max(most, patches);
    }
    patches = 0;
    lateWords = 0;
    retried = false;
    wasAdmitted = false;
    disturbed = false;
    return problem;
  }

  int most() {
    return most;
  }
}
