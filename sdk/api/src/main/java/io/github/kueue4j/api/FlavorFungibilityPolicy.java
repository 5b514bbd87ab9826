// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The rule by which the scheduler stops at a flavor that fits only by borrowing or preempting.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FlavorFungibilityPolicy(String value) implements OpenValue {
  /** It may stop. */
  public static final FlavorFungibilityPolicy MAY_STOP_SEARCH =
      new FlavorFungibilityPolicy("MayStopSearch");

  /** It tries the next flavor first. */
  public static final FlavorFungibilityPolicy TRY_NEXT_FLAVOR =
      new FlavorFungibilityPolicy("TryNextFlavor");

  @Override
  public String toString() {
    return value;
  }
}
