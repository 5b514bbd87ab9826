// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.Situation;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** What alternatives say together, as an observer reads it. */
final class AnyOf {
  private AnyOf() {}

  /** The required checks of which one is enough, with this one. */
  static Set<String> members(Situation situation, String check) {
    Set<String> members = new TreeSet<>(Set.of(check));
    CheckPolicy policy = situation.required().get(check);
    if (policy != null && policy.anyOf() != null && isGrouped(situation, check)) {
      situation.required().values().stream()
          .filter(other -> Objects.equals(policy.anyOf(), other.anyOf()))
          .map(CheckPolicy::name)
          .filter(other -> isGrouped(situation, other))
          .forEach(members::add);
    }
    return members;
  }

  private static boolean isGrouped(Situation situation, String check) {
    return !situation.checks().observed().contains(check)
        && !situation.checks().beforeQuota().containsKey(check);
  }

  /** What they say, where they have been asked. */
  static List<AdmissionCheckState> answers(Situation situation, Workload object, String check) {
    Set<String> members = members(situation, check);
    return object.status().admissionChecks().stream()
        .filter(entry -> members.contains(entry.name()))
        .toList();
  }

  static boolean isReady(Situation situation, Workload object, String check) {
    return answers(situation, object, check).stream()
        .anyMatch(entry -> entry.is(CheckState.READY) && !Essence.isRecord(entry));
  }

  /** Whether no alternative says Ready, or has yet to answer. */
  static boolean allRefuse(Situation situation, String check) {
    boolean admitted = Reading.admitted(situation.workload());
    return !isReady(situation, situation.workload(), check)
        && answers(situation, situation.workload(), check).stream()
            .allMatch(
                entry -> admitted || entry.is(CheckState.RETRY) || entry.is(CheckState.REJECTED));
  }

  /** Whether a Rejected of this check is final: all refuse, and none of them by a Retry. */
  static boolean allReject(Situation situation, String check) {
    return allRefuse(situation, check)
        && answers(situation, situation.workload(), check).stream()
            .noneMatch(entry -> entry.is(CheckState.RETRY));
  }
}
