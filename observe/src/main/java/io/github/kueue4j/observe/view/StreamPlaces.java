// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import java.util.HashMap;
import java.util.Map;

/**
 * Places for streams of events, each of which holds a thread: so many in all, and so many for one
 * user, who would otherwise keep all others from theirs. Thread-safe.
 */
final class StreamPlaces {
  static final int MOST = 16;
  static final int MOST_PER_USER = 4;

  // Guarded by this; users without a stream aren't in it.
  private final Map<String, Integer> taken = new HashMap<>();
  private int all;

  /**
   * Takes a place, which has to be given back.
   *
   * @param user empty for those without a name, whom only the limit for all concerns
   * @throws ViewProblem if there is none
   */
  synchronized void take(String user) {
    if (all >= MOST) {
      throw new ViewProblem(
          503, "there are " + MOST + " streams of events already; ask for lists instead");
    }
    if (!user.isEmpty() && taken.getOrDefault(user, 0) >= MOST_PER_USER) {
      throw new ViewProblem(
          503, user + " has " + MOST_PER_USER + " streams of events already; close one of them");
    }
    taken.merge(user, 1, Integer::sum);
    all++;
  }

  /** Gives a place back. */
  synchronized void giveBack(String user) {
    taken.computeIfPresent(user, (name, places) -> places > 1 ? places - 1 : null);
    all--;
  }
}
