// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObservedAnswer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and edits check entries. Entries are changed only by their check's controller or by these
 * methods (invariant 7).
 */
final class Entries {
  /** The largest number of entries that the API accepts. */
  static final int LIMIT = 8;

  private Entries() {}

  /**
   * R1: exactly the required entries, each Pending since the reservation. Pending ones keep their
   * retryCount, and those that are withheld or Ready before quota, which is no success yet; all
   * others lose it, because they had succeeded.
   */
  static List<AdmissionCheckState> forReservation(
      List<AdmissionCheckState> entries,
      WithheldChecks remembered,
      Collection<String> required,
      Set<String> beforeQuota,
      Instant reservedAt) {
    List<AdmissionCheckState> fresh = new ArrayList<>();
    for (String name : new TreeSet<>(required)) {
      AdmissionCheckState entry = find(entries, name);
      entry = entry == null ? remembered.asked(name, reservedAt) : remembered.found(entry);
      fresh.add(pending(entry, countKept(entry, beforeQuota), reservedAt, "for a new reservation"));
    }
    return fresh;
  }

  /** R2: the checks succeeded, so their retry counts are reset. */
  static List<AdmissionCheckState> succeeded(List<AdmissionCheckState> entries) {
    return map(entries, entry -> entry.withRetryCount(null).withRequeueAfterSeconds(null));
  }

  /**
   * The end of a reservation: each Ready becomes Pending without its count, because it was about
   * that reservation. A Retry that counts stays, with its delay.
   */
  static List<AdmissionCheckState> afterReservation(List<AdmissionCheckState> entries, Instant at) {
    return map(
        entries,
        entry ->
            entry.is(CheckState.READY)
                ? pending(entry, null, at, "with the release of the quota")
                : entry);
  }

  /**
   * R14: without a reservation, alternatives of which only some say Retry or Rejected have no
   * entries, since there is nothing to answer; nor have those beside a Retry that the Workload is
   * evicted for. A Retry is counted.
   */
  static List<AdmissionCheckState> setAside(
      List<AdmissionCheckState> entries, CheckGroups groups, WithheldChecks withheld) {
    List<AdmissionCheckState> left = new ArrayList<>();
    for (AdmissionCheckState entry : entries) {
      if (groups.outlivesReservation(entry, entries)) {
        left.add(entry);
      } else {
        AdmissionCheckState counted = withheld.found(entry);
        withheld.withhold(counted.withRetryCount(countOfNextAttempt(counted, Set.of())));
      }
    }
    return left;
  }

  /**
   * R6: everything that isn't Pending becomes Pending. A Retry is counted, exactly once because the
   * count and the state change in one patch; a Ready entry loses its count, unless it is Ready
   * before quota.
   */
  static List<AdmissionCheckState> afterBackoff(
      List<AdmissionCheckState> entries, Set<String> beforeQuota, Instant at) {
    return map(
        entries,
        entry ->
            entry.is(CheckState.PENDING)
                ? entry
                : pending(entry, countOfNextAttempt(entry, beforeQuota), at, "after the backoff"));
  }

  /** R8, R9 and R11: Pending without counts and delays. */
  static List<AdmissionCheckState> cleared(
      List<AdmissionCheckState> entries, Instant at, String why) {
    return map(
        entries,
        entry ->
            entry.is(CheckState.PENDING)
                ? entry.withRetryCount(null).withRequeueAfterSeconds(null)
                : pending(entry, null, at, why));
  }

  /** Removes entries that are no longer required, except Rejected ones, which always count. */
  static List<AdmissionCheckState> withoutUnrequired(
      List<AdmissionCheckState> entries, Set<String> required) {
    return entries.stream()
        .filter(entry -> required.contains(entry.name()) || entry.is(CheckState.REJECTED))
        .toList();
  }

  /** R10: a Pending entry that has waited too long becomes a Retry without a delay of its own. */
  static AdmissionCheckState timedOut(AdmissionCheckState entry, Instant at, String message) {
    return entry
        .withState(CheckState.RETRY)
        .withLastTransitionTime(at)
        .withMessage(message)
        .withRequeueAfterSeconds(null)
        .withPodSetUpdates(List.of());
  }

  /** R12: the record of an answer that nothing waited for. Its count stays: nothing was retried. */
  static AdmissionCheckState observed(AdmissionCheckState entry, Instant at) {
    String answer = new ObservedAnswer(entry.state(), "", entry.message()).text();
    return entry
        .withState(CheckState.READY)
        .withLastTransitionTime(at)
        .withMessage(Messages.cut(answer))
        .withRequeueAfterSeconds(null)
        .withPodSetUpdates(List.of());
  }

  /** R12: an answer that counts for nothing, and without a reservation to be recorded about. */
  static AdmissionCheckState unobserved(AdmissionCheckState entry, Instant at) {
    return pending(entry, entry.retryCount(), at, "since its check only observes");
  }

  /** R12: the record of a check that is enforced now is no answer. */
  static AdmissionCheckState askedAgain(AdmissionCheckState entry, Instant at) {
    return pending(entry, entry.retryCount(), at, "since its check is enforced now");
  }

  /** R13: another question before quota, with a date of its own. Its count stays. */
  static AdmissionCheckState askedBeforeQuota(AdmissionCheckState entry, Instant at, String why) {
    Instant after = ApiSeconds.later(at, entry.lastTransitionTime().plusSeconds(1));
    return pending(entry, entry.retryCount(), after, why);
  }

  /** The entries in this state, sorted by name. */
  static List<AdmissionCheckState> in(CheckState state, List<AdmissionCheckState> entries) {
    if (entries.isEmpty()) {
      return entries; // Asked several times at each change, and many Workloads have no checks.
    }
    return entries.stream()
        .filter(entry -> entry.is(state))
        .sorted(Comparator.comparing(AdmissionCheckState::name))
        .toList();
  }

  /** The required ones in Retry, sorted by name. */
  static List<AdmissionCheckState> retries(
      List<AdmissionCheckState> entries, Set<String> required) {
    return entries.isEmpty()
        ? entries
        : in(CheckState.RETRY, entries).stream()
            .filter(entry -> required.contains(entry.name()))
            .toList();
  }

  static @Nullable AdmissionCheckState find(List<AdmissionCheckState> entries, String name) {
    return entries.stream().filter(entry -> entry.name().equals(name)).findFirst().orElse(null);
  }

  static List<AdmissionCheckState> map(
      List<AdmissionCheckState> entries, UnaryOperator<AdmissionCheckState> edit) {
    return entries.stream().map(edit).toList();
  }

  private static AdmissionCheckState pending(
      AdmissionCheckState entry, @Nullable Integer retryCount, Instant at, String why) {
    return new AdmissionCheckState(
        entry.name(),
        CheckState.PENDING,
        at,
        entry.is(CheckState.PENDING) ? entry.message() : Messages.reset(entry, why),
        null,
        retryCount,
        List.of(),
        null);
  }

  private static @Nullable Integer countKept(AdmissionCheckState entry, Set<String> beforeQuota) {
    return entry.is(CheckState.READY) && !beforeQuota.contains(entry.name())
        ? null
        : entry.retryCount();
  }

  private static @Nullable Integer countOfNextAttempt(
      AdmissionCheckState entry, Set<String> beforeQuota) {
    if (!entry.is(CheckState.RETRY)) {
      return countKept(entry, beforeQuota);
    }
    int count = entry.retryCount() == null ? 0 : Math.max(0, entry.retryCount());
    return count == Integer.MAX_VALUE ? count : count + 1;
  }
}
