// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckOrder;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObservedAnswer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which checks are asked before which others. A check is asked by its entry, so one that isn't due
 * has none. An entry that is there stays until the reservation, or the question before quota, ends:
 * its controller may have acted on it, and nothing is admitted before all are Ready in any case.
 *
 * @param checks that are required, by name
 * @param enforced those of them that hold up others
 */
record CheckSequence(Map<String, CheckPolicy> checks, Set<String> enforced) {

  /** The sequence of checks that are required together, of which some only observe. */
  static CheckSequence among(Collection<CheckPolicy> checks, Set<String> observed) {
    Map<String, CheckPolicy> byName = new TreeMap<>();
    checks.forEach(check -> byName.put(check.name(), check));
    Set<String> enforced = new HashSet<>(byName.keySet());
    enforced.removeAll(observed);
    return new CheckSequence(byName, enforced);
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

  /** The enforced checks that come before this one. */
  SortedSet<String> before(String check) {
    SortedSet<String> before = CheckOrder.before(check, this::after);
    before.retainAll(enforced);
    return before;
  }

  /** Whether all that come before this check are Ready. */
  boolean isDue(String check, List<AdmissionCheckState> entries) {
    return before(check).stream().allMatch(other -> isReady(Entries.find(entries, other)));
  }

  /** The record of a check that only observed is no answer. */
  static boolean isReady(@Nullable AdmissionCheckState entry) {
    return entry != null && entry.is(CheckState.READY) && ObservedAnswer.of(entry).isEmpty();
  }

  private Set<String> after(String check) {
    CheckPolicy policy = checks.get(check);
    return policy == null ? Set.of() : policy.after();
  }
}
