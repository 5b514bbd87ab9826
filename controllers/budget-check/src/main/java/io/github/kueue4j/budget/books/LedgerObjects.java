// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import io.github.kueue4j.api.ObjectKey;
import java.util.Optional;
import org.apiguardian.api.API;

/** The BudgetLedgers of the API server. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface LedgerObjects {

  /** Reads one live. */
  Optional<BudgetLedger> get(ObjectKey key);

  /** Creates it, unless there is one of its name; gives the one that exists now. */
  BudgetLedger createIfAbsent(BudgetLedger ledger);

  /**
   * Replaces it.
   *
   * @return as it is stored now; empty if it was changed or deleted since it was read
   */
  Optional<BudgetLedger> replace(BudgetLedger ledger);
}
