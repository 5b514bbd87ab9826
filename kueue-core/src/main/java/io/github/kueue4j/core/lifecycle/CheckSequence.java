// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckOrder;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObservedAnswer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The order in which checks are asked. A check is asked by its entry, so one that isn't due has
 * none. An entry that is there stays until the reservation, or the question before quota, ends: its
 * controller may have acted on it, and nothing is admitted before all are Ready in any case.
 *
 * <p>Alternatives come at the same time: after all that one of them comes after. What comes after
 * one of them comes after whichever is Ready first. So of a group one stands for all here.
 *
 * @param groups of the checks that are required
 * @param enforced those of them that hold up others
 */
record CheckSequence(CheckGroups groups, Set<String> enforced) {

  /** The sequence of checks that are required together, of which some only observe. */
  static CheckSequence among(CheckGroups groups, Set<String> observed) {
    Set<String> enforced = new HashSet<>(groups.checks().keySet());
    enforced.removeAll(observed);
    return new CheckSequence(groups, enforced);
  }

  /** R1: the entries of the checks that come after none; the others are withheld. */
  List<AdmissionCheckState> first(List<AdmissionCheckState> entries, WithheldChecks withheld) {
    List<AdmissionCheckState> first = new ArrayList<>();
    for (AdmissionCheckState entry : entries) {
      if (before(entry.name()).isEmpty()) {
        first.add(entry);
      } else {
        withheld.withhold(entry);
      }
    }
    return first;
  }

  /** The enforced checks that come before this one; of alternatives the first by name. */
  SortedSet<String> before(String check) {
    SortedSet<String> before = CheckOrder.before(standIn(check), this::after);
    before.retainAll(enforced);
    return before;
  }

  /** Whether all that come before this check are Ready, or an alternative to each is. */
  boolean isDue(String check, List<AdmissionCheckState> entries) {
    return before(check).stream().allMatch(other -> groups.isReady(other, entries));
  }

  /** The record of a check that only observed is no answer. */
  static boolean isReady(@Nullable AdmissionCheckState entry) {
    return entry != null && entry.is(CheckState.READY) && ObservedAnswer.of(entry).isEmpty();
  }

  private Set<String> after(String check) {
    Set<String> after = new TreeSet<>();
    for (String member : groups.members(check)) {
      CheckPolicy policy = groups.checks().get(member);
      if (policy != null) {
        policy.after().forEach(other -> after.add(standIn(other)));
      }
    }
    after.remove(check);
    return after;
  }

  private String standIn(String check) {
    return groups.members(check).first();
  }
}
