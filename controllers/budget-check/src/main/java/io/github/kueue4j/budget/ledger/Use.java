// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import org.apiguardian.api.API;

/**
 * The used part of a budget.
 *
 * @param spent on what ran in the window, also on what still runs
 * @param reserved for what may still run
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Use(Amount spent, Amount reserved) {

  /** Nothing. */
  public static final Use NONE = new Use(Amount.ZERO, Amount.ZERO);

  /** Both together. */
  public Amount total() {
    return spent.plus(reserved);
  }

  /** Without the other. */
  Use minus(Use other) {
    return new Use(spent.minus(other.spent), reserved.minus(other.reserved));
  }

  /** The sum of both. */
  Use plus(Use other) {
    return new Use(spent.plus(other.spent), reserved.plus(other.reserved));
  }
}
