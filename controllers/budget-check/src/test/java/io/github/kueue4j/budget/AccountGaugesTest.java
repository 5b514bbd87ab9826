// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.budget.report.BudgetReport;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AccountGaugesTest {
  private static final Instant FIRST = Instant.parse("2026-11-01T00:00:00Z");
  private static final Instant NOW = FIRST.plus(Duration.ofDays(10));

  /** Users 1 to 30 have used as many units. */
  @Test
  void theLargestAreShownAndTheSumOfTheOthers() {
    BudgetMeters.Reading reading =
        readings(Map.of("userLabel", "example.com/user", "metrics", true)).getFirst();

    assertThat(reading.accounts())
        .hasSize(21)
        .containsEntry(new Payer("q", "user30"), Amount.units(30))
        .containsEntry(new Payer("q", "user11"), Amount.units(11))
        .containsEntry(new Payer("*", "*"), Amount.units(55));
    assertThat(reading.accounts().values().stream().reduce(Amount.ZERO, Amount::plus))
        .isEqualTo(reading.spent());
    // A third of the month has passed.
    assertThat(reading.forecast()).isEqualTo(Amount.units(3 * 465));
  }

  @Test
  void noneIsShownUnlessThePolicySaysSo() {
    BudgetMeters.Reading reading = readings(Map.of("userLabel", "example.com/user")).getFirst();

    assertThat(reading.accounts()).isEmpty();
    assertThat(reading.spent()).isEqualTo(Amount.units(465));
  }

  @Test
  void noMoreAreReckonedThanAreShown() {
    List<BudgetMeters.Reading> readings = readings(Map.of("metrics", true), BudgetMeters.MOST + 2);

    assertThat(readings).hasSize(BudgetMeters.MOST);
  }

  private static List<BudgetMeters.Reading> readings(Map<String, Object> accounting) {
    return readings(accounting, 1);
  }

  private static List<BudgetMeters.Reading> readings(
      Map<String, Object> accounting, int namespaces) {
    Policy policy =
        Replica.alone(NOW)
            .policy(
                "monthly",
                Map.of(
                    "limit",
                    "1000",
                    "window",
                    Map.of("type", "Monthly"),
                    "accounting",
                    accounting));
    Map<Payer, Amount> sums = new HashMap<>();
    for (int user = 1; user <= 30; user++) {
      sums.put(new Payer("q", "user" + user), Amount.units(user));
    }
    Ledger ledger =
        new Ledger(FIRST, Amount.ZERO, new TreeMap<>(Map.of(FIRST, sums)), Map.of(), 30);
    Terms terms = policy.terms(List.of()).orElseThrow();
    return PolicyStatuses.readings(
        policy,
        IntStream.range(0, namespaces)
            .mapToObj(i -> new BudgetReport.Source("team-" + i, "", ledger, FIRST, terms))
            .toList(),
        NOW);
  }
}
