// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import java.time.Duration;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A limit that deactivates a Workload.
 *
 * @param reason of the DeactivationTarget condition; becomes DeactivatedDueTo + reason
 * @param message of the same condition
 * @param event to record when the limit is found exceeded; null for none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ExceededLimit(String reason, String message, @Nullable LifecycleEvent event) {
  public ExceededLimit {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(message, "message");
  }

  /** More requeues than {@code backoffLimitCount} (KEP-1282). */
  public static ExceededLimit requeuing() {
    return new ExceededLimit(
        Reasons.REQUEUING_LIMIT_EXCEEDED,
        "exceeding the maximum number of re-queuing retries",
        null);
  }

  /** Longer without ready pods, over all attempts, than {@code backoffLimitTimeout}. */
  public static ExceededLimit withoutReadyPods(Duration longest) {
    return new ExceededLimit(
        Reasons.REQUEUING_LIMIT_EXCEEDED,
        "exceeding the maximum time without ready pods (" + longest.toSeconds() + "s)",
        null);
  }

  /** More Retries of a check since its last success than {@code retryLimits.maxRetries}. */
  static ExceededLimit retries(AdmissionCheckState entry, int most) {
    String message =
        "exceeding the maximum number of Retries of AdmissionCheck "
            + entry.name()
            + " (retryLimits.maxRetries "
            + most
            + ")"
            + (entry.message().isEmpty() ? "" : "; its last message: " + entry.message());
    return new ExceededLimit(
        Reasons.RETRY_LIMIT_EXCEEDED,
        message,
        LifecycleEvent.warning(Reasons.RETRY_LIMIT_EXCEEDED, Messages.deactivatedDueTo(message)));
  }

  /** Longer in Admitted, over all admissions, than {@code maximumExecutionTimeSeconds}. */
  public static ExceededLimit executionTime(Duration maximum) {
    return new ExceededLimit(
        Reasons.MAXIMUM_EXECUTION_TIME_EXCEEDED,
        "exceeding the maximum execution time",
        LifecycleEvent.warning(
            Reasons.MAXIMUM_EXECUTION_TIME_EXCEEDED,
            "The maximum execution time (" + maximum.toSeconds() + "s) exceeded"));
  }
}
