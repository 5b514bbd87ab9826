// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.consumption.ConsumptionUnknownException;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
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
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.DelayEndingCheck;
import io.github.kueue4j.sdk.ErrorPolicy;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Lets Workloads through as long as there is budget left, and sends the others back until there is.
 * The package says how.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BudgetCheck implements DelayEndingCheck<Policy> {

  private static final Reason TOO_EXPENSIVE = Reason.of("CostExceedsBudget");
  private static final Reason NO_RUNTIME = Reason.of("NoRuntimeDeclared");

  private static final String SUPERSEDED =
      "An amount is reserved for a later reservation of quota of the Workload.";

  private static final String GATHERED =
      "The budget suffices. The Workload may start as soon as its reservation is stored: the ledger"
          + " of the namespace is large, and many changes of it are written together.";

  /** A ledger is one object of the API: more would not fit into it. */
  static final int MOST_OPEN = 4000;

  private final BudgetOptions options;
  private final Agreements agreements;
  private final Predicate<String> grouped;
  private final Books books;
  private final RunningWorkloads running;
  private final Promises promises;
  private final Consumer<LedgerName> promised;
  private final Warnings warnings;
  private final Undecided undecided;
  private final BackendReport report;
  private final LastFlavors flavors = new LastFlavors();

  /**
   * Puts it together.
   *
   * @param grouped whether the AdmissionCheck of this name may have alternatives
   * @param promised is told of each ledger of which something was promised
   * @param report hears of each answer of a server that measures: many verdicts need none
   */
  BudgetCheck(
      BudgetOptions options,
      Agreements agreements,
      Predicate<String> grouped,
      Books books,
      RunningWorkloads running,
      Promises promises,
      Consumer<LedgerName> promised,
      Undecided undecided,
      Warnings warnings,
      BackendReport report) {
    this.options = options;
    this.agreements = agreements;
    this.grouped = grouped;
    this.books = books;
    this.running = running;
    this.promises = promises;
    this.promised = promised;
    this.undecided = undecided;
    this.warnings = warnings;
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
        Reservation asked = asked(evaluation, priced);
        LedgerName name = new LedgerName(policy.name(), evaluation.namespace());
        Instant now = evaluation.now();
        Ledger known = books.latest(name).orElseGet(() -> agreements.ledger(name)).ledger();
        Ledger settled = settleFormer(known.roll(terms, now), evaluation.workload(), terms);
        Answer answer = settled.reserve(asked, terms, now);
        yield answer instanceof Answer.Granted granted
            ? Verdict.ready(new Wording(policy).suffices(asked, granted))
            : answered(evaluation, asked, answer);
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
          when terms.concerning(queue(evaluation.workload())).isEmpty() ->
          noLimit(policy, "The LocalQueue '" + queue(evaluation.workload()) + "'");
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
              queue(evaluation.workload()),
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
    LedgerName name = new LedgerName(policy.name(), evaluation.namespace());
    Workload workload = evaluation.workload();
    Quote quote = Quote.of(policy, workload, flavors.noted(evaluation));
    @Nullable Reservation own =
        books
            .latest(name)
            .orElseGet(() -> agreements.ledger(name))
            .ledger()
            .open()
            .get(Objects.requireNonNullElse(workload.metadata().getUid(), ""));
    if (own == null) {
      return running.recheck(evaluation, terms);
    }
    Optional<Reservation> asked =
        quote instanceof Quote.Priced priced
            ? Optional.of(asked(evaluation, priced))
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
        Reservation asked = asked(evaluation, priced);
        yield entered(evaluation, asked, reserve(evaluation, asked, terms));
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
        Reservation asked = asked(waiting, priced);
        LedgerName name = new LedgerName(policy.name(), waiting.namespace());
        if (promises.ask(name, agreements.ledger(name), asked, terms, waiting.now())
            instanceof Answer.Granted granted) {
          promised.accept(name);
          yield Optional.of(new Wording(policy).suffices(asked, granted));
        }
        yield Optional.empty();
      }
      case Quote.Undecidable unknown ->
          Optional.of(unknown.message()).filter(any -> unknown.forEver() || failsOpen(policy));
    };
  }

  Reservation asked(Evaluation<Policy> evaluation, Quote.Priced priced) {
    Workload workload = evaluation.workload();
    return Reservation.of(
            new Reservation.Claimant(
                Objects.requireNonNullElse(workload.metadata().getUid(), ""),
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

  private static String queue(Workload workload) {
    return Objects.requireNonNullElse(workload.spec().queueName(), "");
  }

  private static Instant attempt(Workload workload) {
    return workload.conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(Instant.EPOCH);
  }

  /** Written before the Ready leaves: then no other Workload can get the same amount. */
  private Books.Entry<Answer> reserve(Evaluation<Policy> evaluation, Reservation asked, Terms terms)
      throws InterruptedException {
    Instant now = evaluation.now();
    LedgerName name = new LedgerName(evaluation.parameters().name(), evaluation.namespace());
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

  private Verdict entered(
      Evaluation<Policy> evaluation, Reservation asked, Books.Entry<Answer> entry) {
    return switch (entry) {
      case Books.Entry.Answered<Answer>(Answer answer) -> answered(evaluation, asked, answer);
      case Books.Entry.Gathered<Answer>(Duration dueIn)
          when evaluation.entry().is(CheckState.READY) -> {
        running.haveWritten(evaluation);
        yield Verdict.unchanged(GATHERED);
      }
      case Books.Entry.Gathered<Answer>(Duration dueIn) -> Verdict.pending(GATHERED, dueIn);
    };
  }

  /** Settles an open rest of a former attempt, which is over, whether or not it was seen to end. */
  private static Ledger settleFormer(Ledger ledger, Workload workload, Terms terms) {
    @Nullable Reservation former =
        ledger.open().get(Objects.requireNonNullElse(workload.metadata().getUid(), ""));
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

  private Verdict answered(Evaluation<Policy> evaluation, Reservation asked, Answer answer) {
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
    return Delay.from(Backoff.until(moment).withJitter(options.jitter()));
  }

  private static Optional<String> softWarning(Policy policy, Answer.Granted granted) {
    return policy
        .softLimit(granted.limit())
        .filter(granted.limit().minus(granted.left())::exceeds)
        .map(limit -> new Wording(policy).softLimit());
  }

  private static Verdict letThrough(Evaluation<?> evaluation, String message) {
    return evaluation.entry().is(CheckState.READY)
        ? Verdict.unchanged(message)
        : Verdict.ready(message);
  }
}
