// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a Workload is told when its reservation is entered into a ledger. */
class ReservingTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final LedgerName NAME = new LedgerName("p", Replica.NAMESPACE);

  private final Replica replica = Replica.alone(NOW);
  private final Policy policy =
      replica.policy("p", Map.of("limit", 100, "window", Map.of("type", "Daily")));

  @Test
  void inALargeLedgerItIsReadyAsSoonAsItsReservationIsStored() throws InterruptedException {
    fill(1000, 30);
    Workload one = workload("one", NOW);

    Verdict verdict = evaluate(one);
    assertThat(verdict).isInstanceOf(Verdict.Pending.class);
    Verdict.Pending pending = (Verdict.Pending) verdict;
    assertThat(pending.message()).startsWith("The budget suffices.");
    assertThat(replica.server.ledger(NAME).open()).doesNotContainKey("one");

    replica.passes(Objects.requireNonNull(pending.recheckIn()));
    assertThat(evaluate(one)).isInstanceOf(Verdict.Ready.class);
    assertThat(replica.server.ledger(NAME).open()).containsKey("one");
  }

  @Test
  void aLedgerIsFullWhenItsBytesAreUsedUp() throws InterruptedException {
    fill(2000, 253);

    assertThatThrownBy(() -> evaluate(workload("one", NOW)))
        .hasMessageStartingWith("the BudgetLedger 'p.team-a' has no place")
        .hasMessageContaining("2001 of 4000 open ones")
        .hasMessageEndingWith("of 1250000 bytes");
    assertThat(replica.server.ledger(NAME).open()).hasSize(2000);
  }

  private void fill(int count, int length) throws InterruptedException {
    Map<String, Reservation> open = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String name = ("w" + i + "-").repeat(length).substring(0, length);
      open.put(
          "uid" + i,
          new Reservation(
              "uid" + i, name, name, NOW, NOW, Rate.FREE, Duration.ofHours(1), 0, null, null));
    }
    replica.books.change(
        NAME,
        NOW,
        ledger ->
            Books.Outcome.atOnce(
                new Ledger(ledger.since(), ledger.carried(), ledger.spent(), open, 0), ""));
  }

  private Verdict evaluate(Workload workload) throws InterruptedException {
    return replica.evaluate(
        policy, workload, AdmissionCheckState.pending("budget", NOW), List.of());
  }

  private static Workload workload(String name, Instant attempt) {
    Workload plain = Workload.named(Replica.NAMESPACE, name);
    plain.metadata().setUid(name);
    Workload limited = plain.withSpec(plain.spec().withMaximumExecutionTimeSeconds(3600));
    return limited.withStatus(
        limited
            .status()
            .withConditions(
                List.of(Condition.isTrue("QuotaReserved", "QuotaReserved", "", attempt))));
  }
}
