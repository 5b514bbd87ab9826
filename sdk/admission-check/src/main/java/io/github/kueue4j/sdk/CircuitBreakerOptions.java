// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.sdk.program.GuardSettings;
import java.time.Duration;
import org.apiguardian.api.API;

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
 * @param openFor how long nothing is evaluated once it is open, positive; afterwards one evaluation
 *     is let through and decides
 * @see GuardSettings
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CircuitBreakerOptions(int window, int minimum, double failureRate, Duration openFor) {

  /**
   * @throws IllegalArgumentException if a value is out of bounds
   */
  public CircuitBreakerOptions {
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
  public static CircuitBreakerOptions defaults() {
    return new CircuitBreakerOptions(20, 10, 0.5, Duration.ofSeconds(10));
  }
}
