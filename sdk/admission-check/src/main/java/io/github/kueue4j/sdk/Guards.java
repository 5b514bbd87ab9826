// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.sdk.program.GuardSettings;
import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a controller's calls of {@code evaluate}, and what follows when they fail.
 *
 * @param timeout positive: how long one evaluation may take before it is interrupted and counts as
 *     failed; real time, whatever the controller's clock
 * @param maxConcurrentEvaluations how many evaluations of all AdmissionChecks of the controller run
 *     at once, at least 1; one that ignores its interruption keeps its place until it ends. Of four
 *     or more places those of one namespace get three quarters at most, so that one whose
 *     evaluations all hang leaves some to the others
 * @param maxEvaluationsPerSecond how many evaluations of each AdmissionCheck start within a second,
 *     at least 1; absent: any number
 * @param circuitBreaker when the evaluations of a failing AdmissionCheck pause
 * @param errorBackoff how long after a failed evaluation the workload is evaluated again; attempt 0
 *     is the first failure in a row
 * @param errorBudget positive: for how long evaluations of one reservation may go on failing, or
 *     wait for a place or for the next second; then the workload gets a Retry, so that a broken
 *     backend doesn't hold quota
 * @param afterErrors the delay of that Retry
 * @param longestDelay positive: the longest delay that is written with a Retry and said in its
 *     message, jitter included, whatever the check asked for; absent: any. No longer than the
 *     core's {@code maximumRetryDelay}, at which the core asks again whatever is written; shorter
 *     for cores that keep the quota, and what is admitted running, until the delay is over
 * @param revocations how carefully a Ready is taken back; absent: at once, and any number of them
 * @see GuardSettings
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Guards(
    Duration timeout,
    int maxConcurrentEvaluations,
    @Nullable Integer maxEvaluationsPerSecond,
    CircuitBreaker circuitBreaker,
    Backoff errorBackoff,
    Duration errorBudget,
    Backoff afterErrors,
    @Nullable Duration longestDelay,
    @Nullable RevocationLimits revocations) {

  /** The {@code maximumRetryDelay} of kueue-core unless configured otherwise. */
  private static final Duration CORES_MAXIMUM = Duration.ofHours(24);

  /**
   * @throws IllegalArgumentException if a value is out of bounds
   */
  public Guards {
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("the timeout must be positive: " + timeout);
    }
    if (maxConcurrentEvaluations < 1) {
      throw new IllegalArgumentException(
          "maxConcurrentEvaluations must be at least 1: " + maxConcurrentEvaluations);
    }
    if (maxEvaluationsPerSecond != null && maxEvaluationsPerSecond < 1) {
      throw new IllegalArgumentException(
          "maxEvaluationsPerSecond must be at least 1, or absent: " + maxEvaluationsPerSecond);
    }
    if (!errorBudget.isPositive()) {
      throw new IllegalArgumentException("the error budget must be positive: " + errorBudget);
    }
    if (longestDelay != null && !longestDelay.isPositive()) {
      throw new IllegalArgumentException(
          "the longest delay must be positive, or absent: " + longestDelay);
    }
  }

  /**
   * 30 s per evaluation, 32 at once, no rate limit, errors tried again after 1 s doubling up to one
   * minute, for two minutes in total; then a Retry of 30 s doubling up to 30 minutes. No delay is
   * longer than 24 h, as long as kueue-core waits unless configured otherwise.
   */
  public static Guards defaults() {
    return new Guards(
        Duration.ofSeconds(30),
        32,
        null,
        CircuitBreaker.defaults(),
        Backoff.exponential(Duration.ofSeconds(1), 2).atMost(Duration.ofMinutes(1)),
        Duration.ofMinutes(2),
        Backoff.exponential(Duration.ofSeconds(30), 2).atMost(Duration.ofMinutes(30)),
        CORES_MAXIMUM,
        null);
  }

  /** The same guards with another timeout. */
  public Guards withTimeout(Duration other) {
    return with(other, maxConcurrentEvaluations, maxEvaluationsPerSecond, circuitBreaker);
  }

  /** The same guards with another number of concurrent evaluations. */
  public Guards withMaxConcurrentEvaluations(int other) {
    return with(timeout, other, maxEvaluationsPerSecond, circuitBreaker);
  }

  /** The same guards with another rate limit; absent means none. */
  public Guards withMaxEvaluationsPerSecond(@Nullable Integer other) {
    return with(timeout, maxConcurrentEvaluations, other, circuitBreaker);
  }

  /** The same guards with another circuit breaker. */
  public Guards withCircuitBreaker(CircuitBreaker other) {
    return with(timeout, maxConcurrentEvaluations, maxEvaluationsPerSecond, other);
  }

  /** The same guards with another policy for failing evaluations. */
  public Guards withErrorPolicy(Backoff backoff, Duration budget, Backoff afterwards) {
    return with(backoff, budget, afterwards, longestDelay, revocations);
  }

  /** The same guards with another longest delay; absent means any. */
  public Guards withLongestDelay(@Nullable Duration other) {
    return with(errorBackoff, errorBudget, afterErrors, other, revocations);
  }

  /** The same guards, which take back a Ready as carefully as this says; absent: at once. */
  public Guards withRevocations(@Nullable RevocationLimits other) {
    return with(errorBackoff, errorBudget, afterErrors, longestDelay, other);
  }

  private Guards with(
      Duration timeout,
      int maxConcurrentEvaluations,
      @Nullable Integer maxEvaluationsPerSecond,
      CircuitBreaker circuitBreaker) {
    return new Guards(
        timeout,
        maxConcurrentEvaluations,
        maxEvaluationsPerSecond,
        circuitBreaker,
        errorBackoff,
        errorBudget,
        afterErrors,
        longestDelay,
        revocations);
  }

  private Guards with(
      Backoff errorBackoff,
      Duration errorBudget,
      Backoff afterErrors,
      @Nullable Duration longestDelay,
      @Nullable RevocationLimits revocations) {
    return new Guards(
        timeout,
        maxConcurrentEvaluations,
        maxEvaluationsPerSecond,
        circuitBreaker,
        errorBackoff,
        errorBudget,
        afterErrors,
        longestDelay,
        revocations);
  }

  /** What follows when evaluations go on failing, unless the check says otherwise. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public ErrorPolicy errorPolicy() {
    return new ErrorPolicy(errorBudget, afterErrors);
  }

  /** The delay as it may be written: what jitter adds to a backoff stays within the limit, too. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public Delay limited(Delay asked) {
    @Nullable Duration longest = longestDelay;
    if (longest == null) {
      return asked;
    }
    return switch (asked) {
      case Delay.None none -> none;
      case Delay.Exact exact ->
          exact.duration().compareTo(longest) > 0 ? Delay.exactly(longest) : exact;
      case Delay.From from -> Delay.from(Backoff.earliest(from.backoff()).atMost(longest));
    };
  }

  /**
   * When a backend that keeps failing is left alone for a while. One circuit breaker per
   * AdmissionCheck counts every {@link io.github.kueue4j.sdk.BackendUnavailableException}. Other
   * exceptions and timeouts may be the trouble of one workload, so they count once per workload
   * within the window, and not while only the workloads of one namespace meet them and others get
   * answers. Verdicts of any kind are successes.
   *
   * @param window how many of the last evaluations count, at least 1
   * @param minimum how many must have been counted before the breaker may open, 1 to {@code window}
   * @param failureRate the part of failures that opens the breaker, above 0 and at most 1
   * @param openFor how long nothing is evaluated once it is open, positive; afterwards one
   *     evaluation is let through and decides
   * @see GuardSettings
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record CircuitBreaker(int window, int minimum, double failureRate, Duration openFor) {

    /**
     * @throws IllegalArgumentException if a value is out of bounds
     */
    public CircuitBreaker {
      if (minimum < 1 || minimum > window) {
        throw new IllegalArgumentException(
            "the minimum must lie between 1 and the window " + window + ": " + minimum);
      }
      if (!(failureRate > 0 && failureRate <= 1)) {
        throw new IllegalArgumentException(
            "the failure rate must be above 0 and at most 1: " + failureRate);
      }
      if (!openFor.isPositive()) {
        throw new IllegalArgumentException("openFor must be positive: " + openFor);
      }
    }

    /** Half of the last twenty, of which at least ten are known, open the breaker for 10 s. */
    public static CircuitBreaker defaults() {
      return new CircuitBreaker(20, 10, 0.5, Duration.ofSeconds(10));
    }
  }

  /**
   * How carefully a Ready is taken back. Where Workloads that were let through are evaluated again
   * ({@link CheckController.Builder#recheckReadyEvery}), a Retry or Rejected ends what runs, and a
   * backend that is mistaken for a moment would end all of it. With these limits
   *
   * <ul>
   *   <li>it takes two such answers in a row, of the same state and some time apart; any other
   *       answer and any failure in between begins that anew;
   *   <li>one AdmissionCheck ends so many running Workloads within a time and no more. The others
   *       are evaluated again, and end later if the answer is still the same.
   * </ul>
   *
   * <p>What waits is told by events of the Workload, in the log and in the metric {@code
   * kueue4j_check_revocations_total}. Both are kept in memory: after a restart it takes two answers
   * again, and the count begins at zero.
   *
   * @param confirmAfter how long after the first answer the second one is asked for, positive
   * @param most how many running Workloads an AdmissionCheck may end within the window, at least 1
   * @param window the time in which they are counted, positive
   * @see GuardSettings
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record RevocationLimits(Duration confirmAfter, int most, Duration window) {

    /**
     * @throws IllegalArgumentException if a value is out of bounds
     */
    public RevocationLimits {
      if (!confirmAfter.isPositive()) {
        throw new IllegalArgumentException("confirmAfter must be positive: " + confirmAfter);
      }
      if (most < 1) {
        throw new IllegalArgumentException(
            "the most that may end within the window must be at least 1: " + most);
      }
      if (!window.isPositive()) {
        throw new IllegalArgumentException("the window must be positive: " + window);
      }
    }

    /** A second answer after 30 s; at most five Workloads within ten minutes. */
    public static RevocationLimits defaults() {
      return new RevocationLimits(Duration.ofSeconds(30), 5, Duration.ofMinutes(10));
    }
  }
}
