// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckRetryLimits;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How far a check may go with Retry: an AdmissionCheck's {@code spec.retryLimits}, an extension of
 * kueue4j.
 *
 * @param maxDelay the longest delay, asked for or computed; not negative, null for the configured
 *     maximum
 * @param maxRetries how many Retries are waited out since the last success; at least 1, null for
 *     any number
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RetryLimits(@Nullable Duration maxDelay, @Nullable Integer maxRetries) {
  static final RetryLimits NONE = new RetryLimits(null, null);

  public RetryLimits {
    if (maxDelay != null && maxDelay.isNegative()) {
      throw new IllegalArgumentException("the longest delay must not be negative: " + maxDelay);
    }
    if (maxRetries != null && maxRetries < 1) {
      throw new IllegalArgumentException("the most Retries must be at least 1: " + maxRetries);
    }
  }

  /** The limits in a spec, read leniently: values out of range count as their bound. */
  static RetryLimits of(@Nullable AdmissionCheckRetryLimits limits) {
    if (limits == null) {
      return NONE;
    }
    Duration longest = limits.maxDelay();
    Integer most = limits.maxRetries();
    return new RetryLimits(
        longest != null && longest.isNegative() ? Duration.ZERO : longest,
        most == null ? null : Math.max(1, most));
  }

  /**
   * After R3 has given the quota back: a check says Retry once more than its limit allows, its
   * alternatives have come to theirs or said Rejected, and the Workload is deactivated. It acts in
   * Evicting, too, where a Retry may come late.
   */
  static @Nullable ProposedWrite exceeded(SituationView view) {
    if (view.phase() != Phase.EVICTING && view.phase() != Phase.BACKOFF) {
      return null;
    }
    for (AdmissionCheckState entry : view.retries()) {
      CheckPolicy policy = view.policies().get(entry.name());
      Integer most = policy == null ? null : policy.limits().maxRetries();
      if (most != null
          && view.groups().answers(entry.name(), view.entries()).stream()
              .allMatch(answer -> isExhausted(view, answer))) {
        return Deactivation.exceedLimit(view, ExceededLimit.retries(entry, most));
      }
    }
    return null;
  }

  private static boolean isExhausted(SituationView view, AdmissionCheckState entry) {
    CheckPolicy policy = view.policies().get(entry.name());
    Integer most = policy == null ? null : policy.limits().maxRetries();
    return entry.is(CheckState.REJECTED)
        || (most != null && entry.retryCount() != null && entry.retryCount() >= most);
  }
}
