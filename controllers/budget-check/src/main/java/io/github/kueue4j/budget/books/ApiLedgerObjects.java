// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.objects.ConflictException;
import io.github.kueue4j.sdk.objects.ResourceClient;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * BudgetLedgers on a live API server.
 *
 * @param resources with a lease, only the leader writes
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ApiLedgerObjects(ResourceClient resources) implements LedgerObjects {

  @Override
  public Optional<BudgetLedger> get(ObjectKey key) {
    return resources.get(BudgetLedger.TYPE, key);
  }

  @Override
  public BudgetLedger createIfAbsent(BudgetLedger ledger) {
    return resources.createIfAbsent(BudgetLedger.TYPE, ledger);
  }

  @Override
  public Optional<BudgetLedger> replace(BudgetLedger ledger) {
    try {
      return Optional.of(
          resources.patch(BudgetLedger.TYPE, ledger, Map.of("status", ledger.fields())));
    } catch (ConflictException e) {
      return Optional.empty();
    }
  }
}
