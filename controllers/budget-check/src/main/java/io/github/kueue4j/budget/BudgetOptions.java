// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.http.AddressRules;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How the budget check runs.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param recheckReadyEvery how often running Workloads are looked at under policies that evict;
 *     positive
 * @param spread over how long Workloads come back that waited for a window to begin; up to five
 *     minutes
 * @param addresses which addresses a server may have that tells what was spent
 * @param allowFiles whether policies may name files of the controller's container, such as tokens
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BudgetOptions(
    String controllerName,
    Duration recheckReadyEvery,
    Duration spread,
    AddressRules addresses,
    boolean allowFiles) {

  private static final Duration WIDEST = Duration.ofMinutes(5);

  /**
   * Checks the durations.
   *
   * @throws IllegalArgumentException if one is out of bounds
   */
  public BudgetOptions {
    if (!recheckReadyEvery.isPositive()) {
      throw new IllegalArgumentException(
          "the interval of rechecks must be positive: " + recheckReadyEvery);
    }
    if (spread.isNegative() || spread.compareTo(WIDEST) > 0) {
      throw new IllegalArgumentException("the spread must be 0 to 5 minutes: " + spread);
    }
  }

  /** {@code kueue4j.io/budget}, a minute, three minutes; the usual addresses; no files. */
  public static BudgetOptions defaults() {
    return new BudgetOptions(
        "kueue4j.io/budget",
        Duration.ofMinutes(1),
        Duration.ofMinutes(3),
        AddressRules.defaults(),
        false);
  }

  /** The same with other rules for addresses. */
  public BudgetOptions withAddresses(AddressRules rules) {
    return new BudgetOptions(controllerName, recheckReadyEvery, spread, rules, allowFiles);
  }

  /** The spread as a fraction of what {@code Backoff} spreads over. */
  double jitter() {
    return (double) spread.toMillis() / WIDEST.toMillis();
  }
}
