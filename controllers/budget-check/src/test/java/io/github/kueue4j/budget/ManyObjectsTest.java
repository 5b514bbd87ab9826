// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.consumption.Consumption;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reckoned;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Reservations;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.budget.policy.Policy;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is done once although thousands of objects ask for it. */
class ManyObjectsTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final Window DAILY = Window.daily(ZoneOffset.UTC);
  private static final LedgerName NAME = new LedgerName("p", Replica.NAMESPACE);

  private final Replica replica = Replica.alone(NOW);

  @Test
  void onlyTheBudgetsOfANamespaceAreLookedAt() {
    Policy policy =
        replica.policy(
            "p", Map.of("limit", 100, "window", Map.of("type", "Daily"), "budgets", "Lower"));
    Agreements agreements =
        new Agreements(
            replica.namespaces,
            replica.budgets,
            replica.ledgers,
            Consumption.ofLedger(),
            () -> NOW);
    for (int i = 0; i < 1000; i++) {
      budget("team-" + i, "ours", i);
    }
    budget(Replica.NAMESPACE, "ours", 7);
    budget(Replica.NAMESPACE, "gone", 1);
    replica.budgets.gone(new ObjectKey(Replica.NAMESPACE, "gone"));

    assertThat(agreements.of(policy, Replica.NAMESPACE))
        .isEqualTo(new Agreements.Agreement.Agreed(Terms.of(DAILY, Amount.units(7))));
    assertThat(replica.budgets.lists()).isZero();
  }

  @Test
  void anObjectOfANamespaceIsEnteredWithoutACopyOfTheOthers() {
    ByNamespace budgets = ByNamespace.of(replica.budgets);
    budget(Replica.NAMESPACE, "first", 1);
    Set<ObjectKey> ours = budgets.in(Replica.NAMESPACE);
    budget(Replica.NAMESPACE, "second", 1);
    budget("team-b", "theirs", 1);
    replica.budgets.gone(new ObjectKey(Replica.NAMESPACE, "first"));

    // The set from before the changes is the one that they were entered in.
    assertThat(ours).containsExactly(new ObjectKey(Replica.NAMESPACE, "second"));

    replica.budgets.gone(new ObjectKey(Replica.NAMESPACE, "second"));
    assertThat(budgets.in(Replica.NAMESPACE)).isEmpty();
    budget(Replica.NAMESPACE, "third", 1);
    assertThat(budgets.in(Replica.NAMESPACE))
        .containsExactly(new ObjectKey(Replica.NAMESPACE, "third"));
  }

  @Test
  void aLedgerIsReadOncePerVersionAndASumReckonedOncePerSecond() throws InterruptedException {
    Agreements agreements =
        new Agreements(
            replica.namespaces,
            replica.budgets,
            replica.ledgers,
            Consumption.ofLedger(),
            () -> NOW);
    write("a");
    Reckoned first = agreements.ledger(NAME);

    assertThat(agreements.ledger(NAME)).isSameAs(first);
    assertThat(first.use(DAILY, NOW.plusMillis(400), "")).isSameAs(first.use(DAILY, NOW, ""));

    write("b");
    assertThat(agreements.ledger(NAME).ledger().open()).containsOnlyKeys("a", "b");
    replica.ledgers.gone(NAME.key());
    assertThat(agreements.ledger(NAME).ledger()).isEqualTo(Ledger.empty());
  }

  @Test
  void whatIsReckonedOnceIsWhatTheLedgerReckons() {
    Map<String, Reservation> open = new HashMap<>();
    for (int i = 0; i < 50; i++) {
      Reservation one = asked("w" + i, "q" + i % 3);
      open.put(one.uid(), i % 2 == 0 ? one.started(NOW.minusSeconds(60L * i)) : one);
    }
    Ledger ledger = new Ledger(DAILY.start(NOW), Amount.ZERO, new TreeMap<>(), open, 0);
    Terms terms = Terms.of(DAILY, Amount.units(51));
    Reckoned reckoned = new Reckoned(ledger);

    for (String queue : new String[] {"", "q0", "q1", "q2", "q3"}) {
      assertThat(reckoned.use(DAILY, NOW, queue)).isEqualTo(ledger.use(DAILY, NOW, queue));
    }
    // What is open of the Workload itself is not counted.
    assertThat(reckoned.judge(asked("w3", "q0"), terms, NOW, Map.of("", Amount.units(1))))
        .isInstanceOf(Answer.Granted.class);
    assertThat(reckoned.judge(asked("x", "q0"), terms, NOW, Map.of("", Amount.units(1))))
        .isInstanceOf(Answer.Exhausted.class);
  }

  private void write(String uid) throws InterruptedException {
    replica.books.change(
        NAME, NOW, ledger -> Books.Outcome.atOnce(ledger.with(asked(uid, "q")), ""));
    replica.seeLedger(NAME);
  }

  private static Reservation asked(String uid, String queue) {
    return Reservations.of(
        uid, queue, new Rate(BigInteger.valueOf(1_000_000)), Duration.ofHours(1), NOW);
  }

  private void budget(String namespace, String name, int limit) {
    replica.budgets.show(
        CustomResource.of(
            Policy.BUDGETS,
            new V1ObjectMeta().name(name).namespace(namespace),
            Map.of("policy", "p", "limit", limit)));
  }
}
