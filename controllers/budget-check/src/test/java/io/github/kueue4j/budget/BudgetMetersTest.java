// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Payer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BudgetMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final BudgetMeters meters = new BudgetMeters();

  @Test
  void gaugesShowWhatIsUsedAndGoWithTheirLedgers() {
    meters.bindTo(registry);
    meters.show("daily", List.of(reading("daily", "team-a", 10), reading("daily", "team-b", 20)));
    meters.show("weekly", List.of(reading("weekly", "team-a", 30)));
    meters.show("daily", List.of(reading("daily", "team-a", 11)));

    assertThat(registry.get("kueue4j.budget.spent").tag("policy", "daily").gauge().value())
        .isEqualTo(11);
    assertThat(registry.get("kueue4j.budget.spent").gauges()).hasSize(2);
    assertThat(registry.get("kueue4j.budget.reserved").gauges()).hasSize(2);
    assertThat(
            registry
                .get("kueue4j.budget.soft.limit.reached")
                .tag("policy", "daily")
                .gauge()
                .value())
        .isEqualTo(1);
    assertThat(registry.get("kueue4j.budget.forecast").tag("policy", "daily").gauge().value())
        .isEqualTo(33);
    assertThat(
            registry
                .get("kueue4j.budget.account.spent")
                .tags("policy", "daily", "namespace", "team-a", "queue", "q", "user", "ada")
                .gauge()
                .value())
        .isEqualTo(10);
    // The namespaces have no limit as a whole.
    assertThat(registry.find("kueue4j.budget.remaining").gauges()).isEmpty();
  }

  @Test
  void theirNumberIsBounded() {
    meters.bindTo(registry);
    meters.show(
        "daily",
        IntStream.range(0, BudgetMeters.MOST + 10)
            .mapToObj(i -> reading("daily", "team-" + i, 1))
            .toList());

    assertThat(registry.get("kueue4j.budget.spent").gauges()).hasSize(BudgetMeters.MOST);
    assertThat(registry.get("kueue4j.budget.account.spent").gauges())
        .hasSize(2 * BudgetMeters.MOST)
        .hasSizeLessThanOrEqualTo(BudgetMeters.MOST_ACCOUNTS);
  }

  @Test
  void accountsOfANamespaceAreShownAsAWholeOrNotAtAll() {
    meters.bindTo(registry);
    Map<Payer, Amount> payers = new TreeMap<>();
    for (int i = 0; i < 21; i++) {
      payers.put(new Payer("q", "user" + i), Amount.units(1));
    }
    meters.show(
        "daily",
        IntStream.range(0, 100)
            .mapToObj(i -> reading("daily", "team-" + i, 21, new TreeMap<>(payers)))
            .toList());

    assertThat(registry.get("kueue4j.budget.account.spent").gauges()).hasSize(95 * 21);
  }

  private static BudgetMeters.Reading reading(String policy, String namespace, int spent) {
    return reading(
        policy,
        namespace,
        spent,
        new TreeMap<>(
            Map.of(
                new Payer("q", "ada"), Amount.units(spent - 1),
                new Payer("q", ""), Amount.units(1))));
  }

  private static BudgetMeters.Reading reading(
      String policy, String namespace, int spent, SortedMap<Payer, Amount> accounts) {
    return new BudgetMeters.Reading(
        new LedgerName(policy, namespace),
        Amount.units(spent),
        Amount.ZERO,
        null,
        spent > 10,
        Amount.units(3L * spent),
        accounts);
  }
}
