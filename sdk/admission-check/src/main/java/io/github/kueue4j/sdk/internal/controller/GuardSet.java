// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Guards;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** The guards of a controller's checks: one per AdmissionCheck, all with the same places. */
final class GuardSet implements AutoCloseable {

  private final Guards guards;
  private final InstantSource steady;
  private final CheckMetrics metrics;
  private final EvaluationPlaces places;
  private final List<Runnable> gauges = new CopyOnWriteArrayList<>();
  private final AuthorCalls calls;
  private final Revocations revocations;
  private final BackendReach reach;
  private final Map<String, Guard> byCheck = new ConcurrentHashMap<>();

  GuardSet(
      String controllerName,
      Guards guards,
      TimeSource time,
      CheckMetrics metrics,
      FatalErrors fatalErrors) {
    this.guards = guards;
    this.steady = time.steady();
    this.metrics = metrics;
    this.places = Guard.places(controllerName, guards);
    this.calls = new AuthorCalls(guards.timeout(), fatalErrors);
    this.revocations = new Revocations(guards.revocations(), steady);
    this.reach = new BackendReach(metrics, time);
  }

  Guards guards() {
    return guards;
  }

  Guard of(String check) {
    return byCheck.computeIfAbsent(check, this::guard);
  }

  /**
   * Asks the author through the guard of the check, and counts the call.
   *
   * @throws InterruptedException if the calling thread is interrupted; the call is cancelled
   */
  <A> Guard.Outcome<A> call(Guard.Question<A> question) throws InterruptedException {
    String check = question.evaluation().check();
    CheckMetrics.Stopwatch stopwatch = metrics.start(check);
    Guard.Outcome<A> outcome = of(check).call(question);
    stopwatch.stop(outcome);
    tell(check, outcome, question.tells());
    return outcome;
  }

  /** Tells the backend's evidence about an outcome; one that was not asked says nothing. */
  private <A> void tell(String check, Guard.Outcome<A> outcome, Predicate<A> tells) {
    switch (outcome) {
      case Guard.Outcome.Answered<A>(A answer) -> {
        if (tells.test(answer)) {
          reach.judged(check);
        }
      }
      case Guard.Outcome.Failed<A>(Exception cause) -> {
        if (cause instanceof BackendUnavailableException
            || of(check).breakerState().equals(Guard.OPEN)) {
          reach.failed(check, cause);
        }
      }
      case Guard.Outcome.CircuitOpen<A> open -> {}
      case Guard.Outcome.Busy<A> busy -> {}
      case Guard.Outcome.StillRunning<A> running -> {}
    }
  }

  /** Counts a failure of an evaluation, whether the call or what follows from it. */
  void failed(String check, Exception cause) {
    metrics.failed(check, cause);
  }

  private Guard guard(String check) {
    Guard guard = Guard.of(check, guards, places, steady, calls);
    gauges.add(metrics.breaker(check, guard::breakerState));
    metrics.revocationsOf(check);
    metrics.delaysEnded(check);
    return guard;
  }

  /** What is known of the checks' backends. */
  BackendReach reach() {
    return reach;
  }

  /** What the checks may take back. */
  Revocations revocations() {
    return revocations;
  }

  /** For the author's other methods, which only a timeout guards. */
  AuthorCalls calls() {
    return calls;
  }

  @Override
  public void close() {
    gauges.forEach(Runnable::run);
    reach.close();
    calls.close();
  }
}
