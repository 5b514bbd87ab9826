// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Reservations;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Window;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How often a ledger of many running Workloads is written. */
@Tag("thorough")
class LargeLedgerTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final LedgerName NAME = new LedgerName("daily", "team-a");

  /** So many that it isn't written with each change. */
  private static final int FEW = 800;

  private static final Terms TERMS = Terms.of(Window.daily(ZoneOffset.UTC), Amount.units(10_000));

  private final LedgerServer server = new LedgerServer();
  private final Books books = books();
  private Instant now = NOW;

  private Books books() {
    return new Books(server, (name, ledger, at) -> Optional.empty());
  }

  @BeforeEach
  void fill() throws InterruptedException {
    fill(FEW);
  }

  private void fill(int workloads) throws InterruptedException {
    Map<String, Reservation> open = new HashMap<>();
    for (int i = 0; i < workloads; i++) {
      Reservation one = asked("old" + i, NOW).started(NOW);
      open.put(one.uid(), one);
    }
    books.change(
        NAME,
        NOW,
        ledger ->
            Books.Outcome.atOnce(
                new Ledger(TERMS.window().start(NOW), Amount.ZERO, ledger.spent(), open, 0), ""));
  }

  @Test
  void changesOfManyShortJobsAreWrittenTogether() throws InterruptedException {
    fill(4000);
    now = now.plusSeconds(30);
    int writesBefore = server.writes();
    long bytesBefore = server.bytes();

    // Within 15 seconds 300 end and 300 others begin.
    for (int i = 0; i < 300; i++) {
      now = now.plusMillis(50);
      settle(books, "old" + i);
      reserve(books, "new" + i);
    }
    flush();

    assertThat(server.ledger(NAME).open()).hasSize(4000).containsKeys("new0", "new299");
    assertThat(server.ledger(NAME).settled()).isEqualTo(300);
    assertThat(server.writes() - writesBefore).isBetween(2, 5);
    assertThat(server.bytes() - bytesBefore).isLessThan(6_000_000);
  }

  @Test
  void nothingIsGrantedBeforeItIsStored() throws InterruptedException {
    Books.Entry<Answer> entry = reserve(books, "new");

    assertThat(entry).isInstanceOf(Books.Entry.Gathered.class);
    assertThat(server.ledger(NAME).open()).doesNotContainKey("new");
    assertThat(books.latest(NAME).orElseThrow().ledger().open()).containsKey("new");
    // Asked again too early, also by another Workload.
    assertThat(reserve(books, "new")).isInstanceOf(Books.Entry.Gathered.class);
    assertThat(reserve(books, "other")).isInstanceOf(Books.Entry.Gathered.class);

    now = now.plus(books.dueIn(NAME, now).orElseThrow());
    assertThat(reserve(books, "new")).isInstanceOf(Books.Entry.Answered.class);
    assertThat(server.ledger(NAME).open()).containsKeys("new", "other");
    assertThat(books.dueIn(NAME, now)).isEmpty();
    // What is stored is answered at once, whatever gathers meanwhile.
    assertThat(reserve(books, "third")).isInstanceOf(Books.Entry.Gathered.class);
    assertThat(reserve(books, "other")).isInstanceOf(Books.Entry.Answered.class);
  }

  @Test
  void whatWaitsToBeWrittenCountsForOthers() throws InterruptedException {
    reserve(books, huge("huge"));

    assertThat(reserve(books, "new"))
        .isInstanceOfSatisfying(
            Books.Entry.Answered.class,
            entry -> assertThat(entry.answer()).isInstanceOf(Answer.Exhausted.class));
  }

  @Test
  void whatOnlyAGatheredEndMakesPlaceForIsNotGrantedBeforeBothAreStored()
      throws InterruptedException {
    reserve(books, huge("first"));
    flush();
    settle(books, "first");

    assertThat(reserve(books, huge("second"))).isInstanceOf(Books.Entry.Gathered.class);
    // What is stored has no place for it.
    assertThat(reserve(books, huge("second"))).isInstanceOf(Books.Entry.Gathered.class);
    assertThat(server.ledger(NAME).open()).containsKey("first").doesNotContainKey("second");

    now = now.plus(books.dueIn(NAME, now).orElseThrow());
    assertThat(reserve(books, huge("second")))
        .isInstanceOfSatisfying(
            Books.Entry.Answered.class,
            entry -> assertThat(entry.answer()).isInstanceOf(Answer.Granted.class));
    assertThat(server.ledger(NAME).open()).containsKey("second").doesNotContainKey("first");
  }

  @Test
  void whatWasGatheredWhenTheProcessEndsWasNotGranted() throws InterruptedException {
    assertThat(reserve(books, "lost")).isInstanceOf(Books.Entry.Gathered.class);

    Books restarted = books();
    assertThat(reserve(restarted, "new")).isInstanceOf(Books.Entry.Answered.class);

    assertThat(server.ledger(NAME).open()).containsKey("new").doesNotContainKey("lost");
  }

  @Test
  void whatAnotherReplicaWroteMeanwhileStays() throws InterruptedException {
    reserve(books, "mine");
    settle(books, "old1");
    Books other = books();
    settle(other, "old1");
    reserve(other, "theirs");
    now = now.plusSeconds(30);
    settle(other, "old2");

    assertThat(reserve(books, "mine")).isInstanceOf(Books.Entry.Answered.class);
    assertThat(server.ledger(NAME).open())
        .containsKeys("mine", "theirs")
        .doesNotContainKeys("old1", "old2");
    assertThat(server.ledger(NAME).settled()).isEqualTo(2);
  }

  @Test
  void aLedgerThatAnotherReplicaWroteIsReadAnewOnceItIsSeen() throws InterruptedException {
    Books other = books();
    reserve(other, "theirs");
    int reads = server.reads();
    assertThat(books.latest(NAME).orElseThrow().ledger().open()).doesNotContainKey("theirs");

    books.seen(NAME, server.object(NAME).orElseThrow());

    assertThat(books.latest(NAME)).isEmpty();
    settle(books, "theirs");
    assertThat(books.latest(NAME).orElseThrow().ledger().open()).doesNotContainKey("theirs");
    settle(books, "old1");
    assertThat(server.reads() - reads).isEqualTo(1);
  }

  @Test
  void aWriteThatFailsForgetsWhatWasGatheredAndGrantsNothing() throws InterruptedException {
    reserve(books, "early");
    now = now.plusSeconds(30);
    server.down(true);
    assertThatThrownBy(() -> reserve(books, "late")).hasMessage("the server is down");
    server.down(false);

    assertThat(reserve(books, "early")).isInstanceOf(Books.Entry.Answered.class);
    assertThat(server.ledger(NAME).open()).containsKey("early").doesNotContainKey("late");
  }

  @Test
  void aClockThatWasSetBackKeepsNothingFromBeingWritten() throws InterruptedException {
    now = now.minusSeconds(3600);

    assertThat(reserve(books, "new")).isInstanceOf(Books.Entry.Answered.class);
  }

  @Test
  void theLeastTimeBetweenWritesGrowsWithTheSize() {
    assertThat(Book.interval(10_000)).isEqualTo(Duration.ZERO);
    assertThat(Book.interval(100_000)).isBetween(Duration.ofMillis(300), Duration.ofMillis(350));
    assertThat(Book.interval(1_200_000)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
  }

  private void flush() throws InterruptedException {
    now = now.plus(books.dueIn(NAME, now).orElse(Duration.ZERO));
    books.change(NAME, now, ledger -> Books.Outcome.atOnce(ledger, ""));
  }

  private void settle(Books by, String uid) throws InterruptedException {
    by.change(NAME, now, ledger -> Books.Outcome.atOnce(ledger.settle(uid, now, TERMS), ""));
  }

  private Books.Entry<Answer> reserve(Books by, String uid) throws InterruptedException {
    return reserve(by, asked(uid, NOW));
  }

  private Books.Entry<Answer> reserve(Books by, Reservation asked) throws InterruptedException {
    return by.change(
        NAME,
        now,
        ledger -> {
          Answer answer = ledger.reserve(asked, TERMS, now);
          return answer instanceof Answer.Granted granted
              ? Books.Outcome.onceStored(granted.after(), answer)
              : Books.Outcome.atOnce(ledger, answer);
        });
  }

  private static final Duration HOUR = Duration.ofHours(1);

  private static Rate euros(int perHour) {
    return new Rate(BigInteger.valueOf(1_000_000L * perHour));
  }

  /** What the others leave of the limit. */
  private static Reservation huge(String uid) {
    return Reservations.of(uid, "", euros(10_000 - FEW), HOUR, NOW);
  }

  private static Reservation asked(String uid, Instant at) {
    return Reservation.of(
        new Reservation.Claimant(
            uid, "a-job-with-a-name-of-usual-length-" + uid, new Payer("queue", ""), ""),
        new Reservation.Charge(euros(1), HOUR, false, "", null),
        at);
  }
}
