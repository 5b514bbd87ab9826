// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.core.lifecycle.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The delay that a Retry asks for, computed independently of the code that is explored. */
final class Delays {
  private Delays() {}

  /**
   * So many seconds from now quota must not be reserved again, at least, when a check changes its
   * entry from {@code before} to {@code after}.
   */
  static int promised(Rules rules, AdmissionCheckState before, AdmissionCheckState after) {
    if (after.is(CheckState.REJECTED) && rules.isAlternative(after.name())) {
      return rules.longestDelay() + 1; // It delays by no more than another alternative.
    }
    Duration delay = of(rules, after);
    if (!after.is(CheckState.RETRY) || delay == null) {
      return 0;
    }
    if (rules.skewed()
        && before.is(CheckState.RETRY)
        && before.lastTransitionTime().equals(after.lastTransitionTime())) {
      return 0; // The same Retry by its date: counted from whenever that was first seen.
    }
    int dated = Times.seconds(after.lastTransitionTime());
    boolean trusted = dated <= 0 && dated >= -Rules.TRUSTED_LAG;
    return Times.until(Times.NOW.plusSeconds(trusted ? dated : 0).plus(delay));
  }

  /**
   * The delay of a Retry: what its check asks for, or the policy, within the bounds. Null without
   * one.
   */
  static @Nullable Duration of(Rules rules, AdmissionCheckState entry) {
    Duration shortest = rules.settings().minimumRetryDelay();
    if (!rules.settings().acRequeueAfter()) {
      return shortest;
    }
    Integer asked = entry.requeueAfterSeconds();
    if (asked != null) {
      return capped(rules, Duration.ofSeconds(asked));
    }
    RetryPolicy policy = rules.retry(entry.name());
    if (policy == null) {
      return shortest.isZero() ? null : shortest;
    }
    int attempt = entry.retryCount() == null ? 0 : entry.retryCount();
    double seconds = policy.baseDelay().toSeconds() * Math.pow(policy.factor(), attempt);
    Duration grown = Duration.ofSeconds((long) seconds);
    Duration bound = policy.maxDelay();
    return capped(rules, bound != null && grown.compareTo(bound) > 0 ? bound : grown);
  }

  private static Duration capped(Rules rules, Duration delay) {
    Duration maximum = rules.settings().maximumRetryDelay();
    Duration shortest = rules.settings().minimumRetryDelay();
    return delay.compareTo(maximum) > 0
        ? maximum
        : delay.compareTo(shortest) < 0 ? shortest : delay;
  }

  static Instant roundedUp(Instant instant) {
    Instant second = instant.truncatedTo(ChronoUnit.SECONDS);
    return second.equals(instant) ? instant : second.plusSeconds(1);
  }
}
