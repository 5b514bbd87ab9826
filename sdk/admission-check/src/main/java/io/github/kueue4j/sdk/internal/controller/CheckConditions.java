// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import java.util.List;
import java.util.function.Predicate;

/** The conditions that stand on an AdmissionCheck besides {@code Active}. */
final class CheckConditions {

  private final BackendReach reach;
  private final BackendCondition backend;
  private final AppliedParameters applied;
  private final Predicate<AdmissionCheck> toldOnParameters;

  /**
   * The conditions of a controller's checks.
   *
   * @param toldOnParameters whether the object that the check names says whether its backend
   *     answers, so that the AdmissionCheck doesn't
   */
  CheckConditions(
      BackendReach reach,
      BackendCondition backend,
      AppliedParameters applied,
      Predicate<AdmissionCheck> toldOnParameters) {
    this.reach = reach;
    this.backend = backend;
    this.applied = applied;
    this.toldOnParameters = toldOnParameters;
  }

  BackendReach reach() {
    return reach;
  }

  /** What the checks decide from. */
  AppliedParameters applied() {
    return applied;
  }

  /**
   * The conditions that the AdmissionCheck should have.
   *
   * @param before those that it has, or will have for other reasons
   */
  BackendCondition.Next next(
      AdmissionCheck check, Resolution<?> parameters, List<Condition> before) {
    if (parameters instanceof Resolution.Found<?> found) {
      applied.see(check, found);
    }
    return backendOf(check, applied.conditions(check, before));
  }

  private BackendCondition.Next backendOf(AdmissionCheck check, List<Condition> before) {
    if (toldOnParameters.test(check)) {
      boolean told = Conditions.find(before, BackendCondition.TYPE).isPresent();
      return new BackendCondition.Next(
          told ? Conditions.remove(before, BackendCondition.TYPE) : before, null);
    }
    return backend.next(
        check.key(),
        check.metadata().getGeneration(),
        before,
        reach.of(check.key().name()),
        reach.isReportedByAuthor());
  }

  /** The conditions were written; {@code before} are those that the AdmissionCheck had. */
  void written(AdmissionCheck check, List<Condition> before, BackendCondition.Next next) {
    if (next.tells(before)) {
      backend.written(check.key());
    }
  }
}
