// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.budget.ledger.Ledger;

/** A ledger as it comes back from the API server. */
public final class StoredForm {
  private StoredForm() {}

  /** Written and read. */
  public static Ledger restarted(Ledger ledger) {
    BudgetLedger object =
        BudgetLedger.empty(new LedgerName("policy", "team-a")).with(ledger, Summary.none());
    return KueueJson.fromJson(KueueJson.toJson(object), BudgetLedger.class).ledger();
  }

  /** The length of its JSON. */
  public static int size(Ledger ledger) {
    return KueueJson.toJson(
            BudgetLedger.empty(new LedgerName("policy", "team-a")).with(ledger, Summary.none()))
        .length();
  }
}
