// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The preferred way of fitting when several flavors fit.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FlavorFungibilityPreference(String value) implements OpenValue {
  /** Rather borrow than preempt. */
  public static final FlavorFungibilityPreference BORROWING_OVER_PREEMPTION =
      new FlavorFungibilityPreference("BorrowingOverPreemption");

  /** Rather preempt than borrow. */
  public static final FlavorFungibilityPreference PREEMPTION_OVER_BORROWING =
      new FlavorFungibilityPreference("PreemptionOverBorrowing");

  @Override
  public String toString() {
    return value;
  }
}
