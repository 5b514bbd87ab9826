// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.FlavorFungibility;
import io.github.kueue4j.api.FlavorFungibilityPolicy;
import io.github.kueue4j.api.FlavorFungibilityPreference;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of examining one flavor for all resources of a group that a pod set requests.
 *
 * @param flavor its name
 * @param mode the worst mode among the resources
 * @param borrowLevel the highest borrow level among the resources
 * @param reason why it can't be assigned; null unless the mode is {@link FlavorMode#NO_FIT}
 */
record FlavorChoice(String flavor, FlavorMode mode, int borrowLevel, @Nullable NoFitReason reason) {
  private static final Comparator<FlavorChoice> BY_MODE = Comparator.comparing(FlavorChoice::mode);
  private static final Comparator<FlavorChoice> BY_CLOSENESS =
      Comparator.comparingInt(FlavorChoice::borrowLevel).reversed();

  /** Viable ones first, then those without preemption candidates, then those that don't fit. */
  private static final Comparator<FlavorChoice> BY_VIABILITY =
      Comparator.comparing(choice -> choice.mode.viable() ? FlavorMode.FIT : choice.mode);

  static FlavorChoice none(String flavor, NoFitReason reason) {
    return new FlavorChoice(flavor, FlavorMode.NO_FIT, 0, reason);
  }

  /** Whether the search continues with the next flavor. */
  boolean continuesSearch(FlavorFungibility fungibility) {
    return !mode.viable()
        || (mode.preempts() && triesNext(fungibility.whenCanPreempt()))
        || (borrowLevel > 0 && triesNext(fungibility.whenCanBorrow()));
  }

  /** Whether it is better than a choice that was found earlier. */
  boolean preferredTo(@Nullable FlavorChoice other, FlavorFungibility fungibility) {
    Comparator<FlavorChoice> preference =
        Objects.equals(
                fungibility.preference(), FlavorFungibilityPreference.PREEMPTION_OVER_BORROWING)
            ? BY_CLOSENESS.thenComparing(BY_MODE)
            : BY_MODE.thenComparing(BY_CLOSENESS);
    return other == null || BY_VIABILITY.thenComparing(preference).compare(this, other) > 0;
  }

  private static boolean triesNext(FlavorFungibilityPolicy policy) {
    return policy.equals(FlavorFungibilityPolicy.TRY_NEXT_FLAVOR);
  }
}
