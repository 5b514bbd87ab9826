// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The facts that the core has to remember of checks that have no entry, because they come after
 * others or were set aside with their alternatives: the retryCount of each. It is the message of
 * the condition {@link WorkloadConditions#WITHHELD_CHECKS}, written in the same patch as the
 * entries, so that no crash loses a count or counts twice. The date of the condition is the
 * earliest one that such an entry may have when it is made, so that a late answer to an earlier
 * question finds another entry.
 */
final class WithheldChecks {
  private static final String MESSAGE = "Asked in their turn; retried so far: ";
  private static final Pattern COUNT =
      Pattern.compile("(?<![-.a-z0-9])([-.a-z0-9]{1,253})=([0-9]{1,9})(?![0-9])");

  private final Map<String, Integer> retryCounts = new TreeMap<>();
  private Instant notBefore;

  private WithheldChecks(Instant notBefore) {
    this.notBefore = notBefore;
  }

  /** No check is withheld yet; no entry of one is earlier than {@code notBefore}. */
  static WithheldChecks none(Instant notBefore) {
    return new WithheldChecks(notBefore);
  }

  /** The checks that a status remembers. */
  static WithheldChecks of(WorkloadStatus status) {
    return of(status.conditions());
  }

  private static WithheldChecks of(List<Condition> conditions) {
    Condition condition =
        Conditions.find(conditions, WorkloadConditions.WITHHELD_CHECKS).orElse(null);
    WithheldChecks withheld =
        none(condition == null ? Instant.EPOCH : condition.lastTransitionTime());
    if (condition != null) {
      COUNT
          .matcher(condition.message())
          .results()
          .forEach(count -> withheld.put(count.group(1), Integer.valueOf(count.group(2))));
    }
    return withheld;
  }

  /** The first entry of a check that is asked now, with its count. */
  AdmissionCheckState asked(String check, Instant at) {
    Integer count = retryCounts.remove(check);
    return AdmissionCheckState.pending(check, ApiSeconds.later(at, notBefore))
        .withRetryCount(count == null || count == 0 ? null : count);
  }

  /** Gives an entry that another client made the higher count, and forgets the remembered one. */
  AdmissionCheckState found(AdmissionCheckState entry) {
    Integer count = retryCounts.remove(entry.name());
    int counted = entry.retryCount() == null ? 0 : entry.retryCount();
    return count == null || count <= counted ? entry : entry.withRetryCount(count);
  }

  /** Forgets the checks that aren't required. */
  void retain(Set<String> required) {
    retryCounts.keySet().retainAll(required);
  }

  /** Withholds a check that has no entry. */
  void withhold(String check) {
    retryCounts.putIfAbsent(check, 0);
  }

  /** Withholds a check whose entry is removed. */
  void withhold(AdmissionCheckState entry) {
    put(entry.name(), entry.retryCount() == null ? 0 : entry.retryCount());
  }

  /** As {@link #withhold(AdmissionCheckState)}, for another question in the same reservation. */
  void withholdUntilAfter(AdmissionCheckState entry) {
    withhold(entry);
    notBefore = ApiSeconds.later(entry.lastTransitionTime().plusSeconds(1), notBefore);
  }

  private void put(String check, int count) {
    retryCounts.put(check, count);
  }

  /** The conditions with what is remembered now; without the condition if that is nothing. */
  List<Condition> in(List<Condition> conditions, Instant at) {
    WithheldChecks before = of(conditions);
    if (retryCounts.equals(before.retryCounts) && notBefore.equals(before.notBefore)) {
      return conditions;
    }
    if (retryCounts.isEmpty()) {
      return Conditions.remove(conditions, WorkloadConditions.WITHHELD_CHECKS);
    }
    String counts =
        retryCounts.entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining(", "));
    Condition remembered =
        Condition.isTrue(
            WorkloadConditions.WITHHELD_CHECKS,
            "AskedInOrder",
            MESSAGE + counts,
            ApiSeconds.later(at, notBefore));
    return Conditions.set(conditions, remembered).stream()
        .map(each -> each.type().equals(remembered.type()) ? remembered : each)
        .toList();
  }
}
