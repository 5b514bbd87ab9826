// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.LedgerEdit;
import io.github.kueue4j.budget.ledger.Reckoned;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Run;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.policy.BudgetPolicySpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fate of Workloads that run while their budget is exceeded, because the limit was lowered or
 * they run longer than expected: under policies that evict, those that were let through last are
 * warned by an event and, after the grace period, evicted.
 */
final class RunningWorkloads {

  private static final Reason EXCEEDED = Reason.of("BudgetExceeded");
  private static final Duration GRACE = Duration.ofMinutes(10);

  private final Agreements agreements;
  private final Books books;
  private final Warnings warnings;
  private final double jitter;
  private final Consumer<LedgerName> gathered;

  /**
   * Puts it together.
   *
   * @param gathered is told of ledgers that something was gathered for, to have it written
   */
  RunningWorkloads(
      Agreements agreements,
      Books books,
      Warnings warnings,
      double jitter,
      Consumer<LedgerName> gathered) {
    this.agreements = agreements;
    this.books = books;
    this.warnings = warnings;
    this.jitter = jitter;
    this.gathered = gathered;
  }

  /**
   * Charges what a Workload that runs may cost by now: its time may have become longer, and pods
   * may have given their quota back.
   */
  void charge(Evaluation<Policy> evaluation, Reservation asked, Run.Running runs, Terms terms)
      throws InterruptedException {
    Instant now = evaluation.now();
    Books.Entry<Ledger> entry =
        books.change(
            Bookings.nameOf(evaluation),
            now,
            stored -> {
              Ledger rolled = stored.roll(terms, now);
              Ledger charged =
                  new LedgerEdit(rolled)
                      .start(asked.uid(), runs.since())
                      .charge(asked, Instant.ofEpochSecond(now.getEpochSecond()), terms)
                      .ledger();
              // That time has passed can be told again: it is no reason to write.
              Ledger after = charged.equals(rolled) ? stored : charged;
              return Books.Outcome.atOnce(after, after);
            });
    if (entry instanceof Books.Entry.Gathered<Ledger>) {
      haveWritten(evaluation);
    }
  }

  /** Something was gathered for the Workload's ledger: it is written when that is due. */
  void haveWritten(Evaluation<Policy> evaluation) {
    gathered.accept(Bookings.nameOf(evaluation));
  }

  Verdict recheck(Evaluation<Policy> evaluation, Terms terms) throws InterruptedException {
    Policy policy = evaluation.parameters();
    if (!policy.evicts()) {
      return Verdict.unchanged("The policy evicts no running Workloads.");
    }
    Instant now = evaluation.now();
    LedgerName name = Bookings.nameOf(evaluation);
    String uid = Objects.requireNonNullElse(evaluation.workload().metadata().getUid(), "");
    Reckoned ledger = books.latest(name).orElseGet(() -> agreements.ledger(name));
    @Nullable Reservation own = ledger.ledger().open().get(uid);
    if (own == null) {
      return Verdict.unchanged("Nothing is reserved for the Workload.");
    }
    @Nullable Instant since = own.overSince();
    if (!ledger.beyond(terms, now).contains(uid)) {
      if (since != null) {
        note(name, now, uid, null);
      }
      return Verdict.unchanged("The budget is not exceeded.");
    }
    Duration grace =
        policy
            .spec()
            .whileRunning()
            .flatMap(BudgetPolicySpec.WhileRunning::gracePeriod)
            .orElse(GRACE);
    if (since == null) {
      Instant second = Instant.ofEpochSecond(now.getEpochSecond());
      // Noted afterwards: whatever fails in between, none is evicted without a warning.
      warnings.warn(
          evaluation,
          Warnings.Kind.BUDGET_EXCEEDED,
          "The budget of the BudgetPolicy '%s' is exceeded. The Workload will be evicted at %s unless that changes."
              .formatted(policy.name(), second.plus(grace)));
      note(name, now, uid, second);
      return Verdict.unchanged("The budget is exceeded.");
    }
    if (now.isBefore(since.plus(grace))) {
      return Verdict.unchanged("The budget is exceeded.");
    }
    return Verdict.retry(
        EXCEEDED,
        "The budget of the BudgetPolicy '%s' has been exceeded since %s. Queued again in {delay}."
            .formatted(policy.name(), since),
        Delay.from(Backoff.until(policy.window().end(now)).withJitter(jitter)));
  }

  private void note(LedgerName name, Instant now, String uid, @Nullable Instant since)
      throws InterruptedException {
    Books.Entry<Ledger> entry =
        books.change(
            name,
            now,
            ledger -> {
              @Nullable Reservation own = ledger.open().get(uid);
              Ledger after =
                  own == null || Objects.equals(own.overSince(), since)
                      ? ledger
                      : ledger.with(own.over(since));
              return Books.Outcome.onceStored(after, after);
            });
    if (entry instanceof Books.Entry.Gathered<Ledger>) {
      gathered.accept(name);
    }
  }
}
