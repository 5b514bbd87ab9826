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

  /** Somebody who is no check had a hand in it: this round isn't judged. */
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
