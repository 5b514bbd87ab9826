// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Reservations;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Use;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class BooksTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final LedgerName NAME = new LedgerName("daily", "team-a");
  private static final Terms TERMS = Terms.of(Window.daily(ZoneOffset.UTC), Amount.units(10));

  private final LedgerServer server = new LedgerServer();

  @Test
  void twoReplicasNeverGiveTheSameAmountTwice() throws Exception {
    List<Books> replicas = List.of(books(), books(), books());
    CountDownLatch go = new CountDownLatch(1);
    int granted = 0;
    try (Actors checks = Actors.named("check")) {
      List<Act<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        Books replica = replicas.get(i % 3);
        Reservation asked = asked("w" + i, 1);
        answers.add(
            checks.ask(
                () -> {
                  go.await();
                  return reserve(replica, asked);
                }));
      }
      go.countDown();
      for (Act<Answer> answer : answers) {
        granted += answer.get() instanceof Answer.Granted ? 1 : 0;
      }
    }

    assertThat(granted).isEqualTo(10);
    assertThat(server.ledger(NAME).use(TERMS.window(), NOW, ""))
        .isEqualTo(new Use(Amount.ZERO, Amount.units(10)));
  }

  @Test
  void whatWasStoredAlthoughTheAnswerWasLostIsNotReservedTwice() throws Exception {
    Books books = books();
    reserve(books, asked("before", 1));
    server.loseTheNextAnswer();
    assertThatThrownBy(() -> reserve(books, asked("w", 6))).hasMessage("the answer was lost");

    assertThat(reserve(books, asked("w", 6))).isInstanceOf(Answer.Granted.class);
    assertThat(server.ledger(NAME).use(TERMS.window(), NOW, "").total()).isEqualTo(Amount.units(7));
  }

  @Test
  void aServerThatIsDownGrantsNothingAndIsAskedAnew() throws Exception {
    Books books = books();
    server.down(true);
    assertThatThrownBy(() -> reserve(books, asked("w", 6))).hasMessage("the server is down");
    server.down(false);

    assertThat(reserve(books, asked("v", 6))).isInstanceOf(Answer.Granted.class);
    assertThat(reserve(books, asked("w", 6))).isInstanceOf(Answer.Exhausted.class);
  }

  @Test
  void nothingIsWrittenWhenNothingChanges() throws Exception {
    Books books = books();
    reserve(books, asked("w", 6));
    int before = server.writes();

    reserve(books, asked("w", 6));
    assertThat(reserve(books, asked("v", 6))).isInstanceOf(Answer.Exhausted.class);

    assertThat(server.writes()).isEqualTo(before);
  }

  @Test
  void aChangeThatFailsFailsNoOther() throws Exception {
    Books books = books();
    assertThatThrownBy(
            () ->
                books.change(
                    NAME,
                    NOW,
                    ledger -> {
                      throw new IllegalArgumentException("no");
                    }))
        .hasMessage("no");

    assertThat(reserve(books, asked("w", 6))).isInstanceOf(Answer.Granted.class);
  }

  @Test
  void aLedgerThatIsGoneIsForgottenAndReadAnewIfItComesBack() throws Exception {
    Books books = books();
    reserve(books, asked("w", 6));

    server.deleteAll();
    books.forget(NAME);

    assertThat(books.size()).isZero();
    assertThat(reserve(books, asked("v", 6))).isInstanceOf(Answer.Granted.class);
    assertThat(books.size()).isEqualTo(1);
  }

  /** docs/adr/0012-where-a-budget-is-kept.md reckons with this. */
  @Test
  void fourThousandOpenReservationsFitIntoOneObject() {
    Map<String, Reservation> open = new HashMap<>();
    for (int i = 0; i < 4000; i++) {
      Reservation one =
          Reservation.of(
                  new Reservation.Claimant(
                      "0a1b2c3d-0000-4000-8000-" + (100_000_000_000L + i),
                      "job-some-longer-name-" + i + "-abcde",
                      new Payer("team-queue", "ada"),
                      ""),
                  new Reservation.Charge(
                      new Rate(BigInteger.valueOf(12_345_678)),
                      Duration.ofHours(10),
                      true,
                      "",
                      null),
                  NOW)
              .started(NOW);
      open.put(one.uid(), one);
    }
    Ledger ledger = new Ledger(NOW, Amount.ZERO, new TreeMap<>(), open, 7);

    assertThat(StoredForm.size(ledger) / 4000).isLessThan(300);
    assertThat(BudgetLedger.size(ledger))
        .isBetween(StoredForm.size(ledger), BudgetLedger.MOST_BYTES);
    assertThat(BudgetLedger.growTo(ledger)).isLessThan(BudgetLedger.MOST_BYTES);
    assertThat(StoredForm.restarted(ledger)).isEqualTo(ledger);
  }

  /** Nothing that is reserved is lost for it, and no user's name is told wrongly. */
  @Test
  void accountsGiveWayToWhatLimitsBeforeAnObjectGetsTooLarge() {
    Map<String, Reservation> open = new HashMap<>();
    for (int i = 0; BudgetLedger.growTo(with(open)) < BudgetLedger.MOST_BYTES; i += 100) {
      for (int more = i; more < i + 100; more++) {
        Reservation one = running("uid" + more, "user" + more + "y".repeat(50));
        open.put(one.uid(), one);
      }
    }
    Map<Payer, Amount> users = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      users.put(new Payer("q", "user" + i + "x".repeat(50)), Amount.units(1));
    }
    Ledger full =
        new Ledger(
            NOW,
            Amount.ZERO,
            new TreeMap<>(Map.of(NOW, users)),
            new TreeMap<>(Map.of(NOW.minusSeconds(86_400), users)),
            open,
            7);
    assertThat(StoredForm.size(full)).isGreaterThan(1_572_864);

    Ledger fit = BudgetLedger.fitting(full);

    assertThat(StoredForm.size(fit)).isLessThan(1_500_000);
    assertThat(fit.use(TERMS, NOW, "")).isEqualTo(full.use(TERMS, NOW, ""));
    assertThat(fit.open().keySet()).isEqualTo(open.keySet());
    assertThat(fit.past()).isEmpty();
    assertThat(fit.spent()).isEqualTo(Map.of(NOW, Map.of(new Payer("q", "*"), Amount.units(200))));
    Ledger small = with(Map.of("uid0", Objects.requireNonNull(open.get("uid0"))));
    assertThat(BudgetLedger.fitting(small)).isSameAs(small);
  }

  private static Ledger with(Map<String, Reservation> open) {
    return new Ledger(NOW, Amount.ZERO, new TreeMap<>(), open, 7);
  }

  private static Reservation running(String uid, String user) {
    return Reservation.of(
            new Reservation.Claimant(uid, uid + "-" + "n".repeat(200), new Payer("q", user), ""),
            new Reservation.Charge(
                new Rate(BigInteger.valueOf(12_345_678)), Duration.ofHours(10), true, "", null),
            NOW)
        .started(NOW)
        .over(NOW);
  }

  @Test
  void whatPodsHaveGivenBackAndWhichCheckReservedIsKept() {
    Reservation one =
        Reservation.of(
                new Reservation.Claimant("u", "w", new Payer("q", ""), "budget"),
                new Reservation.Charge(Rate.FREE, Duration.ZERO, false, "4,0,12", NOW),
                NOW)
            .started(NOW)
            .over(NOW);
    Ledger ledger = Ledger.empty().with(one);

    assertThat(StoredForm.restarted(ledger)).isEqualTo(ledger);
    assertThat(BudgetLedger.size(ledger)).isGreaterThanOrEqualTo(StoredForm.size(ledger));
  }

  @Test
  void namesOfLedgersAreTakenApartAtTheLastDot() {
    LedgerName name = new LedgerName("gpu.hours", "team-a");

    assertThat(LedgerName.of(name.key())).contains(name);
    assertThat(LedgerName.of(ObjectKey.cluster("nodots"))).isEmpty();
  }

  private Books books() {
    return new Books(server, (name, ledger, now) -> Optional.empty());
  }

  private static Answer reserve(Books books, Reservation asked) throws InterruptedException {
    Books.Entry<Answer> entry =
        books.change(
            NAME,
            NOW,
            ledger -> {
              Answer answer = ledger.roll(TERMS, NOW).reserve(asked, TERMS, NOW);
              return answer instanceof Answer.Granted granted
                  ? Books.Outcome.onceStored(granted.after(), answer)
                  : Books.Outcome.atOnce(ledger, answer);
            });
    return ((Books.Entry.Answered<Answer>) entry).answer();
  }

  private static Reservation asked(String uid, int units) {
    return Reservations.of(
        uid, "q", new Rate(BigInteger.valueOf(1_000_000L * units)), Duration.ofHours(1), NOW);
  }
}
