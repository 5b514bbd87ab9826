// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.Verdict;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the author what the check would answer about a workload that isn't there. Nothing is kept of
 * it and nothing is written. A few are asked at once and in a second: evaluations come first.
 */
final class DryEvaluator<P> {
  private static final Logger log = LoggerFactory.getLogger(DryEvaluator.class);

  /** Whether the author is asked in advance on this thread. */
  private static final ThreadLocal<Boolean> ASKED = ThreadLocal.withInitial(() -> false);

  /** Places of calls, also of those that go on after their timeout. */
  static final int MOST_AT_ONCE = 4;

  /** The number of questions that may come at once after a pause. */
  static final int BURST = 20;

  private static final Duration PACE = Duration.ofMillis(200);

  private static final Foreseen BUSY =
      new Foreseen.Unanswered("too many ask the check in advance; try again");

  private final Check<P> author;
  private final OwnChecks<P> checks;
  private final PodSets podSets;
  private final AuthorCalls calls;
  private final Guards guards;
  private final Evaluator.Timing timing;
  private final Semaphore places = new Semaphore(MOST_AT_ONCE);
  private Instant paidUntil = Instant.MIN; // Guarded by this object's monitor.

  DryEvaluator(
      Check<P> author,
      OwnChecks<P> checks,
      PodSets podSets,
      GuardSet guards,
      Evaluator.Timing timing) {
    this.author = author;
    this.checks = checks;
    this.podSets = podSets;
    this.calls = guards.calls();
    this.guards = guards.guards();
    this.timing = timing;
  }

  /** The foreseen answer. */
  sealed interface Foreseen {
    /** The entry that the check would write. */
    record WrittenEntry(AdmissionCheckState entry) implements Foreseen {}

    /** This controller has no such check. */
    record NoSuchCheck() implements Foreseen {}

    /** The body is no Workload of the namespace. */
    record StrangeBody() implements Foreseen {}

    /** The check can't be asked in advance. */
    record NotForeseen() implements Foreseen {}

    /**
     * There is no answer now.
     *
     * @param why for people
     */
    record Unanswered(String why) implements Foreseen {}
  }

  /**
   * Checks that the author may write.
   *
   * @throws IllegalStateException if it is asked in advance
   */
  static void mayWrite() {
    if (ASKED.get()) {
      throw new IllegalStateException(
          "dryEvaluate must not write: return what evaluate would, without its effects");
    }
  }

  /**
   * Asks.
   *
   * @param namespace of the Workload
   * @param workload as JSON
   * @throws InterruptedException if the calling thread is interrupted; the call is cancelled
   */
  Foreseen ask(String check, String namespace, String workload) throws InterruptedException {
    Optional<AdmissionCheck> own = checks.find(check);
    if (own.isEmpty()) {
      return new Foreseen.NoSuchCheck();
    }
    return switch (checks.parametersNow(own.get())) {
      case Resolution.Bad<P>(String message) ->
          new Foreseen.Unanswered("the check is not active: " + message);
      case Resolution.Found<P> found ->
          inTime() ? asked(check, namespace, workload, found.value()) : BUSY;
    };
  }

  /** Whether this one is within the limit of time. */
  private synchronized boolean inTime() {
    Instant now = timing.time().steady().instant();
    Instant paid = paidUntil.isAfter(now) ? paidUntil : now;
    if (paid.isAfter(now.plus(PACE.multipliedBy(BURST - 1)))) {
      return false;
    }
    paidUntil = paid.plus(PACE);
    return true;
  }

  private Foreseen asked(String check, String namespace, String workload, P parameters)
      throws InterruptedException {
    Optional<Evaluation<P>> evaluation = evaluation(check, namespace, workload, parameters);
    if (evaluation.isEmpty()) {
      return new Foreseen.StrangeBody();
    }
    if (!places.tryAcquire()) {
      return BUSY;
    }
    Callable<Optional<Verdict>> call =
        () -> Objects.requireNonNull(inAdvance(evaluation.get()), "dryEvaluate has returned null");
    try {
      // One that ignores its interruption keeps the place until it ends.
      return calls
          .turn(AuthorCalls.Subject.dry(), places::release)
          .orElseThrow()
          .call(call)
          .map(verdict -> answer(evaluation.get(), verdict))
          .orElseGet(Foreseen.NotForeseen::new);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return new Foreseen.Unanswered(PlainWords.of(e));
    }
  }

  /**
   * One is read at a time: as objects a small text may be large. Empty if it is no Workload of the
   * namespace.
   */
  private synchronized Optional<Evaluation<P>> evaluation(
      String check, String namespace, String json, P parameters) {
    Instant now = timing.now();
    AdmissionCheckState pending = AdmissionCheckState.pending(check, now);
    try {
      Workload workload = KueueJson.fromServer(new StringReader(json), KueueTypes.WORKLOAD);
      if (!workload.key().namespace().equals(namespace) || workload.key().name().isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(
          new Evaluation<>(
              check,
              workload.withStatus(workload.status().withAdmissionCheck(pending)),
              podSets.of(workload),
              pending,
              parameters,
              now,
              now.plus(guards.timeout())));
    } catch (RuntimeException e) {
      // A reader of pod sets finds what a reader of JSON doesn't.
      log.atDebug().setCause(e).log("Could not read a Workload");
      return Optional.empty();
    }
  }

  private Optional<Verdict> inAdvance(Evaluation<P> evaluation) throws Exception {
    ASKED.set(true);
    try {
      return author.dryEvaluate(evaluation);
    } finally {
      ASKED.remove();
    }
  }

  private Foreseen answer(Evaluation<P> evaluation, Verdict verdict) {
    return verdict instanceof Verdict.Unchanged unknown
        ? new Foreseen.Unanswered(unknown.why())
        : new Foreseen.WrittenEntry(evaluation.entryAfter(verdict, guards).orElseThrow());
  }
}
