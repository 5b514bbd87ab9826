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
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.FlavorFungibility;
import io.github.kueue4j.api.FlavorFungibilityPolicy;
import io.github.kueue4j.api.FlavorFungibilityPreference;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one flavor has to offer for all resources of a group that a pod set asks for.
 *
 * @param flavor its name
 * @param mode how well it serves, by the resource that it serves worst
 * @param borrowLevel how far it reaches for quota, by the resource for which it reaches farthest
 * @param reason why it can't be had; null unless the mode is {@link FlavorMode#NO_FIT}
 */
record FlavorChoice(String flavor, FlavorMode mode, int borrowLevel, @Nullable NoFitReason reason) {
  private static final Comparator<FlavorChoice> BY_MODE = Comparator.comparing(FlavorChoice::mode);
  private static final Comparator<FlavorChoice> BY_CLOSENESS =
      Comparator.comparingInt(FlavorChoice::borrowLevel).reversed();

  /** Viable ones before those without candidates before those that don't fit. */
  private static final Comparator<FlavorChoice> BY_PROSPECT =
      Comparator.comparing(choice -> choice.mode.viable() ? FlavorMode.FIT : choice.mode);

  static FlavorChoice none(String flavor, NoFitReason reason) {
    return new FlavorChoice(flavor, FlavorMode.NO_FIT, 0, reason);
  }

  /** Whether the next flavor should be looked at, although this one might do. */
  boolean leadsOn(FlavorFungibility fungibility) {
    return !mode.viable()
        || (mode.preempts() && triesNext(fungibility.whenCanPreempt()))
        || (borrowLevel > 0 && triesNext(fungibility.whenCanBorrow()));
  }

  /** Whether it is better than another one, which was found earlier. */
  boolean preferredTo(@Nullable FlavorChoice other, FlavorFungibility fungibility) {
    Comparator<FlavorChoice> taste =
        Objects.equals(
                fungibility.preference(), FlavorFungibilityPreference.PREEMPTION_OVER_BORROWING)
            ? BY_CLOSENESS.thenComparing(BY_MODE)
            : BY_MODE.thenComparing(BY_CLOSENESS);
    return other == null || BY_PROSPECT.thenComparing(taste).compare(this, other) > 0;
  }

  private static boolean triesNext(FlavorFungibilityPolicy policy) {
    return policy.equals(FlavorFungibilityPolicy.TRY_NEXT_FLAVOR);
  }
}
