// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.Quantity;

/** Amounts of resources as users write them after a question of "what if". */
final class Amounts {
  private Amounts() {}

  /**
   * Reads an amount.
   *
   * @param what is to be changed, such as {@code quota of team-a/cpu}
   * @throws IllegalArgumentException if it is no quantity, or negative; names both
   */
  static Quantity parse(String what, String amount) {
    try {
      Quantity quantity = Quantity.parse(amount);
      if (quantity.signum() < 0) {
        throw new IllegalArgumentException("negative");
      }
      return quantity;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the %s can't be \"%s\"; write an amount such as 40, 500m or 64Gi"
              .formatted(what, amount),
          e);
    }
  }
}
