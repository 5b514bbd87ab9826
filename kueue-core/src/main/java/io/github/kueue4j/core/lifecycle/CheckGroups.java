// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckGroup;
import io.github.kueue4j.api.CheckState;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The alternatives among the required checks ({@link CheckGroup}), and what the entries of each
 * group say together. A check without a group is one of its own.
 *
 * <p>To be asked is to have an entry: a member without one is not waited for, and can't say yes.
 *
 * @param checks that are required, by name
 * @param alone those of them that are in no group, whatever they are annotated with: nothing waits
 *     for what only observes, and what is asked before quota is always needed
 * @param admitted whether the Workload is: then only the answers count that it was admitted with
 */
record CheckGroups(SortedMap<String, CheckPolicy> checks, Set<String> alone, boolean admitted) {

  /** The groups among the checks that count now. */
  static CheckGroups of(Situation situation) {
    return of(
        situation.checks(), situation.required(), situation.workload().conditions().admitted());
  }

  /** The groups among checks that are about to be asked with quota. */
  static CheckGroups among(Collection<CheckPolicy> asked, RequiredChecks settings) {
    SortedMap<String, CheckPolicy> byName = new TreeMap<>();
    asked.forEach(check -> byName.put(check.name(), check));
    return of(settings, byName, false);
  }

  private static CheckGroups of(
      RequiredChecks settings, SortedMap<String, CheckPolicy> required, boolean admitted) {
    Set<String> alone = settings.observed();
    if (!settings.beforeQuota().isEmpty()) {
      alone = new HashSet<>(alone);
      alone.addAll(settings.beforeQuota().keySet());
    }
    return new CheckGroups(required, alone, admitted);
  }

  /** The checks of a check's group, itself included. */
  SortedSet<String> members(String check) {
    SortedSet<String> members = new TreeSet<>(Set.of(check));
    String group = group(check);
    if (group != null) {
      for (String other : checks.keySet()) {
        if (group.equals(group(other))) {
          members.add(other);
        }
      }
    }
    return members;
  }

  private @Nullable String group(String check) {
    CheckPolicy policy = checks.get(check);
    return policy == null || alone.contains(check) ? null : policy.anyOf();
  }

  /** The entries of a check's group. */
  List<AdmissionCheckState> answers(String check, List<AdmissionCheckState> entries) {
    SortedSet<String> members = members(check);
    return entries.stream().filter(entry -> members.contains(entry.name())).toList();
  }

  /** Whether a check or an alternative to it says Ready. */
  boolean isReady(String check, List<AdmissionCheckState> entries) {
    return answers(check, entries).stream().anyMatch(CheckSequence::isReady);
  }

  /** Whether every check is Ready, or an alternative to it, or only observes. */
  boolean agree(Set<String> observed, List<AdmissionCheckState> entries) {
    return checks.keySet().stream()
        .allMatch(check -> observed.contains(check) || isReady(check, entries));
  }

  /**
   * Whether a Retry or Rejected counts: no alternative says Ready, or may still do so. What was
   * admitted isn't asked again, so there only Ready does.
   */
  boolean counts(AdmissionCheckState answer, List<AdmissionCheckState> entries) {
    return answers(answer.name(), entries).stream().allMatch(this::refuses);
  }

  private boolean refuses(AdmissionCheckState entry) {
    return refused(entry) || (admitted && !CheckSequence.isReady(entry));
  }

  /**
   * Whether an entry stays without a reservation: neither it nor an alternative says Retry or
   * Rejected, or it does and counts.
   */
  boolean outlivesReservation(AdmissionCheckState entry, List<AdmissionCheckState> entries) {
    return refused(entry)
        ? counts(entry, entries)
        : answers(entry.name(), entries).stream().noneMatch(CheckGroups::refused);
  }

  static boolean refused(AdmissionCheckState entry) {
    return entry.is(CheckState.RETRY) || entry.is(CheckState.REJECTED);
  }

  /** The required Retries that count, sorted by name. */
  List<AdmissionCheckState> retries(List<AdmissionCheckState> entries) {
    return Entries.retries(entries, checks.keySet()).stream()
        .filter(entry -> counts(entry, entries))
        .toList();
  }

  /** The Rejected that count where no alternative says Retry, sorted by name. */
  List<AdmissionCheckState> rejections(List<AdmissionCheckState> entries) {
    return Entries.in(CheckState.REJECTED, entries).stream()
        .filter(
            entry ->
                counts(entry, entries)
                    && answers(entry.name(), entries).stream()
                        .noneMatch(answer -> answer.is(CheckState.RETRY)))
        .toList();
  }

  /**
   * Whether a Workload is admitted with this entry: of alternatives with the first that is Ready,
   * by name, alone, so that what is added to its pods is of one of them.
   */
  boolean isChosen(AdmissionCheckState entry, List<AdmissionCheckState> entries) {
    return members(entry.name()).size() == 1
        || answers(entry.name(), entries).stream()
            .filter(CheckSequence::isReady)
            .map(AdmissionCheckState::name)
            .min(String::compareTo)
            .filter(entry.name()::equals)
            .isPresent();
  }
}
