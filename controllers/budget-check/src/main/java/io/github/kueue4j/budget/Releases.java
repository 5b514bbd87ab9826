// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells changes of ledgers that gave something back from those that only took: the former are of
 * interest to Workloads that wait.
 */
final class Releases {
  private final Map<ObjectKey, Long> seen = new ConcurrentHashMap<>();

  /**
   * The ledger's name, if something was settled since it was last seen, or if it is gone.
   *
   * @param ledger as it is now; empty: it was deleted
   */
  Optional<LedgerName> of(ObjectKey key, Optional<BudgetLedger> ledger) {
    if (ledger.isEmpty()) {
      seen.remove(key);
      return LedgerName.of(key);
    }
    long now = ledger.get().settlements();
    @Nullable Long before = seen.put(key, now);
    return before != null && before == now ? Optional.empty() : LedgerName.of(key);
  }

  /** How many ledgers are known. */
  int size() {
    return seen.size();
  }
}
