// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import org.apiguardian.api.API;

/**
 * The most that may be used in a window.
 *
 * @param queue the LocalQueue that it holds for; empty: for the namespace
 * @param amount without what was carried over
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Limit(String queue, Amount amount) {

  /** The limit of the namespace as a whole. */
  public static Limit ofNamespace(Amount amount) {
    return new Limit("", amount);
  }

  /** Whether it holds for what runs in this queue. */
  public boolean concerns(String other) {
    return queue.isEmpty() || queue.equals(other);
  }
}
