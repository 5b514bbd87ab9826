/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.sdk.AdmissionCheck;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The one way into the author's method: circuit breaker, rate limit, bulkhead, a thread of its own
 * and a timeout, in that order. Whatever the method does, this returns a value.
 *
 * <p>One guard serves one AdmissionCheck; the bulkhead is shared by all checks of the controller.
 */
final class Guard implements AutoCloseable {

  /** How long to wait for a place before the worker turns to other workloads. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final Guards guards;
  private final Bulkhead bulkhead;
  private final @Nullable RateLimiter rateLimiter;
  private final CircuitBreaker circuitBreaker;
  private final ExecutorService threads;

  private Guard(
      Guards guards,
      Bulkhead bulkhead,
      @Nullable RateLimiter rateLimiter,
      CircuitBreaker breaker,
      ExecutorService threads) {
    this.guards = guards;
    this.bulkhead = bulkhead;
    this.rateLimiter = rateLimiter;
    this.circuitBreaker = breaker;
    this.threads = threads;
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
  static Guard of(String check, Guards guards, Bulkhead bulkhead, InstantSource time) {
    return of(
        check,
        guards,
        bulkhead,
        time,
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("evaluate-" + check + "-", 0).factory()));
  }

  /** The guard of one check whose evaluations run on these threads. */
  static Guard of(
      String check, Guards guards, Bulkhead bulkhead, InstantSource time, ExecutorService threads) {
    return new Guard(
        guards, bulkhead, rateLimiter(check, guards), breaker(check, guards, time), threads);
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

    /** The circuit breaker is open: so many evaluations failed that none was tried. */
    record LeftAlone(Duration tryAgainIn) implements Outcome {}

    /** Too many evaluations run or ran within the second. */
    record Busy() implements Outcome {}
  }

  /**
   * Calls the author's method.
   *
   * @throws InterruptedException if the calling thread is interrupted; the call is cancelled
   */
  <P> Outcome call(AdmissionCheck<P> check, Evaluation<P> evaluation) throws InterruptedException {
    if (!circuitBreaker.tryAcquirePermission()) {
      return new Outcome.LeftAlone(guards.circuitBreaker().openFor());
    }
    if (rateLimiter != null && !rateLimiter.acquirePermission()) {
      circuitBreaker.releasePermission();
      return new Outcome.Busy();
    }
    if (!bulkhead.tryAcquirePermission()) {
      circuitBreaker.releasePermission();
      return new Outcome.Busy();
    }
    return onItsOwnThread(check, evaluation);
  }

  private <P> Outcome onItsOwnThread(AdmissionCheck<P> check, Evaluation<P> evaluation)
      throws InterruptedException {
    FutureTask<Verdict> running = new FutureTask<>(() -> check.evaluate(evaluation));
    threads.execute(
        () -> {
          try {
            running.run();
          } finally {
            // Here and not in the caller: a call that ignores its interruption still runs. And
            // around the task: one that is cancelled before it began never runs.
            bulkhead.onComplete();
          }
        });
    try {
      @Nullable Verdict verdict = running.get(guards.timeout().toNanos(), TimeUnit.NANOSECONDS);
      if (verdict == null) {
        return failed(new NullPointerException("evaluate returned null instead of a verdict"));
      }
      circuitBreaker.onSuccess(0, TimeUnit.NANOSECONDS);
      return new Outcome.Answered(verdict);
    } catch (ExecutionException e) {
      return failed(e.getCause() instanceof Exception cause ? cause : e);
    } catch (TimeoutException e) {
      running.cancel(true);
      return failed(new TimeoutException("no verdict within " + guards.timeout()));
    } catch (InterruptedException e) {
      running.cancel(true);
      circuitBreaker.releasePermission();
      throw e;
    }
  }

  private Outcome failed(Exception cause) {
    circuitBreaker.onError(0, TimeUnit.NANOSECONDS, cause);
    return new Outcome.Failed(cause);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
