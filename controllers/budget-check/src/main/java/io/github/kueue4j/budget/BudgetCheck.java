// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.consumption.ConsumptionUnknownException;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Run;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.policy.BudgetPolicySpec;
import io.github.kueue4j.budget.policy.ConsumptionSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.budget.policy.Quote;
import io.github.kueue4j.http.Unavailability;
import io.github.kueue4j.sdk.BackendReport;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.DelayEndingCheck;
import io.github.kueue4j.sdk.ErrorPolicy;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Lets Workloads through as long as there is budget left, and sends the others back until there is.
 * The package says how.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BudgetCheck implements DelayEndingCheck<Policy> {

  private static final Reason NO_RUNTIME = Reason.of("NoRuntimeDeclared");

  private static final String GATHERED =
      "The budget suffices. The Workload may start as soon as its reservation is stored: the ledger"
          + " of the namespace is large, and many changes of it are written together.";

  private final Agreements agreements;
  private final Bookings bookings;
  private final RunningWorkloads running;
  private final Promises promises;
  private final Undecided undecided;
  private final AnswerVerdicts verdicts;
  private final BackendReport report;
  private final LastFlavors flavors = new LastFlavors();

  /**
   * Puts it together.
   *
   * @param report hears of each answer of a server that measures: many verdicts need none
   */
  BudgetCheck(
      Agreements agreements,
      Bookings bookings,
      RunningWorkloads running,
      Promises promises,
      Undecided undecided,
      AnswerVerdicts verdicts,
      BackendReport report) {
    this.agreements = agreements;
    this.bookings = bookings;
    this.running = running;
    this.promises = promises;
    this.undecided = undecided;
    this.verdicts = verdicts;
    this.report = report;
  }

  /** The definitions of the kinds, to be applied before the check starts. */
  public static List<String> crds() {
    return Crds.beside(BudgetCheck.class, Policy.POLICIES, Policy.BUDGETS, BudgetLedger.TYPE);
  }

  /** The check as a controller that can still be changed, for example to serve metrics. */
  public static CheckController.Builder builder(
      CheckEnvironment environment, BudgetOptions options) {
    return BudgetAssembly.builder(environment, options);
  }

  /** The check as a controller, not yet started. */
  public static CheckController controller(CheckEnvironment environment, BudgetOptions options) {
    return builder(environment, options).build();
  }

  /** Where a Workload stands before an amount is asked for. */
  private sealed interface Standing {
    /** No budget binds it. */
    record Free(String why) implements Standing {}

    /** It isn't known whether one does. */
    record Unclear(Undecided.Cause cause) implements Standing {}

    /** By these terms. */
    record Bound(Terms terms) implements Standing {}
  }

  /** What it lets through is booked. */
  @Override
  public boolean observable() {
    return false;
  }

  /** It books with quota only. */
  @Override
  public boolean answersBeforeQuota() {
    return true;
  }

  @Override
  public Verdict evaluate(Evaluation<Policy> evaluation) throws InterruptedException {
    return switch (standing(evaluation)) {
      case Standing.Free(String why) -> letThrough(evaluation, why);
      case Standing.Unclear(Undecided.Cause cause) -> undecided.waits(evaluation, cause);
      case Standing.Bound(Terms agreed) -> {
        Terms terms = agreed.withMeasured(measured(evaluation, report));
        if (evaluation.beforeQuota()) {
          // Not by the flavors that it had: it may get cheaper ones, and a no may be for good.
          yield unbooked(
              evaluation,
              Quote.least(evaluation.parameters(), evaluation.workload(), evaluation.podSets()),
              terms);
        }
        yield evaluation.entry().is(CheckState.READY)
            ? again(evaluation, terms)
            : judge(evaluation, terms);
      }
    };
  }

  /** By what is booked and measured now; nothing is booked, promised or reported. */
  @Override
  public Optional<Verdict> dryEvaluate(Evaluation<Policy> evaluation) throws InterruptedException {
    return Optional.of(
        switch (standing(evaluation)) {
          case Standing.Free(String why) -> Verdict.ready(why);
          case Standing.Unclear(Undecided.Cause cause) -> undecided.waits(evaluation, cause);
          case Standing.Bound(Terms terms) ->
              unbooked(
                  evaluation,
                  Quote.of(evaluation.parameters(), evaluation.workload(), evaluation.podSets()),
                  terms.withMeasured(measured(evaluation, BackendReport.unread())));
        });
  }

  /** The answer that would be given now at this price; nothing is booked. */
  private Verdict unbooked(Evaluation<Policy> evaluation, Quote quote, Terms terms) {
    return switch (quote) {
      case Quote.Priced priced -> {
        Policy policy = evaluation.parameters();
        Reservation asked = bookings.asked(evaluation, priced);
        Answer answer = bookings.foreseen(evaluation, asked, terms);
        yield answer instanceof Answer.Granted granted
            ? Verdict.ready(new Wording(policy).suffices(asked, granted))
            : verdicts.of(evaluation, asked, answer);
      }
      case Quote.Undecidable unknown -> undecidable(evaluation, unknown);
    };
  }

  /** Nothing is reserved: what fits now is promised until the Workload is back with quota. */
  @Override
  public Optional<String> delayEnds(Evaluation<Policy> waiting) throws InterruptedException {
    return switch (standing(waiting)) {
      case Standing.Free(String why) -> Optional.of(why);
      case Standing.Unclear unclear -> Optional.empty();
      case Standing.Bound(Terms terms) ->
          fits(waiting, terms.withMeasured(measured(waiting, report)));
    };
  }

  private Standing standing(Evaluation<Policy> evaluation) {
    Policy policy = evaluation.parameters();
    return switch (agreements.of(policy, evaluation.namespace())) {
      case Agreements.Agreement.Unknown unknown ->
          new Standing.Unclear(Undecided.Cause.unknownNamespace(evaluation.namespace()));
      case Agreements.Agreement.NotSelected no ->
          new Standing.Free(
              "The BudgetPolicy '" + policy.name() + "' doesn't select the namespace.");
      case Agreements.Agreement.NoLimit none -> noLimit(policy, "The namespace");
      case Agreements.Agreement.Invalid invalid ->
          unclear(policy, Undecided.Cause.invalidBudget(invalid.message()));
      case Agreements.Agreement.Agreed(Terms terms)
          when terms.concerning(Bookings.queue(evaluation.workload())).isEmpty() ->
          noLimit(policy, "The LocalQueue '" + Bookings.queue(evaluation.workload()) + "'");
      case Agreements.Agreement.Agreed(Terms terms) -> new Standing.Bound(terms);
    };
  }

  private static Standing noLimit(Policy policy, String subject) {
    String message =
        subject
            + " has no budget: neither the BudgetPolicy '"
            + policy.name()
            + "' nor a Budget that it honours has a limit for it.";
    boolean ready =
        policy.spec().noBudget().filter(BudgetPolicySpec.NoBudget.READY::equals).isPresent();
    return ready
        ? new Standing.Free(message)
        : new Standing.Unclear(Undecided.Cause.noBudget(message));
  }

  /**
   * The answer while something can't be decided: the Workload waits, unless the policy lets it
   * through.
   */
  private static Standing unclear(Policy policy, Undecided.Cause cause) {
    return failsOpen(policy) ? new Standing.Free(cause.message()) : new Standing.Unclear(cause);
  }

  /** Where it can't be measured, a policy that fails open goes by the ledger. */
  private Map<String, Amount> measured(Evaluation<Policy> evaluation, BackendReport told)
      throws InterruptedException {
    Policy policy = evaluation.parameters();
    try {
      return agreements
          .consumption()
          .spent(
              policy,
              evaluation.namespace(),
              Bookings.queue(evaluation.workload()),
              evaluation.now(),
              () -> told.answered(evaluation.check()));
    } catch (ConsumptionUnknownException e) {
      return ledgerOnlyIfOpen(policy, e);
    } catch (BackendUnavailableException e) {
      told.unavailable(evaluation.check(), e);
      return ledgerOnlyIfOpen(policy, e);
    }
  }

  @Override
  public ErrorPolicy errorPolicy(Policy policy, Exception failure, ErrorPolicy usual) {
    return policy
        .spec()
        .consumption()
        .flatMap(ConsumptionSpec::unavailable)
        .orElse(Unavailability.USUAL)
        .policy(failure, usual);
  }

  @Override
  public List<String> remarks(Policy policy, Circumstances at) {
    return policy.remarks(at);
  }

  private static Map<String, Amount> ledgerOnlyIfOpen(Policy policy, RuntimeException failure) {
    if (failsOpen(policy)) {
      return Map.of();
    }
    throw failure;
  }

  private static boolean failsOpen(Policy policy) {
    return policy
        .spec()
        .failurePolicy()
        .filter(BudgetPolicySpec.FailurePolicy.OPEN::equals)
        .isPresent();
  }

  /**
   * One that was let through may cost another amount since: what isn't admitted yet has to fit,
   * what runs is charged.
   */
  private Verdict again(Evaluation<Policy> evaluation, Terms terms) throws InterruptedException {
    Policy policy = evaluation.parameters();
    Workload workload = evaluation.workload();
    Quote quote = Quote.of(policy, workload, flavors.noted(evaluation));
    @Nullable Reservation own = bookings.own(evaluation);
    if (own == null) {
      return running.recheck(evaluation, terms);
    }
    Optional<Reservation> asked =
        quote instanceof Quote.Priced priced
            ? Optional.of(bookings.asked(evaluation, priced))
            : Optional.empty();
    return switch (Run.of(own, workload)) {
      case Run.Waiting waiting ->
          asked.filter(own::asks).isPresent()
              ? running.recheck(evaluation, terms)
              : judge(evaluation, terms);
      case Run.Running runs -> {
        if (asked.isPresent() && !own.isChargedAs(asked.get())) {
          running.charge(evaluation, asked.get(), runs, terms);
        }
        yield running.recheck(evaluation, terms);
      }
      case Run.Over over -> running.recheck(evaluation, terms);
      case Run.Outdated unknown -> running.recheck(evaluation, terms);
    };
  }

  private Verdict judge(Evaluation<Policy> evaluation, Terms terms) throws InterruptedException {
    Policy policy = evaluation.parameters();
    return switch (Quote.of(policy, evaluation.workload(), flavors.noted(evaluation))) {
      case Quote.Priced priced -> {
        Reservation asked = bookings.asked(evaluation, priced);
        yield entered(evaluation, asked, bookings.reserve(evaluation, asked, terms));
      }
      case Quote.Undecidable unknown -> undecidable(evaluation, unknown);
    };
  }

  private Verdict undecidable(Evaluation<Policy> evaluation, Quote.Undecidable unknown) {
    if (unknown.forEver()) {
      return Verdict.rejected(NO_RUNTIME, unknown.message());
    }
    return failsOpen(evaluation.parameters())
        ? letThrough(evaluation, unknown.message())
        : undecided.waits(evaluation, Undecided.Cause.noPrice(unknown.message()));
  }

  /** Why one that waits would get through now, at the least that it may cost; empty if it won't. */
  private Optional<String> fits(Evaluation<Policy> waiting, Terms terms) {
    Policy policy = waiting.parameters();
    return switch (Quote.least(policy, waiting.workload(), flavors.recalled(waiting))) {
      case Quote.Priced priced -> {
        Reservation asked = bookings.asked(waiting, priced);
        LedgerName name = Bookings.nameOf(waiting);
        yield promises.ask(name, agreements.ledger(name), asked, terms, waiting.now())
                instanceof Answer.Granted granted
            ? Optional.of(new Wording(policy).suffices(asked, granted))
            : Optional.empty();
      }
      case Quote.Undecidable unknown ->
          Optional.of(unknown.message()).filter(any -> unknown.forEver() || failsOpen(policy));
    };
  }

  private Verdict entered(
      Evaluation<Policy> evaluation, Reservation asked, Books.Entry<Answer> entry) {
    return switch (entry) {
      case Books.Entry.Answered<Answer>(Answer answer) -> verdicts.of(evaluation, asked, answer);
      case Books.Entry.Gathered<Answer>(Duration dueIn)
          when evaluation.entry().is(CheckState.READY) -> {
        running.haveWritten(evaluation);
        yield Verdict.unchanged(GATHERED);
      }
      case Books.Entry.Gathered<Answer>(Duration dueIn) -> Verdict.pending(GATHERED, dueIn);
    };
  }

  private static Verdict letThrough(Evaluation<?> evaluation, String message) {
    return evaluation.entry().is(CheckState.READY)
        ? Verdict.unchanged(message)
        : Verdict.ready(message);
  }
}
