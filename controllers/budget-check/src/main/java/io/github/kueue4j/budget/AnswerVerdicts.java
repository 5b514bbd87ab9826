// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.policy.BudgetPolicySpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Instant;
import java.util.Optional;

/** The verdicts that follow from the answers of ledgers. */
final class AnswerVerdicts {

  private static final Reason TOO_EXPENSIVE = Reason.of("CostExceedsBudget");
  private static final String SUPERSEDED =
      "An amount is reserved for a later reservation of quota of the Workload.";

  private final Warnings warnings;
  private final double jitter;

  AnswerVerdicts(Warnings warnings, double jitter) {
    this.warnings = warnings;
    this.jitter = jitter;
  }

  Verdict of(Evaluation<Policy> evaluation, Reservation asked, Answer answer) {
    Policy policy = evaluation.parameters();
    Wording wording = new Wording(policy);
    return switch (answer) {
      case Answer.Granted granted -> {
        Optional<String> warning = softWarning(policy, granted);
        warning.ifPresent(
            text -> warnings.warn(evaluation, Warnings.Kind.SOFT_LIMIT_REACHED, text));
        yield Verdict.ready(
            wording.reserved(asked, granted) + warning.map(text -> " " + text).orElse(""));
      }
      case Answer.Exhausted exhausted ->
          Verdict.retry(
              reason(policy), wording.exhausted(asked, exhausted), until(exhausted.retryAt()));
      case Answer.Superseded later -> Verdict.unchanged(SUPERSEDED);
      case Answer.NeverFits never ->
          policy.spec().tooExpensive().orElse(BudgetPolicySpec.TooExpensive.REJECT)
                  == BudgetPolicySpec.TooExpensive.REJECT
              ? Verdict.rejected(TOO_EXPENSIVE, wording.neverFits(asked, never))
              : Verdict.retry(
                  TOO_EXPENSIVE,
                  wording.neverFits(asked, never),
                  until(policy.window().end(evaluation.now())));
    };
  }

  private static Reason reason(Policy policy) {
    return Reason.of(
        switch (policy.spec().window().type()) {
          case DAILY -> "DailyBudgetExhausted";
          case WEEKLY -> "WeeklyBudgetExhausted";
          case MONTHLY -> "MonthlyBudgetExhausted";
          case ROLLING -> "BudgetExhausted";
        });
  }

  private Delay until(Instant moment) {
    return Delay.from(Backoff.until(moment).withJitter(jitter));
  }

  private static Optional<String> softWarning(Policy policy, Answer.Granted granted) {
    return policy
        .softLimit(granted.limit())
        .filter(granted.limit().minus(granted.left())::exceeds)
        .map(limit -> new Wording(policy).softLimit());
  }
}
