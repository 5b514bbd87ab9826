// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What an observer remembers for the invariants, besides the objects.
 *
 * @param notBefore per check: so many seconds from now no quota may be reserved, by its last word
 * @param podsNotBefore the same after a pods-ready timeout
 * @param ready bit per check: it answered Ready for the reservation that holds now
 * @param patches how many patches of the core this round of retry may still take; {@link
 *     #NOT_COUNTED} outside of one
 */
record Ghost(List<Integer> notBefore, int podsNotBefore, int ready, int patches) {

  static final int NOT_COUNTED = -1;
  private static final int MOST_PATCHES = 9;

  Ghost {
    notBefore = List.copyOf(notBefore);
  }

  static Ghost none(int checks) {
    return new Ghost(Collections.nCopies(checks, 0), 0, 0, NOT_COUNTED);
  }

  Ghost word(int check, int seconds) {
    List<Integer> changed = new ArrayList<>(notBefore);
    changed.set(check, Math.max(0, seconds));
    return new Ghost(changed, podsNotBefore, ready, patches);
  }

  Ghost withoutDelays() {
    return new Ghost(Collections.nCopies(notBefore.size(), 0), 0, ready, patches);
  }

  Ghost pods(int seconds) {
    return new Ghost(notBefore, Math.max(podsNotBefore, seconds), ready, patches);
  }

  Ghost readyFor(int check, boolean now) {
    return new Ghost(
        notBefore, podsNotBefore, now ? ready | (1 << check) : ready & ~(1 << check), patches);
  }

  boolean isReady(int check) {
    return (ready & (1 << check)) != 0;
  }

  Ghost withoutReady() {
    return new Ghost(notBefore, podsNotBefore, 0, patches);
  }

  Ghost patches(int left) {
    return new Ghost(notBefore, podsNotBefore, ready, Math.min(left, MOST_PATCHES));
  }

  boolean counts() {
    return patches != NOT_COUNTED;
  }

  /** A second later. */
  Ghost later() {
    List<Integer> changed = notBefore.stream().map(seconds -> Math.max(0, seconds - 1)).toList();
    return new Ghost(changed, Math.max(0, podsNotBefore - 1), ready, patches);
  }
}
