// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;

/**
 * Asks the author what the check would answer about a workload that isn't there. Nothing is kept of
 * it and nothing is written.
 */
final class DryEvaluator<P> {
  /** Whether the author is asked in advance on this thread. */
  private static final ThreadLocal<Boolean> ASKED = ThreadLocal.withInitial(() -> false);

  /** The same question has the same answer: the shortest of the delays that it may be. */
  private static final RandomGenerator NO_CHANCE = () -> 0;

  private final Check<P> author;
  private final AdmissionChecks<P> checks;
  private final PodSets podSets;
  private final AuthorCalls calls;
  private final Guards guards;
  private final Evaluator.Timing timing;

  DryEvaluator(
      Check<P> author,
      AdmissionChecks<P> checks,
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

  /** What came of it. */
  sealed interface Foreseen {
    /** The entry that the check would write. */
    record WrittenEntry(AdmissionCheckState entry) implements Foreseen {}

    /** This controller has no such check. */
    record NoSuchCheck() implements Foreseen {}

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
   * @throws InterruptedException if the calling thread is interrupted; the call is cancelled
   */
  Foreseen ask(String check, Workload workload) throws InterruptedException {
    Optional<AdmissionCheck> own = checks.own(check);
    if (own.isEmpty()) {
      return new Foreseen.NoSuchCheck();
    }
    return switch (checks.parameters(own.get())) {
      case Resolution.Bad<P>(String message) ->
          new Foreseen.Unanswered("the check is not active: " + message);
      case Resolution.Found<P> found -> ask(check, workload, found.value());
    };
  }

  private Foreseen ask(String check, Workload workload, P parameters) throws InterruptedException {
    Instant now = timing.now();
    AdmissionCheckState pending = AdmissionCheckState.pending(check, now);
    Evaluation<P> evaluation =
        new Evaluation<>(
            check,
            workload.withStatus(workload.status().withAdmissionCheck(pending)),
            podSets.of(workload),
            pending,
            parameters,
            now,
            now.plus(guards.timeout()));
    try {
      Callable<Optional<Verdict>> asked = () -> Objects.requireNonNull(inAdvance(evaluation));
      return calls
          .turn(AuthorCalls.Subject.dry(), () -> {})
          .orElseThrow()
          .call(asked)
          .map(verdict -> answer(pending, verdict))
          .orElseGet(Foreseen.NotForeseen::new);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return new Foreseen.Unanswered(PlainWords.of(e));
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

  private Foreseen answer(AdmissionCheckState pending, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Ready ready -> answered(pending, CheckState.READY, ready.message());
      case Verdict.Pending waits -> answered(pending, CheckState.PENDING, waits.message());
      case Verdict.Rejected never -> answered(pending, CheckState.REJECTED, never.message());
      case Verdict.Unchanged unknown -> new Foreseen.Unanswered(unknown.why());
      case Verdict.Retry retry -> {
        Optional<Duration> delay =
            guards.limited(retry.delay()).resolve(0, timing.now(), NO_CHANCE);
        AdmissionCheckState entry =
            pending
                .withState(CheckState.RETRY)
                .withMessage(retry.message(0, delay.orElse(Duration.ZERO)));
        yield new Foreseen.WrittenEntry(
            delay.map(time -> entry.withRequeueAfterSeconds((int) time.toSeconds())).orElse(entry));
      }
    };
  }

  private static Foreseen answered(AdmissionCheckState pending, CheckState state, String message) {
    return new Foreseen.WrittenEntry(pending.withState(state).withMessage(message));
  }
}
