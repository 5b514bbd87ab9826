// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Verdict;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The only caller of the author's method: circuit breaker, rate limit, bulkhead, a thread of its
 * own and a timeout, in that order. Whatever the method does, the guard returns a value.
 *
 * <p>One guard serves one AdmissionCheck; the bulkhead is shared by all checks of the controller.
 */
final class Guard {

  static final String CLOSED = "closed";
  static final String HALF_OPEN = "half_open";
  static final String OPEN = "open";

  /** How long a worker waits for a permission before it turns to other workloads. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final Guards guards;
  private final Bulkhead bulkhead;
  private final @Nullable RateLimiter rateLimiter;
  private final CircuitBreaker circuitBreaker;
  private final BackendEvidence evidence;
  private final AuthorCalls calls;

  private Guard(
      String check, Guards guards, Bulkhead bulkhead, InstantSource time, AuthorCalls calls) {
    this.guards = guards;
    this.bulkhead = bulkhead;
    this.rateLimiter = rateLimiter(check, guards);
    this.circuitBreaker = breaker(check, guards, time);
    this.evidence = new BackendEvidence(guards.circuitBreaker().window(), time);
    this.calls = calls;
    circuitBreaker.getEventPublisher().onStateTransition(transition -> evidence.forget());
  }

  /** The bulkhead of a controller. */
  static Bulkhead bulkhead(String controllerName, Guards guards) {
    return Bulkhead.of(
        controllerName,
        BulkheadConfig.custom()
            .maxConcurrentCalls(guards.maxConcurrentEvaluations())
            .maxWaitDuration(PATIENCE)
            .build());
  }

  /** The guard of one check. */
  static Guard of(
      String check, Guards guards, Bulkhead bulkhead, InstantSource time, AuthorCalls calls) {
    return new Guard(check, guards, bulkhead, time, calls);
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
    CircuitBreakerOptions options = guards.circuitBreaker();
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

  /** What came of a call. */
  sealed interface Outcome {
    /** The author's verdict. */
    record Answered(Verdict verdict) implements Outcome {}

    /** The author's method failed or took too long. */
    record Failed(Exception cause) implements Outcome {}

    /** The circuit breaker is open: the backend failed so often that it was not asked. */
    record CircuitOpen(Duration tryAgainIn) implements Outcome {}

    /** Too many evaluations run or ran within the second. */
    record Busy() implements Outcome {}

    /** An earlier evaluation of the same workload has not ended, whatever it was told. */
    record StillRunning() implements Outcome {}
  }

  /**
   * Calls the author's method.
   *
   * @throws InterruptedException if the calling thread is interrupted; the call is cancelled
   */
  <P> Outcome call(Check<P> check, Evaluation<P> evaluation) throws InterruptedException {
    AuthorCalls.Subject subject = new AuthorCalls.Subject(evaluation.check(), evaluation.key());
    if (calls.runs(subject)) {
      // Before it takes anything that others could use.
      return new Outcome.StillRunning();
    }
    if (!circuitBreaker.tryAcquirePermission()) {
      return new Outcome.CircuitOpen(guards.circuitBreaker().openFor());
    }
    if (rateLimiter != null && !rateLimiter.acquirePermission()) {
      circuitBreaker.releasePermission();
      return new Outcome.Busy();
    }
    if (!bulkhead.tryAcquirePermission()) {
      circuitBreaker.releasePermission();
      return new Outcome.Busy();
    }
    Optional<AuthorCalls.Turn> turn = calls.turn(subject, bulkhead::onComplete);
    if (turn.isEmpty()) {
      bulkhead.releasePermission();
      circuitBreaker.releasePermission();
      return new Outcome.StillRunning();
    }
    return ask(turn.get(), check, evaluation);
  }

  private <P> Outcome ask(AuthorCalls.Turn turn, Check<P> check, Evaluation<P> evaluation)
      throws InterruptedException {
    try {
      @Nullable Verdict verdict = turn.call(() -> check.evaluate(evaluation));
      if (verdict == null) {
        return failed(
            evaluation.key(),
            new NullPointerException("evaluate returned null instead of a verdict"));
      }
      evidence.answered(evaluation.key());
      circuitBreaker.onSuccess(0, TimeUnit.NANOSECONDS);
      return new Outcome.Answered(verdict);
    } catch (InterruptedException e) {
      circuitBreaker.releasePermission();
      throw e;
    } catch (Exception e) {
      return failed(evaluation.key(), e);
    }
  }

  /** Whether the circuit breaker lets evaluations pass: closed, half open or open. */
  String breakerState() {
    return switch (circuitBreaker.getState()) {
      case OPEN, FORCED_OPEN -> OPEN;
      case HALF_OPEN -> HALF_OPEN;
      case CLOSED, DISABLED, METRICS_ONLY -> CLOSED;
    };
  }

  private Outcome failed(ObjectKey workload, Exception cause) {
    if (evidence.failed(workload, cause)) {
      circuitBreaker.onError(0, TimeUnit.NANOSECONDS, cause);
    } else {
      circuitBreaker.releasePermission();
    }
    return new Outcome.Failed(cause);
  }
}
