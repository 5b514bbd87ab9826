// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.budget.policy.Price;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.controller.Guards;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The Workloads that can't be decided before a person changes a policy or a Budget. They are
 * pending as long as a check that fails would be, then they give their quota back for a delay that
 * grows with each attempt.
 */
final class Undecided {

  /** No longer than this they hold quota. */
  static final Duration PENDING_FOR = Guards.defaults().errorBudget();

  private static final Backoff AFTERWARDS =
      Backoff.exponential(Duration.ofMinutes(5), 2).atMost(Duration.ofHours(1));

  /** Those that were sent back first are forgotten; their delays last to their end. */
  private static final int MOST = 10_000;

  // By the uid of the Workload; guarded by itself.
  private final Map<String, List<Price>> sentBack = new LinkedHashMap<>();

  /**
   * Why a Workload can't be decided.
   *
   * @param message for people: what to do
   * @param prices among which one was missing; empty: something else stands in the way
   */
  record Cause(Reason reason, String message, List<Price> prices) {
    static Cause noBudget(String message) {
      return new Cause(Reason.of("NoBudget"), message, List.of());
    }

    static Cause invalidBudget(String message) {
      return new Cause(Reason.of("InvalidBudget"), message, List.of());
    }

    static Cause noPrice(String message, Policy policy) {
      return new Cause(Reason.of("PriceUnknown"), message, policy.spec().prices());
    }
  }

  /** What becomes of one that must not start meanwhile. */
  Verdict waits(Evaluation<Policy> evaluation, Cause cause) {
    if (evaluation.inBackoff()) {
      return stillWaits(evaluation, cause);
    }
    if (!evaluation.entry().is(CheckState.PENDING)) {
      return Verdict.unchanged(cause.message());
    }
    Instant now = evaluation.now();
    Instant reserved =
        evaluation.workload().conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(now);
    Duration left = Duration.between(now, reserved.plus(PENDING_FOR));
    if (left.isPositive()) {
      return Verdict.pending(cause.message(), left);
    }
    remember(uid(evaluation), cause.prices());
    return Verdict.retry(cause.reason(), cause.message() + " Queued again in {delay}.", AFTERWARDS);
  }

  /**
   * Without quota a Workload has no flavor, so that no price of a flavor applies to it: whether one
   * is missing shows only with quota. Its delay ends when other prices hold than when it began, or
   * when something else stood in the way.
   */
  private Verdict stillWaits(Evaluation<Policy> evaluation, Cause cause) {
    if (cause.prices().isEmpty()) {
      return Verdict.unchanged(cause.message());
    }
    synchronized (sentBack) {
      @Nullable List<Price> before = sentBack.get(uid(evaluation));
      return before == null || before.equals(cause.prices())
          ? Verdict.unchanged(cause.message())
          : Verdict.endDelay("What the check could not decide may be known by now.");
    }
  }

  private void remember(String uid, List<Price> prices) {
    synchronized (sentBack) {
      sentBack.remove(uid);
      sentBack.put(uid, prices);
      if (sentBack.size() > MOST) {
        sentBack.remove(sentBack.keySet().iterator().next());
      }
    }
  }

  private static String uid(Evaluation<?> evaluation) {
    return Objects.requireNonNullElse(evaluation.workload().metadata().getUid(), "");
  }
}
