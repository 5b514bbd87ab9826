// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.ErrorPolicy;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.internal.DelayText;
import io.github.kueue4j.sdk.internal.fence.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates one check of one workload. An evaluation goes straight through: {@link #evaluateIfDue},
 * {@link #callCheck}, {@link #onVerdict} (or {@link #onFailure}), {@link #write} and {@link
 * #nextProgress}; what it leaves behind is put into the entry's memory in one place.
 */
final class Evaluator<P> {

  /** When to look again at an entry that could not be handled at the moment. */
  static final Duration SOON = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(Evaluator.class);
  private static final Reason EVALUATION_FAILED = Reason.of("EvaluationFailed");

  /** How long a workload waits for its evaluation before its entry says so. */
  private static final Duration BUSY_FOR_LONG = Duration.ofSeconds(5);

  /** As the longest delay of a Retry: about 68 years. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(Integer.MAX_VALUE);

  /** When to look again after a decision that the informer has not shown yet. */
  private static final Duration INFORMER_LAG = Duration.ofMinutes(1);

  private final Check<P> author;
  private final PodSets podSets;
  private final GuardSet guardSet;
  private final VerdictWriter writer;
  private final RevocationNews news;
  private final Timing timing;
  private final DelayEnd<P> delayEnd;

  /**
   * The clock, the source of randomness and the intervals of an evaluator.
   *
   * @param pendingEvery when a Pending without a recheck time is evaluated again at the latest
   */
  record Timing(
      TimeSource time, RandomGenerator random, Duration pendingEvery, Due.Rechecks rechecks) {
    Instant now() {
      return time.instant();
    }
  }

  Evaluator(
      Check<P> author,
      PodSets podSets,
      GuardSet guardSet,
      VerdictWriter writer,
      RevocationNews news,
      Timing timing) {
    this.author = author;
    this.podSets = podSets;
    this.guardSet = guardSet;
    this.writer = writer;
    this.news = news;
    this.timing = timing;
    this.delayEnd = new DelayEnd<>(author, podSets, guardSet, writer, timing);
  }

  /**
   * Evaluates the entry if it is due.
   *
   * @return when to look at it again; null: when something changes
   */
  @Nullable Instant evaluateIfDue(OwnEntry<P> entry) throws InterruptedException {
    entry.memory().shown(entry.state());
    noteSubject(entry);
    return switch (Due.of(entry, timing.rechecks())) {
      case Due.Never never -> {
        discardWakeUp(entry);
        yield null;
      }
      case Due.At at -> {
        discardWakeUp(entry);
        yield at.when();
      }
      case Due.Now now -> evaluate(entry);
    };
  }

  /**
   * A Ready that this process hasn't written is taken to be about the Workload as it is first seen,
   * except where it is asked about again at once. It is kept only as long as a change would matter:
   * most Workloads run for long, and most checks have no eye on what runs.
   */
  private void noteSubject(OwnEntry<P> entry) {
    CheckMemory memory = entry.memory();
    if (entry.isPending()) {
      // The informer may not show a Ready yet that was just written.
      return;
    }
    boolean rechecked = timing.rechecks().readyEvery() != null;
    boolean matters =
        entry.phase() == Phase.RESERVED
            || (timing.rechecks().whatRuns() && entry.phase() == Phase.ADMITTED);
    if (!entry.isReady() || !matters) {
      memory.readyAbout(null);
    } else if (memory.readyAbout() == null && (!rechecked || entry.phase() == Phase.ADMITTED)) {
      memory.readyAbout(ReadySubject.of(entry.workload()));
    }
  }

  /** A wake-up for which nothing is due counts only if something may become due by it. */
  private void discardWakeUp(OwnEntry<P> entry) {
    if (!timing.rechecks().keepWakeUps(entry.state())) {
      entry.memory().takeWakeUp();
    }
    boolean mayEndDelay = entry.isPending() || entry.state().is(CheckState.RETRY);
    if (!mayEndDelay || !entry.parametersChanged()) {
      entry.memory().settleParametersChange(entry.newParameters());
    }
  }

  private @Nullable Instant evaluate(OwnEntry<P> entry) throws InterruptedException {
    CheckMemory memory = entry.memory();
    boolean woken = memory.takeWakeUp();
    if (!entry.state().is(CheckState.RETRY)) {
      memory.retriedBy(null);
    }
    boolean wakeUpSpent = false;
    try {
      AfterEvaluation after = ask(entry);
      memory.progress(after.progress());
      wakeUpSpent = after.wakeUpSpent();
      if (wakeUpSpent && after.progress() != null) {
        // What came too late may have met a delay that began under the former parameters.
        memory.settleParametersChange(entry.newParameters());
      }
      return after.next();
    } finally {
      if (woken && !wakeUpSpent) {
        memory.keepWakeUp();
      }
    }
  }

  private AfterEvaluation ask(OwnEntry<P> entry) throws InterruptedException {
    if (entry.state().is(CheckState.RETRY)) {
      return delayEnd.endOrAsk(entry);
    }
    if (entry.isRecord()) {
      return write(entry, Verdict.pending("Asked again: the check is enforced now"));
    }
    return switch (entry.parameters()) {
      case Resolution.Found<P> found -> onOutcome(entry, callCheck(entry, found.value()));
      case Resolution.Bad<P> bad ->
          write(entry, new Verdict.Unchanged("The check is not active: " + bad.message()));
    };
  }

  private Guard.Outcome<Verdict> callCheck(OwnEntry<P> entry, P parameters)
      throws InterruptedException {
    return guardSet.call(
        Guard.Question.verdict(
            author, entry.evaluation(parameters, podSets, guardSet.guards().timeout())));
  }

  private AfterEvaluation onOutcome(OwnEntry<P> entry, Guard.Outcome<Verdict> outcome) {
    return switch (outcome) {
      case Guard.Outcome.Answered<Verdict> answered -> onVerdict(entry, answered.answer());
      case Guard.Outcome.Failed<Verdict> failed -> onFailure(entry, failed.cause());
      case Guard.Outcome.CircuitOpen<Verdict> open -> onCircuitOpen(entry, open);
      case Guard.Outcome.Busy<Verdict> busy -> onBusy(entry, busy.message());
      case Guard.Outcome.StillRunning<Verdict> running -> onStillRunning(entry);
    };
  }

  private AfterEvaluation onVerdict(OwnEntry<P> entry, Verdict verdict) {
    try {
      refuseFaultyUpdates(entry, verdict);
      Verdict exact = withExactDelay(entry, verdict);
      AfterEvaluation after = apply(entry, exact);
      if (after.progress() != null && leavesReady(entry, exact)) {
        entry.memory().readyAbout(ReadySubject.of(entry.workload()));
      }
      return after;
    } catch (RefusedVerdictException e) {
      return onFailure(entry, e);
    }
  }

  private static boolean leavesReady(OwnEntry<?> entry, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Ready ready -> true;
      case Verdict.Pending pending -> entry.isReady();
      case Verdict.Unchanged unchanged -> entry.isReady();
      case Verdict.Retry retry -> false;
      case Verdict.Rejected rejected -> false;
    };
  }

  private AfterEvaluation apply(OwnEntry<P> entry, Verdict exact) {
    return switch (exact) {
      case Verdict.Retry retry ->
          entry.isReady()
              ? revoke(entry, retry, CheckState.RETRY, retry.reason())
              : write(entry, retry);
      case Verdict.Rejected rejected ->
          entry.isReady()
              ? revoke(entry, rejected, CheckState.REJECTED, rejected.reason())
              : write(entry, rejected);
      case Verdict.Ready ready -> write(entry, ready);
      case Verdict.Pending pending -> write(entry, pending);
      case Verdict.Unchanged unchanged -> write(entry, unchanged);
    };
  }

  /**
   * Takes a Ready back, unless the limits say that it has to wait. What isn't admitted as far as
   * the informer shows isn't counted among what runs: if it is by now, the fence drops the answer.
   */
  private AfterEvaluation revoke(
      OwnEntry<P> entry, Verdict verdict, CheckState says, Reason reason) {
    Revocations revocations = guardSet.revocations();
    @Nullable Progress before = entry.memory().progress();
    Revocations.@Nullable Doubt doubt =
        before != null && before.basis().equals(entry.basis()) ? before.doubt() : null;
    boolean running = entry.phase() == Phase.ADMITTED;
    return switch (revocations.rule(entry.check(), doubt, says, running)) {
      case Revocations.Ruling.Wait ruling -> awaitRevocation(entry, ruling, reason);
      case Revocations.Ruling.Allowed ruling -> {
        boolean stands = false;
        try {
          AfterEvaluation after = write(entry, verdict);
          stands = after.progress() != null;
          yield after;
        } finally {
          if (stands) {
            news.written(entry.check());
          } else if (ruling.counted()) {
            revocations.giveBack(entry.check());
          }
        }
      }
    };
  }

  private AfterEvaluation awaitRevocation(
      OwnEntry<P> entry, Revocations.Ruling.Wait ruling, Reason reason) {
    @Nullable Duration every = timing.rechecks().readyEvery();
    Duration in = every != null && every.compareTo(ruling.in()) < 0 ? every : ruling.in();
    news.waits(entry, ruling, reason.value(), in);
    return AfterEvaluation.answered(
        Progress.doubting(
            entry.basis(), ruling.doubt().withTold(ruling.obstacle()), later(timing.now(), in)));
  }

  private static void refuseFaultyUpdates(OwnEntry<?> entry, Verdict verdict) {
    if (verdict instanceof Verdict.Ready ready) {
      PodSetUpdateFaults.of(entry.workload(), ready.updates())
          .ifPresent(
              fault -> {
                throw new RefusedVerdictException(entry.key(), entry.check(), fault);
              });
    }
  }

  private AfterEvaluation onFailure(OwnEntry<P> entry, Exception cause) {
    guardSet.failed(entry.check(), cause);
    log.atWarn()
        .addKeyValue("workload", entry.key())
        .addKeyValue("check", entry.check())
        .setCause(cause)
        .log("Evaluation failed");
    Instant now = timing.now();
    Progress failure = Progress.failed(entry.basis(), entry.memory().progress(), now, now);
    Duration wait =
        guardSet.guards().errorBackoff().delay(failure.failures() - 1, now, timing.random());
    ErrorPolicy policy = policy(entry, cause);
    return afterFailure(
        entry,
        failure.withNext(now.plus(longer(wait, askedFor(failure, cause, policy, now)))),
        policy,
        "The evaluation failed and will be tried again: " + PlainWords.of(cause));
  }

  /** A mistake of the author here must not keep the quota: what the guards say holds then. */
  private ErrorPolicy policy(OwnEntry<P> entry, Exception failure) {
    ErrorPolicy usual = guardSet.guards().errorPolicy();
    if (!(entry.parameters() instanceof Resolution.Found<P> found)) {
      return usual;
    }
    try {
      return Objects.requireNonNull(author.errorPolicy(found.value(), failure, usual));
    } catch (RuntimeException e) {
      log.atWarn()
          .addKeyValue("check", entry.check())
          .setCause(e)
          .log("errorPolicy of the check failed; that of the guards holds");
      return usual;
    }
  }

  /**
   * How long the backend asked to be left alone; no longer than the error budget lasts, so that the
   * quota is given back in time.
   */
  private static Duration askedFor(
      Progress failure, Exception cause, ErrorPolicy policy, Instant now) {
    Duration asked =
        cause instanceof BackendUnavailableException unavailable
            ? unavailable.retryAfter().orElse(Duration.ZERO)
            : Duration.ZERO;
    Duration left =
        policy.budget().minus(Duration.between(failure.unansweredSince().orElse(now), now));
    return asked.compareTo(left) > 0 ? left : asked;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private AfterEvaluation onCircuitOpen(
      OwnEntry<P> entry, Guard.Outcome.CircuitOpen<Verdict> open) {
    Instant now = timing.now();
    return afterFailure(
        entry,
        Progress.failed(entry.basis(), entry.memory().progress(), now, now.plus(open.tryAgainIn())),
        policy(entry, open.lastFailure()),
        guardSet
                .reach()
                .trouble(entry.check())
                .map(trouble -> "What this check asks can't answer: " + trouble)
                .orElse("What this check asks keeps failing")
            + "; it is left alone, and one Workload is tried every "
            + DelayText.of(guardSet.guards().circuitBreaker().openFor()));
  }

  /**
   * Nothing was asked; failures before that still count. A moment without a place is usual. One
   * that lasts must be visible, and must not hold quota for ever: evaluations that hang may keep
   * all the places of their namespace.
   */
  private AfterEvaluation onBusy(OwnEntry<P> entry, String why) {
    Instant now = timing.now();
    Instant soon = now.plus(SOON);
    Progress busy = Progress.busy(entry.basis(), entry.memory().progress(), now, soon);
    String message = "Not evaluated yet: " + why + "; this one is tried again";
    ErrorPolicy usual = guardSet.guards().errorPolicy();
    if (isSpent(busy, usual) && entry.isPending()) {
      return giveBack(entry, message, usual);
    }
    Instant since = Objects.requireNonNull(busy.busySince());
    // Why evaluations failed is the better text.
    if (busy.failures() > 0 || Duration.between(since, now).compareTo(BUSY_FOR_LONG) < 0) {
      return AfterEvaluation.notAsked(busy);
    }
    AfterEvaluation after = write(entry, new Verdict.Unchanged(message));
    return after.progress() == null ? after : AfterEvaluation.notAsked(busy);
  }

  /** One that never ends must not hold quota for ever: that is a failure that goes on. */
  private AfterEvaluation onStillRunning(OwnEntry<P> entry) {
    Instant now = timing.now();
    @Nullable Progress before = entry.memory().progress();
    Progress failure =
        before == null || before.failures() == 0 || !before.basis().equals(entry.basis())
            ? Progress.failed(entry.basis(), null, now, now)
            : before;
    String message =
        "An earlier evaluation has not ended, although its time is over; another follows it";
    return afterFailure(
        entry,
        failure.withNext(now.plus(SOON)),
        policy(entry, new TimeoutException(message)),
        message);
  }

  private boolean isSpent(Progress unanswered, ErrorPolicy policy) {
    Instant since = unanswered.unansweredSince().orElseThrow();
    return Duration.between(since, timing.now()).compareTo(policy.budget()) >= 0;
  }

  /** The message may quote an exception: it is written as it is. */
  private AfterEvaluation giveBack(OwnEntry<P> entry, String message, ErrorPolicy policy) {
    Verdict retry = Verdict.retry(EVALUATION_FAILED, message, policy.delay());
    return write(entry, withExactDelay(entry, retry), Placeholders.LEFT);
  }

  /** Writes the message into the entry, or gives the quota back once the error budget is spent. */
  private AfterEvaluation afterFailure(
      OwnEntry<P> entry, Progress failure, ErrorPolicy policy, String message) {
    if (isSpent(failure, policy) && entry.isPending()) {
      return giveBack(entry, message, policy);
    }
    AfterEvaluation after = write(entry, new Verdict.Unchanged(message));
    return after.progress() == null ? after : AfterEvaluation.answered(failure);
  }

  /** The verdict with its delay computed once: the fence may be asked about it several times. */
  private Verdict withExactDelay(OwnEntry<P> entry, Verdict verdict) {
    if (!(verdict instanceof Verdict.Retry retry)) {
      return verdict;
    }
    Delay delay =
        guardSet
            .guards()
            .limited(retry.delay())
            .resolve(entry.attempt(), timing.now(), timing.random())
            .map(Delay::exactly)
            .orElseGet(Delay::none);
    return new Verdict.Retry(retry.reason(), retry.message(), delay);
  }

  private AfterEvaluation write(OwnEntry<P> entry, Verdict verdict) {
    return write(entry, verdict, Placeholders.FILLED);
  }

  private AfterEvaluation write(OwnEntry<P> entry, Verdict verdict, Placeholders placeholders) {
    VerdictWriter.Written written = writer.write(entry, verdict, placeholders);
    if (written.result() == VerdictWriter.WriteResult.STANDS
        && written.verdict() instanceof Verdict.Retry) {
      entry.memory().retriedBy(entry.parameters());
    }
    Instant now = timing.now();
    return switch (written.result()) {
      case STANDS -> AfterEvaluation.answered(nextProgress(entry, written.verdict(), now));
      case DROPPED -> AfterEvaluation.tooLate();
      // The informer's next change does so; this is for a change that it has shown already.
      case EVALUATE_ANEW -> AfterEvaluation.again(now.plus(SOON));
    };
  }

  private Progress nextProgress(OwnEntry<P> entry, Verdict verdict, Instant now) {
    Progress.Basis basis = entry.basis();
    if (entry.isReady()) {
      @Nullable Duration every = timing.rechecks().readyEvery();
      return Progress.answered(basis, every == null ? null : now.plus(every));
    }
    return switch (verdict) {
      case Verdict.Pending pending ->
          Progress.answered(
              basis,
              later(now, Objects.requireNonNullElse(pending.recheckIn(), timing.pendingEvery())));
      case Verdict.Unchanged unchanged -> Progress.answered(basis, now.plus(timing.pendingEvery()));
      case Verdict.Ready ready -> Progress.decided(basis, now.plus(INFORMER_LAG));
      case Verdict.Retry retry -> Progress.decided(basis, now.plus(INFORMER_LAG));
      case Verdict.Rejected rejected -> Progress.decided(basis, now.plus(INFORMER_LAG));
    };
  }

  /** Clocks and calendars end, and some authors mean "never" by the longest duration there is. */
  private static Instant later(Instant now, Duration wait) {
    return now.plus(wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait);
  }
}
