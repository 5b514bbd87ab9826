/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Whether the scheduler stops at a flavor or tries the next one.
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

  /** A copy with another {@code whenCanBorrow}. */
  public FlavorFungibility withWhenCanBorrow(FlavorFungibilityPolicy whenCanBorrow) {
    return new FlavorFungibility(whenCanBorrow, whenCanPreempt, preference);
  }

  /** A copy with another {@code whenCanPreempt}. */
  public FlavorFungibility withWhenCanPreempt(FlavorFungibilityPolicy whenCanPreempt) {
    return new FlavorFungibility(whenCanBorrow, whenCanPreempt, preference);
  }

  /** A copy with another {@code preference}. */
  public FlavorFungibility withPreference(@Nullable FlavorFungibilityPreference preference) {
    return new FlavorFungibility(whenCanBorrow, whenCanPreempt, preference);
  }
}
