// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.ErrorPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a Workload while an endpoint gives no usable answer; what is absent is as the
 * controller's guards say. The delays are lengthened by up to 20 %, so that Workloads don't come
 * back together.
 *
 * @param errorBudget for how long it keeps its quota meanwhile, at most 24 h; zero: not at all
 * @param busyDelay for how long it gives the quota back if the endpoint said that it is busy (429,
 *     503), 1 s to 24 h
 * @param downDelay the same in any other case, such as no connection
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Unavailability(
    Optional<Duration> errorBudget, Optional<Duration> busyDelay, Optional<Duration> downDelay) {
  private static final Duration LONGEST = Duration.ofHours(24);
  private static final String DELAYS = "write a duration from 1s to 24h, such as 10m";

  /** All as the guards say. */
  public static final Unavailability USUAL =
      new Unavailability(Optional.empty(), Optional.empty(), Optional.empty());

  /** What to do about one beside a failure policy that lets Workloads through. */
  public static final String UNUSED =
      "leave out unavailable, or write failurePolicy: Fail, since Ignore lets Workloads through";

  /**
   * @throws InvalidFieldException if a value is out of bounds
   */
  public Unavailability {
    refuse(
        "errorBudget", errorBudget, Duration.ZERO, "write a duration from 0s to 24h, such as 2m");
    refuse("busyDelay", busyDelay, Duration.ofSeconds(1), DELAYS);
    refuse("downDelay", downDelay, Duration.ofSeconds(1), DELAYS);
  }

  private static void refuse(
      String field, Optional<Duration> value, Duration least, String remedy) {
    value
        .filter(given -> given.compareTo(least) < 0 || given.compareTo(LONGEST) > 0)
        .ifPresent(
            given -> {
              throw new InvalidFieldException(field, given.toString(), remedy);
            });
  }

  /** The policy that follows this failure of an evaluation. */
  public ErrorPolicy policy(Exception failure, ErrorPolicy usual) {
    return new ErrorPolicy(
        errorBudget.orElse(usual.budget()),
        (saysBusy(failure) ? busyDelay : downDelay).map(Backoff::fixed).orElse(usual.delay()));
  }

  /** A check may have wrapped what the endpoint said. */
  private static boolean saysBusy(Exception failure) {
    return Stream.<@Nullable Throwable>iterate(
            failure, one -> one != null, one -> one == null ? null : one.getCause())
        .limit(8)
        .anyMatch(
            one ->
                one instanceof EndpointUnavailableException unavailable
                    && unavailable.kind() == EndpointUnavailableException.Kind.OVERLOADED);
  }
}
