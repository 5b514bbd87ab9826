// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * The treatment of a workload whose evaluations go on failing, and of its quota.
 *
 * @param budget zero or positive: for how long the workload keeps it, from the first failure on;
 *     zero: the first failure ends it
 * @param delay of the Retry that gives it back then
 * @see Check#errorPolicy
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ErrorPolicy(Duration budget, Backoff delay) {
  /**
   * @throws IllegalArgumentException if the budget is negative
   */
  public ErrorPolicy {
    if (budget.isNegative()) {
      throw new IllegalArgumentException("the budget must be zero or positive: " + budget);
    }
  }
}
