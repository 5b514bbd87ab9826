// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Reservations;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.sdk.objects.ConflictException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** When the upkeep writes a ledger, and when it doesn't. */
class LedgerUpkeepTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final LedgerName NAME = new LedgerName("p", Replica.NAMESPACE);
  private static final Map<String, Object> ROLLING =
      Map.of("limit", 100, "window", Map.of("type", "Rolling", "length", "24h"));
  private static final Map<String, Object> DAILY =
      Map.of("limit", 100, "window", Map.of("type", "Daily"));

  private final Replica replica = Replica.alone(NOW);

  @Test
  void thatAPartOfARollingWindowIsOverIsNoReasonToWrite() throws InterruptedException {
    replica.policy("p", ROLLING);
    reserved("w", 1);
    replica.workloads.show(workload("w", admitted(NOW), finished(NOW.plusSeconds(3600))));
    replica.passes(Duration.ofHours(1));
    replica.maintain(NAME);
    int writes = replica.server.writes();
    assertThat(replica.server.ledger(NAME).open()).isEmpty();

    for (int i = 0; i < 100; i++) {
      replica.passes(replica.maintain(NAME).orElseThrow());
    }

    assertThat(replica.server.writes()).isEqualTo(writes);
    assertThat(
            replica.server.ledger(NAME).use(Window.rolling(Duration.ofHours(24)), replica.now, ""))
        .extracting(use -> use.total())
        .isEqualTo(Amount.ZERO);
  }

  @Test
  void aNewDayIsWrittenOnce() throws InterruptedException {
    replica.policy("p", DAILY);
    reserved("w", 1);
    replica.workloads.show(workload("w", admitted(NOW)));
    replica.maintain(NAME);
    int writes = replica.server.writes();

    replica.passes(replica.maintain(NAME).orElseThrow());
    replica.maintain(NAME);
    replica.maintain(NAME);

    assertThat(replica.server.ledger(NAME).since()).isEqualTo("2026-06-02T00:00:00Z");
    assertThat(replica.server.writes() - writes).isEqualTo(1);
  }

  @Test
  void endsInALargeLedgerAreGatheredAndWrittenWhenThatIsDue() throws InterruptedException {
    replica.policy("p", DAILY);
    for (int i = 0; i < 400; i++) {
      replica.workloads.show(workload("w" + i, admitted(NOW)));
    }
    change(
        ledger -> {
          Ledger after = ledger;
          for (int i = 0; i < 400; i++) {
            after = after.with(reservation("w" + i, 1));
          }
          return after;
        });
    replica.maintain(NAME);
    int writes = replica.server.writes();

    Duration due = Duration.ZERO;
    for (int i = 0; i < 50; i++) {
      replica.workloads.show(workload("w" + i, admitted(NOW), finished(NOW.plusSeconds(i))));
      due = replica.maintain(NAME).orElseThrow();
    }
    assertThat(replica.server.writes()).isEqualTo(writes);
    assertThat(due).isLessThan(Duration.ofSeconds(1));

    replica.passes(due);
    replica.maintain(NAME);
    assertThat(replica.server.writes() - writes).isEqualTo(1);
    assertThat(replica.server.ledger(NAME).settled()).isEqualTo(50);
  }

  @Test
  void whatManyWorkloadsThatAreGoneHadIsSettledBySeveralCalls() throws InterruptedException {
    replica.policy("p", DAILY);
    int count = 2 * LedgerUpkeep.MOST_LIVE_READS + 1;
    change(
        ledger -> {
          Ledger after = ledger.with(reservation("seen", 1));
          for (int i = 0; i < count; i++) {
            after = after.with(reservation("gone" + i, 1));
          }
          return after;
        });
    replica.workloads.show(workload("seen", admitted(NOW)));

    List<Integer> liveReads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      assertThat(replica.now).isBefore(NOW.plusSeconds(3));
      int before = replica.liveReads;
      replica.passes(replica.maintain(NAME).orElseThrow());
      liveReads.add(replica.liveReads - before);
    }
    replica.maintain(NAME);

    assertThat(liveReads)
        .containsExactly(LedgerUpkeep.MOST_LIVE_READS, LedgerUpkeep.MOST_LIVE_READS, 1);
    assertThat(replica.server.ledger(NAME).open()).containsOnlyKeys("seen");
    assertThat(replica.server.ledger(NAME).settled()).isEqualTo(count);
  }

  /** It may have been deleted long ago: it ran no longer than its limit. */
  @Test
  void aWorkloadThatIsGoneCostsNoMoreThanItsLimitLets() throws InterruptedException {
    replica.policy("p", DAILY);
    change(ledger -> ledger.with(limited("w", Duration.ofHours(2))));
    change(ledger -> ledger.with(reservation("estimated", 1)));
    replica.workloads.show(workload("w", admitted(NOW)));
    replica.workloads.show(workload("estimated", admitted(NOW)));
    replica.maintain(NAME);
    replica.workloads.gone(new ObjectKey(Replica.NAMESPACE, "w"));
    replica.workloads.gone(new ObjectKey(Replica.NAMESPACE, "estimated"));
    replica.passes(Duration.ofHours(9));

    replica.maintain(NAME);

    assertThat(replica.server.ledger(NAME).open()).isEmpty();
    assertThat(spent())
        .as("2 of the one with a limit, 9 of the one that was only estimated")
        .isEqualTo(Amount.units(11));
  }

  /** While no controller ran: the one that starts then doesn't know whether they had begun. */
  @Test
  void aWorkloadThatWasGoneBeforeTheStartIsTakenToHaveRun() throws InterruptedException {
    replica.policy("p", DAILY);
    change(ledger -> ledger.with(limited("w", Duration.ofHours(2))));
    replica.passes(Duration.ofHours(9));

    replica.maintain(NAME);

    assertThat(spent()).isEqualTo(Amount.units(2));
  }

  @Test
  void oneThatGoesWithoutItsAdmissionWhileItIsWatchedCostsNothing() throws InterruptedException {
    replica.policy("p", DAILY);
    change(ledger -> ledger.with(limited("w", Duration.ofHours(2))));
    replica.workloads.show(workload("w"));
    replica.maintain(NAME);
    replica.workloads.gone(new ObjectKey(Replica.NAMESPACE, "w"));
    replica.passes(Duration.ofHours(9));

    replica.maintain(NAME);

    assertThat(replica.server.ledger(NAME).open()).isEmpty();
    assertThat(spent()).isEqualTo(Amount.ZERO);
  }

  /** A name is free once its former bearer is gone. */
  @Test
  void aWorkloadThatIsGoneRanNoLongerThanUntilTheNextOneOfItsName() throws InterruptedException {
    replica.policy("p", DAILY);
    change(ledger -> ledger.with(limited("w", Duration.ofHours(6)).started(NOW)));
    Workload next = workload("w");
    next.metadata()
        .uid("another")
        .creationTimestamp(NOW.plusSeconds(3600).atOffset(ZoneOffset.UTC));
    replica.live.put(next.key(), next);
    replica.passes(Duration.ofHours(9));

    replica.maintain(NAME);

    assertThat(replica.server.ledger(NAME).open()).isEmpty();
    assertThat(spent()).isEqualTo(Amount.units(1));
  }

  @Test
  void howLongALedgerIsBehindIsMeasured() throws InterruptedException {
    replica.policy("p", DAILY);
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    BudgetMeters.bindTo(registry, replica.upkeep);
    reserved("w", 1);
    replica.workloads.show(workload("w", admitted(NOW)));
    replica.server.down(true);

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> replica.maintain(NAME)).isInstanceOf(IllegalStateException.class);
      replica.passes(Duration.ofMinutes(2));
    }

    assertThat(registry.get("kueue4j.budget.ledger.behind.seconds").gauge().value()).isEqualTo(360);
    replica.server.down(false);
    replica.maintain(NAME);
    assertThat(registry.get("kueue4j.budget.ledger.behind.seconds").gauge().value()).isZero();
  }

  private Amount spent() {
    return replica.server.ledger(NAME).use(Window.daily(ZoneOffset.UTC), replica.now, "").spent();
  }

  private static Reservation limited(String name, Duration limit) {
    return Reservations.limited(
        name, new Payer("q", ""), new Rate(BigInteger.valueOf(1_000_000L)), limit, NOW);
  }

  @Test
  void whatWasSpentInANamespaceThatWasDeletedCountsUntilItsWindowEnds()
      throws InterruptedException {
    replica.policy("p", DAILY);
    reserved("w", 1);
    replica.workloads.show(workload("w", admitted(NOW)));
    replica.maintain(NAME);
    replica.passes(Duration.ofHours(1));
    replica.workloads.gone(new ObjectKey(Replica.NAMESPACE, "w"));
    replica.namespaces.gone(ObjectKey.cluster(Replica.NAMESPACE));

    Duration wait = replica.maintain(NAME).orElseThrow();
    replica.maintain(NAME);

    assertThat(spent()).isEqualTo(Amount.units(1));
    replica.passes(wait);
    replica.maintain(NAME);
    assertThat(replica.server.ledger(NAME).past()).as("for accounts").hasSize(1);
    for (int day = 1; day <= 30; day++) {
      replica.passes(replica.maintain(NAME).orElseThrow());
    }
    assertThat(replica.server.object(NAME)).isPresent();
    replica.passes(replica.maintain(NAME).orElseThrow());
    replica.maintain(NAME);
    assertThat(replica.server.object(NAME)).isEmpty();
  }

  /** A month that has just passed is reported, although it began more than 31 days ago. */
  @Test
  void whatADeletedNamespaceSpentInTheLastMonthIsKeptForAMonth() throws InterruptedException {
    replica.policy("p", Map.of("limit", 100, "window", Map.of("type", "Monthly")));
    change(
        ledger -> {
          Terms monthly = Terms.unlimited(Window.monthly(ZoneOffset.UTC));
          return ledger
              .roll(monthly, NOW)
              .with(reservation("w", 1).started(NOW))
              .settle("w", NOW.plusSeconds(3600), monthly);
        });
    replica.namespaces.gone(ObjectKey.cluster(Replica.NAMESPACE));
    replica.passes(Duration.between(NOW, Instant.parse("2026-07-31T12:00:00Z")));
    replica.maintain(NAME);
    assertThat(replica.server.object(NAME)).isPresent();

    replica.passes(Duration.ofDays(1));
    replica.maintain(NAME);
    assertThat(replica.server.object(NAME)).isEmpty();
  }

  @Test
  void aLedgerThatWasChangedSinceItWasSeenIsNotDeleted() throws InterruptedException {
    replica.policy("p", DAILY);
    change(ledger -> ledger.with(reservation("w", 1)).settle("w", NOW, withoutLimit()));
    replica.seeLedger(NAME);
    replica.namespaces.gone(ObjectKey.cluster(Replica.NAMESPACE));
    // Another replica, which knows the namespace, reserves.
    Books other = new Books(replica.server, (name, ledger, now) -> Optional.empty());
    other.change(NAME, NOW, ledger -> Books.Outcome.atOnce(ledger.with(reservation("x", 1)), ""));

    assertThatThrownBy(() -> replica.upkeep.maintain(NAME.key()))
        .isInstanceOf(ConflictException.class);

    assertThat(replica.server.ledger(NAME).open()).containsKey("x");
  }

  private static Terms withoutLimit() {
    return new Terms(Window.daily(ZoneOffset.UTC), List.of(), Optional.empty(), Amount.ZERO);
  }

  private void reserved(String name, int units) throws InterruptedException {
    change(ledger -> ledger.with(reservation(name, units)));
    replica.seeLedger(NAME);
  }

  private void change(UnaryOperator<Ledger> change) throws InterruptedException {
    replica.books.change(
        NAME, replica.now, ledger -> Books.Outcome.atOnce(change.apply(ledger), ""));
  }

  private Reservation reservation(String name, int units) {
    return Reservations.of(
        name, "q", new Rate(BigInteger.valueOf(1_000_000L * units)), Duration.ofHours(2), NOW);
  }

  private static Workload workload(String name, Condition... conditions) {
    Workload plain = Workload.named(Replica.NAMESPACE, name);
    plain.metadata().setUid(name);
    List<Condition> all = new ArrayList<>();
    all.add(Condition.isTrue("QuotaReserved", "QuotaReserved", "", NOW));
    all.addAll(Arrays.asList(conditions));
    return plain.withStatus(plain.status().withConditions(all));
  }

  private static Condition admitted(Instant since) {
    return Condition.isTrue("Admitted", "Admitted", "", since);
  }

  private static Condition finished(Instant at) {
    return Condition.isTrue("Finished", "Finished", "", at);
  }
}
