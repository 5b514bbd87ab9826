// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.DelayEndingCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends delays of a check's own early: when its parameters have changed, and when it was woken and
 * says so. Whatever comes of asking it, the delay goes on until then.
 */
final class DelayEnd<P> {
  private static final Logger log = LoggerFactory.getLogger(DelayEnd.class);
  private static final String PARAMETERS_CHANGED =
      "The parameters of this check have changed: its delay has ended";

  private final @Nullable DelayEndingCheck<P> author;
  private final PodSets podSets;
  private final GuardSet guardSet;
  private final VerdictWriter writer;
  private final Evaluator.Timing timing;

  DelayEnd(
      Check<P> author,
      PodSets podSets,
      GuardSet guardSet,
      VerdictWriter writer,
      Evaluator.Timing timing) {
    this.author = author instanceof DelayEndingCheck<P> ending ? ending : null;
    this.podSets = podSets;
    this.guardSet = guardSet;
    this.writer = writer;
    this.timing = timing;
  }

  /** Ends the delay, asks whether it ends, or leaves it. */
  AfterEvaluation endOrAsk(OwnEntry<P> entry) throws InterruptedException {
    // A check that can't be asked comes here for other parameters only, see Due.
    if (author == null || entry.parametersChanged()) {
      return end(entry, PARAMETERS_CHANGED);
    }
    if (!(entry.parameters() instanceof Resolution.Found<P> found)) {
      return AfterEvaluation.notPossible();
    }
    return after(
        entry,
        guardSet.call(
            Guard.Question.delayEnds(
                author, entry.evaluation(found.value(), podSets, guardSet.guards().timeout()))));
  }

  private AfterEvaluation after(OwnEntry<P> entry, Guard.Outcome<Optional<String>> outcome) {
    return switch (outcome) {
      case Guard.Outcome.Answered<Optional<String>>(Optional<String> why) ->
          why.isPresent() ? end(entry, why.get()) : goesOn(entry);
      case Guard.Outcome.Failed<Optional<String>>(Exception cause) ->
          failed(entry, cause, "Can't tell whether a delay ends; it goes on");
      case Guard.Outcome.CircuitOpen<Optional<String>> open ->
          failed(entry, timing.now().plus(open.tryAgainIn()));
      case Guard.Outcome.Busy<Optional<String>> busy -> notAsked(entry);
      case Guard.Outcome.StillRunning<Optional<String>> running -> notAsked(entry);
    };
  }

  private AfterEvaluation end(OwnEntry<P> entry, String why) {
    try {
      return switch (writer.endDelay(entry, why)) {
        case STANDS -> goesOn(entry);
        case DROPPED -> AfterEvaluation.tooLate();
        case EVALUATE_ANEW -> AfterEvaluation.again(timing.now().plus(Evaluator.SOON));
      };
    } catch (RefusedVerdictException e) {
      return failed(entry, e, "Can't write that a delay ends; it goes on");
    }
  }

  private static AfterEvaluation goesOn(OwnEntry<?> entry) {
    return AfterEvaluation.answered(Progress.answered(entry.basis(), null));
  }

  private AfterEvaluation failed(OwnEntry<P> entry, Exception cause, String what) {
    guardSet.failed(entry.check(), cause);
    log.atWarn()
        .addKeyValue("workload", entry.key())
        .addKeyValue("check", entry.check())
        .setCause(cause)
        .log(what);
    Instant now = timing.now();
    int failures = Progress.failed(entry.basis(), entry.memory().progress(), now, now).failures();
    Duration wait = guardSet.guards().errorBackoff().delay(failures - 1, now, timing.random());
    Duration asked =
        cause instanceof BackendUnavailableException unavailable
            ? unavailable.retryAfter().orElse(Duration.ZERO)
            : Duration.ZERO;
    return failed(entry, now.plus(asked.compareTo(wait) > 0 ? asked : wait));
  }

  private AfterEvaluation failed(OwnEntry<P> entry, Instant next) {
    return AfterEvaluation.failedInBackoff(
        Progress.failed(entry.basis(), entry.memory().progress(), timing.now(), next));
  }

  private AfterEvaluation notAsked(OwnEntry<P> entry) {
    Instant soon = timing.now().plus(Evaluator.SOON);
    @Nullable Progress before = entry.memory().progress();
    return before == null || !before.basis().equals(entry.basis())
        ? AfterEvaluation.again(soon)
        : AfterEvaluation.notAsked(before.withNext(soon));
  }
}
