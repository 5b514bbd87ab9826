// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Run;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.budget.policy.Quote;
import io.github.kueue4j.sdk.Evaluation;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The reservations of amounts for Workloads, as they are asked for and stand in the ledgers. */
final class Bookings {

  /** A ledger is one object of the API: more would not fit into it. */
  static final int MOST_OPEN = 4000;

  private final Agreements agreements;
  private final Books books;
  private final Predicate<String> grouped;

  /**
   * Has booked nothing yet.
   *
   * @param grouped whether the AdmissionCheck of this name may have alternatives
   */
  Bookings(Agreements agreements, Books books, Predicate<String> grouped) {
    this.agreements = agreements;
    this.books = books;
    this.grouped = grouped;
  }

  static LedgerName nameOf(Evaluation<Policy> evaluation) {
    return new LedgerName(evaluation.parameters().name(), evaluation.namespace());
  }

  static String queue(Workload workload) {
    return Objects.requireNonNullElse(workload.spec().queueName(), "");
  }

  /** The reservation at this price. */
  Reservation asked(Evaluation<Policy> evaluation, Quote.Priced priced) {
    Workload workload = evaluation.workload();
    return Reservation.of(
            new Reservation.Claimant(
                uid(workload),
                workload.key().name(),
                new Payer(queue(workload), evaluation.parameters().user(workload)),
                grouped.test(evaluation.check()) ? evaluation.check() : ""),
            new Reservation.Charge(
                priced.rate(), priced.runtime(), priced.limited(), priced.held(), null),
            Instant.ofEpochSecond(evaluation.now().getEpochSecond()))
        .inAttempt(
            attempt(workload),
            Objects.requireNonNullElse(workload.status().accumulatedPastExecutionTimeSeconds(), 0));
  }

  private static Instant attempt(Workload workload) {
    return workload.conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(Instant.EPOCH);
  }

  /** The reservation for the Workload that its ledger has; null for none. */
  @Nullable Reservation own(Evaluation<Policy> evaluation) {
    return known(evaluation).open().get(uid(evaluation.workload()));
  }

  private Ledger known(Evaluation<Policy> evaluation) {
    LedgerName name = nameOf(evaluation);
    return books.latest(name).orElseGet(() -> agreements.ledger(name)).ledger();
  }

  private static String uid(Workload workload) {
    return Objects.requireNonNullElse(workload.metadata().getUid(), "");
  }

  /** The answer that would be given now; nothing is reserved. */
  Answer foreseen(Evaluation<Policy> evaluation, Reservation asked, Terms terms) {
    Instant now = evaluation.now();
    return settleFormer(known(evaluation).roll(terms, now), evaluation.workload(), terms)
        .reserve(asked, terms, now);
  }

  /** Written before the Ready leaves: then no other Workload can get the same amount. */
  Books.Entry<Answer> reserve(Evaluation<Policy> evaluation, Reservation asked, Terms terms)
      throws InterruptedException {
    Instant now = evaluation.now();
    LedgerName name = nameOf(evaluation);
    return books.change(
        name,
        now,
        stored -> {
          Ledger rolled = stored.roll(terms, now);
          Ledger ledger = settleFormer(rolled, evaluation.workload(), terms);
          Answer answer = ledger.reserve(asked, terms, now);
          Ledger after = answer instanceof Answer.Granted granted ? granted.after() : ledger;
          // That time has passed can be told again: it is no reason to write.
          Ledger written = Objects.equals(after, rolled) ? stored : after;
          if (!(answer instanceof Answer.Granted)) {
            return Books.Outcome.atOnce(written, answer);
          }
          requirePlace(name, written);
          return Books.Outcome.onceStored(written, answer);
        });
  }

  /** Settles an open rest of a former attempt, which is over, whether or not it was seen to end. */
  private static Ledger settleFormer(Ledger ledger, Workload workload, Terms terms) {
    @Nullable Reservation former = ledger.open().get(uid(workload));
    return former != null && Run.of(former, workload) instanceof Run.Over over
        ? Keeping.over(ledger, former, over, terms)
        : ledger;
  }

  private static void requirePlace(LedgerName name, Ledger after) {
    long size = BudgetLedger.growTo(after);
    if (after.open().size() > MOST_OPEN || size > BudgetLedger.MOST_BYTES) {
      throw new IllegalStateException(
          "the BudgetLedger '"
              + name.key().name()
              + "' has no place for another reservation until Workloads end: it would have "
              + after.open().size()
              + " of "
              + MOST_OPEN
              + " open ones, and "
              + size
              + " of "
              + BudgetLedger.MOST_BYTES
              + " bytes");
    }
  }
}
