// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reckoned;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Reservations;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Window;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PromisesTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final Terms TERMS = Terms.of(Window.daily(ZoneOffset.UTC), Amount.units(10));
  private static final LedgerName NAME = new LedgerName("daily", "team-a");

  private final Promises promises = new Promises();
  private final Ledger ledger = Ledger.empty().roll(TERMS, NOW);

  @Test
  void ofFiveThousandThatWaitOnlyAsManyAreQueuedAsFit() {
    long ended = IntStream.range(0, 5000).filter(i -> ends(ledger, "w" + i, NOW)).count();

    assertThat(ended).isEqualTo(10);
    // Another ledger has its own.
    assertThat(
            promises.ask(
                new LedgerName("daily", "team-b"),
                new Reckoned(ledger),
                asked("w", NOW),
                TERMS,
                NOW))
        .isInstanceOf(Answer.Granted.class);
  }

  @Test
  void whatIsReservedByThenCountsOnce() {
    IntStream.range(0, 10).forEach(i -> ends(ledger, "w" + i, NOW));
    Ledger reserved = ledger;
    for (int i = 0; i < 5; i++) {
      reserved = reserved.with(asked("w" + i, NOW));
    }

    assertThat(ends(reserved, "x", NOW)).isFalse();
    // Two of them are done.
    Ledger settled = reserved.settle("w0", NOW, TERMS).settle("w1", NOW, TERMS);
    assertThat(ends(settled, "x", NOW)).isTrue();
    assertThat(ends(settled, "y", NOW)).isTrue();
    assertThat(ends(settled, "z", NOW)).isFalse();
  }

  @Test
  void oneThatIsAskedAgainIsNotInItsOwnWayAndOneThatDoesNotComeIsForgotten() {
    IntStream.range(0, 10).forEach(i -> ends(ledger, "w" + i, NOW));

    assertThat(ends(ledger, "w3", NOW)).isTrue();
    assertThat(ends(ledger, "x", NOW)).isFalse();
    assertThat(ends(ledger, "x", NOW.plus(Duration.ofMinutes(3)))).isTrue();
  }

  @Test
  void thatOneLapsedIsToldOnceAlsoIfAnotherWorkloadFoundItOut() {
    ends(ledger, "w", NOW);
    assertThat(promises.look(NAME, new Reckoned(ledger), NOW.plusSeconds(30)))
        .isEqualTo(new Promises.Held(false, Optional.of(Duration.ofSeconds(90))));

    Instant later = NOW.plusSeconds(121);
    ends(ledger, "x", later);

    assertThat(promises.look(NAME, new Reckoned(ledger), later))
        .isEqualTo(new Promises.Held(true, Optional.of(Duration.ofMinutes(2))));
    assertThat(promises.look(NAME, new Reckoned(ledger), later).lapsed()).isFalse();
    // One that was kept has not lapsed.
    assertThat(
            promises.look(
                NAME, new Reckoned(ledger.with(asked("x", later))), later.plusSeconds(300)))
        .isEqualTo(new Promises.Held(false, Optional.empty()));
  }

  private boolean ends(Ledger seen, String uid, Instant now) {
    return promises.ask(NAME, new Reckoned(seen), asked(uid, now), TERMS, now)
        instanceof Answer.Granted;
  }

  private static Reservation asked(String uid, Instant at) {
    return Reservations.of(
        uid, "q", new Rate(BigInteger.valueOf(1_000_000)), Duration.ofHours(1), at);
  }
}
