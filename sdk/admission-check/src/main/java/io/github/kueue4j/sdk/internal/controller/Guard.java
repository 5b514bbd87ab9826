// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.DelayEndingCheck;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NotAskedException;
import io.github.kueue4j.sdk.Verdict;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The only caller of the author's methods about a workload: circuit breaker, bulkhead, rate limit,
 * a thread of its own and a timeout, in that order. Whatever the method does, the guard returns a
 * value.
 *
 * <p>One guard serves one AdmissionCheck; the places of the bulkhead are shared by all checks of
 * the controller.
 */
final class Guard {

  static final String CLOSED = "closed";
  static final String HALF_OPEN = "half_open";
  static final String OPEN = "open";

  /** How long a worker waits for a permission before it turns to other workloads. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final Guards guards;
  private final EvaluationPlaces places;
  private final @Nullable RateLimiter rateLimiter;
  private final CircuitBreaker circuitBreaker;
  private final BackendEvidence evidence;
  private final AuthorCalls calls;

  /** Written before the breaker hears of it, so it is there when the breaker is open. */
  private volatile Exception lastFailure = new BackendUnavailableException("not asked yet");

  /** Whether an evaluation runs for which the breaker gave no permission. */
  private final AtomicBoolean askedBesides = new AtomicBoolean();

  private Guard(
      String check, Guards guards, EvaluationPlaces places, InstantSource time, AuthorCalls calls) {
    this.guards = guards;
    this.places = places;
    this.rateLimiter = rateLimiter(check, guards);
    this.circuitBreaker = breaker(check, guards, time);
    this.evidence = new BackendEvidence(guards.circuitBreaker().window(), time);
    this.calls = calls;
    circuitBreaker.getEventPublisher().onStateTransition(transition -> evidence.forget());
  }

  /** The places of a controller. */
  static EvaluationPlaces places(String controllerName, Guards guards) {
    return new EvaluationPlaces(controllerName, guards.maxConcurrentEvaluations(), PATIENCE);
  }

  /**
   * The guard of one check.
   *
   * @param time for what is measured: a clock that isn't set
   */
  static Guard of(
      String check, Guards guards, EvaluationPlaces places, InstantSource time, AuthorCalls calls) {
    return new Guard(check, guards, places, time, calls);
  }

  private static @Nullable RateLimiter rateLimiter(String check, Guards guards) {
    Integer perSecond = guards.maxEvaluationsPerSecond();
    return perSecond == null
        ? null
        : RateLimiter.of(
            check,
            RateLimiterConfig.custom()
                .limitForPeriod(perSecond)
                .limitRefreshPeriod(Duration.ofSeconds(1))
                .timeoutDuration(PATIENCE)
                .build());
  }

  private static CircuitBreaker breaker(String check, Guards guards, InstantSource time) {
    Guards.CircuitBreaker options = guards.circuitBreaker();
    return CircuitBreaker.of(
        check,
        CircuitBreakerConfig.custom()
            .slidingWindow(options.window(), options.minimum(), SlidingWindowType.COUNT_BASED)
            .failureRateThreshold((float) (100 * options.failureRate()))
            .permittedNumberOfCallsInHalfOpenState(1)
            .waitDurationInOpenState(options.openFor())
            .clock(time.withZone(ZoneOffset.UTC))
            .currentTimestampFunction(Clock::millis, TimeUnit.MILLISECONDS)
            .build());
  }

  /**
   * The outcome of a call.
   *
   * @param <A> what the author's method answers
   */
  sealed interface Outcome<A> {
    /** The author's answer. */
    record Answered<A>(A answer) implements Outcome<A> {}

    /** The author's method failed or took too long. */
    record Failed<A>(Exception cause) implements Outcome<A> {}

    /**
     * The circuit breaker is open: the backend failed so often that it was not asked.
     *
     * @param lastFailure the last that spoke against the backend
     */
    record CircuitOpen<A>(Duration tryAgainIn, Exception lastFailure) implements Outcome<A> {}

    /**
     * Not now, but soon: too many evaluations run or ran within the second, or one runs that tells
     * whether the backend answers again, or the author doesn't ask now.
     *
     * @param message for people: what the workload waits for
     */
    record Busy<A>(String message) implements Outcome<A> {
      Busy() {
        this(
            "too many evaluations run, of this namespace or of all, or too many began within the"
                + " second, or one finds out whether this check can be asked again");
      }
    }

    /** An earlier evaluation of the same workload has not ended, whatever it was told. */
    record StillRunning<A>() implements Outcome<A> {}
  }

  /**
   * The question to the author about a workload.
   *
   * @param method the name of the author's method
   * @param tells whether an answer says something about the backend, which may not have been asked
   */
  record Question<A>(
      Evaluation<?> evaluation, String method, Callable<A> call, Predicate<A> tells) {

    /** Its verdict. */
    static <P> Question<Verdict> verdict(Check<P> check, Evaluation<P> evaluation) {
      return new Question<>(
          evaluation,
          "evaluate",
          () -> check.evaluate(evaluation),
          verdict -> !(verdict instanceof Verdict.Unchanged));
    }

    /** The question whether a delay ends. */
    static <P> Question<Optional<String>> delayEnds(
        DelayEndingCheck<P> check, Evaluation<P> waiting) {
      return new Question<>(
          waiting, "delayEnds", () -> check.delayEnds(waiting), Optional::isPresent);
    }
  }

