// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.Instant;
import org.apiguardian.api.API;

/** The answer to whether a Workload fits into a budget. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface Answer {

  /**
   * It fits.
   *
   * @param after the ledger with its reservation
   * @param left what is left afterwards, of the limit that leaves least
   * @param limit that limit, with what was carried over
   * @param queue of that limit; empty: the namespace's
   */
  record Granted(Ledger after, Amount left, Amount limit, String queue) implements Answer {}

  /**
   * Too much is used at present.
   *
   * @param limit the one that doesn't suffice, with what was carried over
   * @param queue of that limit; empty: the namespace's
   * @param use of what it limits
   * @param retryAt when enough may be free, unless something is given back before
   */
  record Exhausted(Amount limit, String queue, Use use, Instant retryAt) implements Answer {}

  /** Something is reserved for a later attempt: this one is over. */
  record Superseded() implements Answer {}

  /**
   * It costs more than the whole limit.
   *
   * @param limit the most that there can be, with what can be carried over
   * @param queue of that limit; empty: the namespace's
   */
  record NeverFits(Amount limit, String queue) implements Answer {}
}
