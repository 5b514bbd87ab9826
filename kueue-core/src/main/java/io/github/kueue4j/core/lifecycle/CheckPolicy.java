// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckRetry;
import io.github.kueue4j.api.CheckGroup;
import io.github.kueue4j.api.CheckOrder;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The policy of an AdmissionCheck as far as the core follows it.
 *
 * @param name the check's name
 * @param retry computes the delay of a Retry without requeueAfterSeconds; null for the shortest
 *     delay
 * @param limits how far it may go with Retry
 * @param pendingTimeout how long the check may stay Pending while quota is reserved; not negative,
 *     null for no limit
 * @param after the checks after which it is asked; see {@link CheckOrder}
 * @param anyOf the group of checks of which one is enough; null for none; see {@link CheckGroup}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CheckPolicy(
    String name,
    @Nullable RetryPolicy retry,
    RetryLimits limits,
    @Nullable Duration pendingTimeout,
    Set<String> after,
    @Nullable String anyOf) {

  public CheckPolicy {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(limits, "limits");
    if (pendingTimeout != null && pendingTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "the pending timeout of AdmissionCheck " + name + " must not be negative");
    }
    after = Set.copyOf(after);
  }

  /**
   * The policy in the spec of {@code check}, read leniently: values out of range count as their
   * bound.
   */
  public static CheckPolicy of(AdmissionCheck check) {
    AdmissionCheckRetry retry = check.spec().retry();
    Integer timeout = check.spec().pendingTimeoutSeconds();
    return new CheckPolicy(
        String.valueOf(check.metadata().getName()),
        retry == null ? null : RetryPolicy.of(retry),
        RetryLimits.of(check.spec().retryLimits()),
        timeout == null ? null : Duration.ofSeconds(Math.max(0, timeout)),
        CheckOrder.after(check),
        CheckGroup.of(check).orElse(null));
  }

  /** A check without extensions. */
  public static CheckPolicy of(String name) {
    return new CheckPolicy(name, null, RetryLimits.NONE, null, Set.of(), null);
  }

  /** This check with a policy for Retries without requeueAfterSeconds. */
  public CheckPolicy withRetry(@Nullable RetryPolicy retry) {
    return new CheckPolicy(name, retry, limits, pendingTimeout, after, anyOf);
  }

  /** This check with limits for its Retries. */
  public CheckPolicy withLimits(RetryLimits limits) {
    return new CheckPolicy(name, retry, limits, pendingTimeout, after, anyOf);
  }

  /** This check with a bound on how long it may stay Pending. */
  public CheckPolicy withPendingTimeout(@Nullable Duration pendingTimeout) {
    return new CheckPolicy(name, retry, limits, pendingTimeout, after, anyOf);
  }

  /** This check, asked after others. */
  public CheckPolicy withAfter(Set<String> after) {
    return new CheckPolicy(name, retry, limits, pendingTimeout, after, anyOf);
  }

  /** This check as an alternative to the others of a group. */
  public CheckPolicy withAnyOf(@Nullable String anyOf) {
    return new CheckPolicy(name, retry, limits, pendingTimeout, after, anyOf);
  }
}