  /**
   * Asks the author.
   *
   * @throws InterruptedException if the calling thread is interrupted; the call is cancelled
   */
  <A> Outcome<A> call(Question<A> question) throws InterruptedException {
    Evaluation<?> evaluation = question.evaluation();
    AuthorCalls.Subject subject =
        AuthorCalls.Subject.workload(evaluation.check(), evaluation.key());
    if (calls.runs(subject)) {
      // Before it takes anything that others could use.
      return new Outcome.StillRunning<>();
    }
    Permission permission = permission(evaluation.namespace());
    switch (permission) {
      case NONE -> {
        return new Outcome.CircuitOpen<>(guards.circuitBreaker().openFor(), lastFailure);
      }
      case SOON -> {
        return new Outcome.Busy<>();
      }
      case BREAKER, BESIDES -> {}
    }
    if (!places.tryTake(evaluation.namespace())) {
      giveBack(permission);
      return new Outcome.Busy<>();
    }
    // Last: it can't be given back, and a namespace without a place would use up those of others.
    if (rateLimiter != null && !rateLimiter.acquirePermission()) {
      places.giveBack(evaluation.namespace());
      giveBack(permission);
      return new Outcome.Busy<>();
    }
    Optional<AuthorCalls.Turn> turn =
        calls.turn(subject, () -> places.giveBack(evaluation.namespace()));
    if (turn.isEmpty()) {
      places.giveBack(evaluation.namespace());
      giveBack(permission);
      return new Outcome.StillRunning<>();
    }
    return ask(permission, turn.get(), question);
  }

  /** Why an evaluation may begin, as far as the circuit breaker is concerned. */
  private enum Permission {
    /** The breaker permits it, and hears what comes of it. */
    BREAKER,
    /** The breaker is open because of other namespaces; an answer closes it. */
    BESIDES,
    /** It may not, but another runs that decides whether it may. */
    SOON,
    /** It may not. */
    NONE
  }

  private Permission permission(String namespace) {
    if (circuitBreaker.tryAcquirePermission()) {
      return Permission.BREAKER;
    }
    if (evidence.maySpeakFor(namespace)) {
      return askedBesides.compareAndSet(false, true) ? Permission.BESIDES : Permission.SOON;
    }
    // The first after a pause tries; the others would wait out a pause that it may have ended.
    return circuitBreaker.getState() == CircuitBreaker.State.HALF_OPEN
        ? Permission.SOON
        : Permission.NONE;
  }

  private void giveBack(Permission permission) {
    switch (permission) {
      case BREAKER -> circuitBreaker.releasePermission();
      case BESIDES -> askedBesides.set(false);
      case SOON, NONE -> {}
    }
  }

  private <A> Outcome<A> ask(Permission permission, AuthorCalls.Turn turn, Question<A> question)
      throws InterruptedException {
    ObjectKey workload = question.evaluation().key();
    try {
      @Nullable A answer = turn.call(question.call());
      if (answer == null) {
        return failed(
            permission,
            workload,
            new NullPointerException(question.method() + " returned null instead of an answer"));
      }
      if (question.tells().test(answer)) {
        answered(permission, workload);
      } else {
        giveBack(permission);
      }
      return new Outcome.Answered<>(answer);
    } catch (InterruptedException e) {
      giveBack(permission);
      throw e;
    } catch (NotAskedException e) {
      giveBack(permission);
      return new Outcome.Busy<>(String.valueOf(e.getMessage()));
    } catch (Exception e) {
      return failed(permission, workload, e);
    }
  }

  private void answered(Permission permission, ObjectKey workload) {
    evidence.answered(workload);
    if (permission == Permission.BREAKER) {
      circuitBreaker.onSuccess(0, TimeUnit.NANOSECONDS);
    } else {
      circuitBreaker.transitionToClosedState();
      giveBack(permission);
    }
  }

  private <A> Outcome<A> failed(Permission permission, ObjectKey workload, Exception cause) {
    boolean counts = evidence.failed(workload, cause);
    if (counts) {
      lastFailure = cause;
    }
    if (counts && permission == Permission.BREAKER) {
      circuitBreaker.onError(0, TimeUnit.NANOSECONDS, cause);
    } else {
      giveBack(permission);
    }
    return new Outcome.Failed<>(cause);
  }

  /**
   * The state of the circuit breaker, by which it lets evaluations pass: closed, half open or open.
   */
  String breakerState() {
    return switch (circuitBreaker.getState()) {
      case OPEN, FORCED_OPEN -> OPEN;
      case HALF_OPEN -> HALF_OPEN;
      case CLOSED, DISABLED, METRICS_ONLY -> CLOSED;
    };
  }
}
