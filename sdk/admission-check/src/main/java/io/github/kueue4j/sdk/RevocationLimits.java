// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.sdk.program.GuardSettings;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How carefully a Ready is taken back. Where Workloads that were let through are evaluated again
 * ({@link CheckController.Builder#recheckReadyEvery}), a Retry or Rejected ends what runs, and a
 * backend that is mistaken for a moment would end all of it. With these limits
 *
 * <ul>
 *   <li>it takes two such answers in a row, of the same state and some time apart; any other answer
 *       and any failure in between begins that anew;
 *   <li>one AdmissionCheck ends so many running Workloads within a time and no more. The others are
 *       evaluated again, and end later if the answer is still the same.
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
