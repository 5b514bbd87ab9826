// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.consumption.Consumption;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Reckoned;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.policy.BudgetPolicySpec;
import io.github.kueue4j.budget.policy.BudgetSpec;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.openapi.models.V1Namespace;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The agreements by namespace, as the watches show them. */
final class Agreements {

  private final Watched<V1Namespace> namespaces;
  private final Watched<CustomResource<BudgetSpec>> budgets;
  private final Watched<BudgetLedger> ledgers;
  private final Consumption consumption;
  private final InstantSource time;
  private final ByNamespace budgetsByNamespace;
  private final Map<ObjectKey, Read> read = new ConcurrentHashMap<>();

  private record Read(@Nullable String version, Reckoned ledger) {}

  /**
   * Looks at these.
   *
   * @param namespaces with their labels
   * @param budgets of namespaces
   * @param ledgers as they were written last
   * @param consumption tells what was measured last
   */
  Agreements(
      Watched<V1Namespace> namespaces,
      Watched<CustomResource<BudgetSpec>> budgets,
      Watched<BudgetLedger> ledgers,
      Consumption consumption,
      InstantSource time) {
    this.namespaces = namespaces;
    this.budgets = budgets;
    this.ledgers = ledgers;
    this.consumption = consumption;
    this.time = time;
    this.budgetsByNamespace = ByNamespace.of(budgets);
    ledgers.onChange(
        key -> {
          if (ledgers.get(key).isEmpty()) {
            read.remove(key);
          }
        });
  }

  /** The agreement that holds for a namespace. */
  sealed interface Agreement {
    /** The namespace hasn't been seen, so that its labels aren't known. */
    record Unknown() implements Agreement {}

    /** The policy doesn't select it. */
    record NotSelected() implements Agreement {}

    /** It is selected, but nothing says how much it may use. */
    record NoLimit() implements Agreement {}

    /** A Budget that could set the limit makes no sense; the message names it. */
    record Invalid(String message) implements Agreement {}

    /** These terms. */
    record Agreed(Terms terms) implements Agreement {}
  }

  Agreement of(Policy policy, String namespace) {
    Optional<V1Namespace> seen = namespaces.get(ObjectKey.cluster(namespace));
    if (seen.isEmpty()) {
      return new Agreement.Unknown();
    }
    @Nullable Map<String, String> labels = seen.get().getMetadata().getLabels();
    if (!policy.selects(labels == null ? Map.of() : labels)) {
      return new Agreement.NotSelected();
    }
    List<BudgetSpec> own = new ArrayList<>();
    for (CustomResource<BudgetSpec> budget : honoured(policy, namespace)) {
      try {
        own.add(budget.spec());
      } catch (IllegalArgumentException e) {
        // Where the policy's limit stays, only the Budget's own status tells what to correct.
        if (!policy.onlyLowers()) {
          return new Agreement.Invalid(
              "The Budget '%s' can't be used: %s."
                  .formatted(budget.getMetadata().getName(), e.getMessage()));
        }
      }
    }
    return policy
        .terms(own)
        .map(terms -> terms.withMeasured(consumption.last(policy, namespace, time.instant())))
        .<Agreement>map(Agreement.Agreed::new)
        .orElseGet(Agreement.NoLimit::new);
  }

  /** The Budgets of the namespace that count, readable or not. */
  List<CustomResource<BudgetSpec>> honoured(Policy policy, String namespace) {
    if (policy.spec().budgets().orElse(BudgetPolicySpec.Budgets.IGNORE)
        == BudgetPolicySpec.Budgets.IGNORE) {
      return List.of();
    }
    return budgetsByNamespace.in(namespace).stream()
        .flatMap(key -> budgets.get(key).stream())
        .filter(budget -> Policy.namedBy(budget).filter(policy.name()::equals).isPresent())
        .toList();
  }

  /** The ledger as it was written last; what was reckoned of it serves all who ask. */
  Reckoned ledger(LedgerName name) {
    Optional<BudgetLedger> object = ledgers.get(name.key());
    if (object.isEmpty()) {
      return new Reckoned(Ledger.empty());
    }
    @Nullable String version = object.get().metadata().getResourceVersion();
    @Nullable Read known = read.get(name.key());
    if (known != null && version != null && version.equals(known.version())) {
      return known.ledger();
    }
    Reckoned ledger = new Reckoned(object.get().ledger());
    read.put(name.key(), new Read(version, ledger));
    return ledger;
  }

  Watched<V1Namespace> namespaces() {
    return namespaces;
  }

  Watched<CustomResource<BudgetSpec>> budgets() {
    return budgets;
  }

  Watched<BudgetLedger> ledgers() {
    return ledgers;
  }

  Consumption consumption() {
    return consumption;
  }
}
