// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.sdk.objects.Watched;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The objects of a watch by namespace, so that those of one are found without a look at all. */
final class ByNamespace {
  private final Map<String, Set<ObjectKey>> keys = new ConcurrentHashMap<>();

  private ByNamespace(Watched<?> objects, Function<ObjectKey, Optional<String>> namespace) {
    objects.onChange(
        key ->
            namespace
                .apply(key)
                .ifPresent(name -> changed(name, key, objects.get(key).isPresent())));
  }

  /** An index of objects that are in namespaces. */
  static ByNamespace of(Watched<?> objects) {
    return new ByNamespace(objects, key -> Optional.of(key.namespace()));
  }

  /** An index of ledgers, whose names tell the namespace. */
  static ByNamespace ofLedgers(Watched<BudgetLedger> ledgers) {
    return new ByNamespace(ledgers, key -> LedgerName.of(key).map(LedgerName::namespace));
  }

  /** A watch tells its changes one after the other. */
  private void changed(String namespace, ObjectKey key, boolean there) {
    if (there) {
      keys.computeIfAbsent(namespace, absent -> ConcurrentHashMap.newKeySet()).add(key);
    } else {
      keys.computeIfPresent(
          namespace,
          (same, all) -> {
            all.remove(key);
            return all.isEmpty() ? null : all;
          });
    }
  }

  /** The objects of one namespace; they may change while they are looked at. */
  Set<ObjectKey> in(String namespace) {
    return Collections.unmodifiableSet(keys.getOrDefault(namespace, Set.of()));
  }
}
