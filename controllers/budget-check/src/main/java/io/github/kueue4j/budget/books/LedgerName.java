// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import io.github.kueue4j.api.ObjectKey;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The name of a ledger: that of one namespace under one policy.
 *
 * @param policy the BudgetPolicy
 * @param namespace a name without dots, so that the object's name can be taken apart
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LedgerName(String policy, String namespace) {

  /** The name of the BudgetLedger. */
  public ObjectKey key() {
    return ObjectKey.cluster(policy + '.' + namespace);
  }

  /** The ledger that a BudgetLedger of this name holds; empty if it can't be one. */
  public static Optional<LedgerName> of(ObjectKey key) {
    int dot = key.name().lastIndexOf('.');
    return dot < 1 || dot == key.name().length() - 1
        ? Optional.empty()
        : Optional.of(new LedgerName(key.name().substring(0, dot), key.name().substring(dot + 1)));
  }
}
