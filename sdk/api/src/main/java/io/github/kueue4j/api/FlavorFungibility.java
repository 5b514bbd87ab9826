// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which the scheduler stops at a flavor or tries the next one.
 *
 * @param whenCanBorrow when the workload fits by borrowing; absent is MayStopSearch
 * @param whenCanPreempt when the workload fits by preempting; absent is TryNextFlavor
 * @param preference which of the two is better; only if both policies are TryNextFlavor
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FlavorFungibility(
    FlavorFungibilityPolicy whenCanBorrow,
    FlavorFungibilityPolicy whenCanPreempt,
    @Nullable FlavorFungibilityPreference preference) {
  public FlavorFungibility {
    whenCanBorrow = whenCanBorrow == null ? FlavorFungibilityPolicy.MAY_STOP_SEARCH : whenCanBorrow;
    whenCanPreempt =
        whenCanPreempt == null ? FlavorFungibilityPolicy.TRY_NEXT_FLAVOR : whenCanPreempt;
  }

  /** MayStopSearch when borrowing, TryNextFlavor when preempting. */
  public static FlavorFungibility defaults() {
    return new FlavorFungibility(
        FlavorFungibilityPolicy.MAY_STOP_SEARCH, FlavorFungibilityPolicy.TRY_NEXT_FLAVOR, null);
  }
}
