// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;

/**
 * The Workloads that can't be decided before a person changes a policy or a Budget. They are
 * pending as long as a check that fails would be, then they give their quota back for a delay that
 * grows with each attempt.
 */
final class Undecided {

  private static final Backoff AFTERWARDS =
      Backoff.exponential(Duration.ofMinutes(5), 2).atMost(Duration.ofHours(1));

  private final Duration pendingFor;

  /**
   * Lets them hold quota for some time.
   *
   * @param pendingFor no longer than this; positive
   */
  Undecided(Duration pendingFor) {
    this.pendingFor = pendingFor;
  }

  /**
   * Why a Workload can't be decided.
   *
   * @param message for people: what to do
   */
  record Cause(Reason reason, String message) {
    static Cause unknownNamespace(String name) {
      return new Cause(
          Reason.of("NamespaceUnknown"),
          "The namespace '"
              + name
              + "' has not been seen yet, so it isn't known whether it has a budget.");
    }

    static Cause noBudget(String message) {
      return new Cause(Reason.of("NoBudget"), message);
    }

    static Cause invalidBudget(String message) {
      return new Cause(Reason.of("InvalidBudget"), message);
    }

    static Cause noPrice(String message) {
      return new Cause(Reason.of("PriceUnknown"), message);
    }
  }

  /** The answer for a Workload that must not start meanwhile. */
  Verdict waits(Evaluation<Policy> evaluation, Cause cause) {
    if (!evaluation.entry().is(CheckState.PENDING)) {
      return Verdict.unchanged(cause.message());
    }
    Instant now = evaluation.now();
    Instant reserved =
        evaluation.workload().conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(now);
    Duration left = Duration.between(now, reserved.plus(pendingFor));
    if (left.isPositive()) {
      return Verdict.pending(cause.message(), left);
    }
    return Verdict.retry(cause.reason(), cause.message() + " Queued again in {delay}.", AFTERWARDS);
  }
}
