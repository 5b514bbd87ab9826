// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import io.github.kueue4j.api.InvalidFieldException;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How long Workloads are taken to run.
 *
 * @param annotation of the Workload or its pods that declares it, as a duration; absent: only
 *     {@code maximumExecutionTimeSeconds} counts, which Kueue enforces
 * @param undeclared what becomes of those that declare nothing; absent: they are refused
 * @param assumed with {@code Assume}: how long they are taken to run, positive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RuntimeSpec(
    Optional<String> annotation, Optional<Undeclared> undeclared, Optional<Duration> assumed) {

  /** The treatment of Workloads that don't say how long they run. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum Undeclared {
    /** They are rejected. */
    REFUSE,
    /** They are taken to run for {@code assumed}. */
    ASSUME,
    /** Nothing is reserved; they start as long as something is left. */
    CHARGE_AS_IT_RUNS
  }

  /** Checks the duration. */
  public RuntimeSpec {
    boolean positive = assumed.filter(Duration::isPositive).isPresent();
    if (undeclared.filter(Undeclared.ASSUME::equals).isPresent() && !positive) {
      throw new InvalidFieldException(
          "assumed",
          assumed.map(Duration::toString).orElse(null),
          "write a positive duration such as 2h");
    }
  }

  /** Without a field. */
  static RuntimeSpec refusing() {
    return new RuntimeSpec(Optional.empty(), Optional.empty(), Optional.empty());
  }
}
