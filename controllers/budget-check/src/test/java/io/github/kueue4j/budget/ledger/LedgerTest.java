// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LedgerTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final Window DAY = Window.daily(ZoneOffset.UTC);

  /** docs/guides/budget-check.md says so. */
  @Test
  void whatCountsWhenThePolicyGetsAnotherWindow() {
    Instant noon = Instant.parse("2026-06-10T12:00:00Z");
    Terms daily = Terms.of(Window.daily(ZoneOffset.UTC), Amount.units(100));
    Terms monthly = Terms.of(Window.monthly(ZoneOffset.UTC), Amount.units(100));
    Reservation run =
        Reservation.of(
                new Reservation.Claimant("u", "w", new Payer("q", ""), ""),
                new Reservation.Charge(
                    new Rate(BigInteger.valueOf(1_000_000)), Duration.ofHours(2), false, "", null),
                noon)
            .started(noon);
    Instant end = noon.plus(Duration.ofHours(2));

    Ledger ofMonth = Ledger.empty().roll(monthly, noon).with(run).settle("u", end, monthly);
    assertThat(ofMonth.roll(daily, end).use(daily, end, "")).isEqualTo(Use.NONE);
    Ledger running = Ledger.empty().roll(monthly, noon).with(run);
    assertThat(running.roll(daily, end).use(daily, end, "").spent()).isEqualTo(Amount.units(2));

    Ledger ofDay = Ledger.empty().roll(daily, noon).with(run).settle("u", end, daily);
    assertThat(ofDay.roll(monthly, end).use(monthly, end, "").spent()).isEqualTo(Amount.units(2));
  }

  /** Four pods run from 22:00 on; from 23:00 on two, and from 01:00 on one, until 02:00. */
  @Test
  void eachRateCountsInTheDaysInWhichItRan() {
    Terms terms = Terms.of(DAY, Amount.units(100));
    Instant evening = Instant.parse("2026-06-01T22:00:00Z");
    Ledger full = Ledger.empty().roll(terms, evening).with(held("", 4));
    Ledger half = charge(full, held("2", 2), evening.plus(Duration.ofHours(1)), terms);
    assertThat(half.use(DAY, evening.plus(Duration.ofHours(1)), ""))
        .isEqualTo(new Use(Amount.units(4), Amount.units(18)));

    Ledger rolled = half.roll(terms, evening.plus(Duration.ofHours(3)));
    Ledger one = charge(rolled, held("1", 1), evening.plus(Duration.ofHours(3)), terms);
    assertThat(one.use(DAY, evening.plus(Duration.ofHours(4)), ""))
        .isEqualTo(new Use(Amount.units(3), Amount.units(6)));
    Ledger settled = one.settle("u", evening.plus(Duration.ofHours(4)), terms);

    assertThat(settled.use(DAY, evening.plus(Duration.ofHours(4)), ""))
        .isEqualTo(new Use(Amount.units(3), Amount.ZERO));
    assertThat(half.settle("u", evening.plus(Duration.ofHours(4)), terms).spent())
        .as("by the day: 4 and 2 units before midnight, 4 afterwards")
        .containsEntry(
            Instant.parse("2026-06-01T00:00:00Z"), Map.of(new Payer("q", ""), Amount.units(6)))
        .containsEntry(
            Instant.parse("2026-06-02T00:00:00Z"), Map.of(new Payer("q", ""), Amount.units(4)));
  }

  @Test
  void aLimitThatIsRaisedAfterQuotaWasGivenBackCountsFromTheAdmission() {
    Terms terms = Terms.of(DAY, Amount.units(100));
    Instant begin = Instant.parse("2026-06-01T02:00:00Z");
    Reservation four =
        Reservation.of(
                new Reservation.Claimant("u", "w", new Payer("q", ""), ""),
                new Reservation.Charge(rate(4), Duration.ofHours(10), true, "", null),
                begin)
            .started(begin);
    Ledger full = Ledger.empty().roll(terms, begin).with(four);
    Instant then = begin.plus(Duration.ofHours(4));
    Ledger half = charge(full, of(four, "2", 2, 10), then, terms);
    assertThat(half.use(DAY, then, "")).isEqualTo(new Use(Amount.units(16), Amount.units(12)));
    assertThat(own(half).latestEnd()).contains(begin.plus(Duration.ofHours(10)));

    Ledger raised = charge(half, of(four, "2", 2, 15), then, terms);

    assertThat(raised.use(DAY, then, "")).isEqualTo(new Use(Amount.units(16), Amount.units(22)));
    assertThat(own(raised).latestEnd()).contains(begin.plus(Duration.ofHours(15)));
    assertThat(own(raised).isChargedAs(of(four, "2", 2, 15))).isTrue();
  }

  private static Reservation of(Reservation one, String held, int units, int hours) {
    return Reservation.of(
            new Reservation.Claimant(one.uid(), one.workload(), new Payer(one.queue(), ""), ""),
            new Reservation.Charge(rate(units), Duration.ofHours(hours), true, held, null),
            one.at())
        .inAttempt(one.attempt(), 0);
  }

  private static Reservation own(Ledger ledger) {
    return Objects.requireNonNull(ledger.open().get("u"));
  }

  private static Ledger charge(Ledger ledger, Reservation asked, Instant now, Terms terms) {
    return new LedgerEdit(ledger).charge(asked, now, terms).ledger();
  }

  private static Reservation held(String held, int units) {
    Instant evening = Instant.parse("2026-06-01T22:00:00Z");
    return Reservation.of(
            new Reservation.Claimant("u", "w", new Payer("q", ""), ""),
            new Reservation.Charge(rate(units), Duration.ofHours(10), false, held, null),
            evening)
        .started(evening);
  }

  @Test
  void whatWasLeftIsCarriedOverUpToItsMost() {
    Terms terms =
        new Terms(
            DAY, List.of(Limit.ofNamespace(Amount.units(10))), Optional.empty(), Amount.units(15));
    Ledger ledger = run(Ledger.empty().roll(terms, NOW), "a", 4, terms);

    Ledger tomorrow = ledger.roll(terms, NOW.plus(Duration.ofDays(1)));
    assertThat(tomorrow.carried()).isEqualTo(Amount.units(6));
    assertThat(ledger.roll(terms, NOW.plus(Duration.ofDays(2))).carried())
        .isEqualTo(Amount.units(15));
    // 16 fit into 10 and the 6 that were carried; 17 may fit on another day, 26 never.
    Instant then = NOW.plus(Duration.ofDays(1));
    assertThat(tomorrow.reserve(asked("b", 16, then), terms, then))
        .isInstanceOf(Answer.Granted.class);
    assertThat(tomorrow.reserve(asked("b", 17, then), terms, then))
        .isInstanceOf(Answer.Exhausted.class);
    assertThat(tomorrow.reserve(asked("b", 26, then), terms, then))
        .isInstanceOf(Answer.NeverFits.class);
  }

  @Test
  void whatRunsOnCountsInTheNewWindowAndNotInWhatIsCarried() {
    Terms terms =
        new Terms(
            DAY, List.of(Limit.ofNamespace(Amount.units(10))), Optional.empty(), Amount.units(9));
    Reservation night = Reservations.of("n", "q", rate(1), Duration.ofHours(10), NOW);
    Instant evening = Instant.parse("2026-06-01T21:00:00Z");
    Ledger ledger = Ledger.empty().roll(terms, NOW).with(night).start("n", evening);

    Ledger tomorrow = ledger.roll(terms, Instant.parse("2026-06-02T01:00:00Z"));

    assertThat(tomorrow.carried()).isEqualTo(Amount.units(7));
    assertThat(tomorrow.use(DAY, Instant.parse("2026-06-02T01:00:00Z"), ""))
        .isEqualTo(new Use(Amount.units(1), Amount.units(6)));
  }

  @Test
  void aRunThatEndedBeforeTheWindowBeganCostsNothingInIt() {
    Terms terms = Terms.of(DAY, Amount.units(10));
    Ledger ledger = Ledger.empty().roll(terms, NOW).with(asked("a", 1, NOW)).start("a", NOW);
    Instant tomorrow = NOW.plus(Duration.ofDays(1));

    Ledger settled = ledger.roll(terms, tomorrow).settle("a", NOW.plus(Duration.ofHours(1)), terms);

    assertThat(settled.use(DAY, tomorrow, "")).isEqualTo(Use.NONE);
    assertThat(settled.spent()).isEmpty();
  }

  @Test
  void windowsThatHavePassedTakeNoRoom() {
    Terms terms = Terms.of(DAY, Amount.units(10));
    Ledger ledger = run(Ledger.empty().roll(terms, NOW), "a", 4, terms);
    assertThat(ledger.spent()).hasSize(1);

    assertThat(ledger.roll(terms, NOW.plus(Duration.ofDays(1))).spent()).isEmpty();
    // A clock that is behind closes none.
    assertThat(ledger.roll(terms, NOW.minus(Duration.ofDays(1)))).isEqualTo(ledger);
  }

  @Test
  void whatRunsLongerThanExpectedCountsInFull() {
    Terms terms = Terms.of(DAY, Amount.units(10));
    Ledger ledger = Ledger.empty().roll(terms, NOW).with(asked("a", 2, NOW)).start("a", NOW);

    assertThat(ledger.use(DAY, NOW.plus(Duration.ofHours(3)), ""))
        .isEqualTo(new Use(Amount.units(6), Amount.ZERO));
  }

  @Test
  void whatIsChargedAsItRunsNeedsSomethingThatIsLeft() {
    Terms terms = Terms.of(DAY, Amount.units(2));
    Reservation open = Reservations.of("o", "q", rate(1), Duration.ZERO, NOW);
    Ledger ledger = Ledger.empty().roll(terms, NOW);

    assertThat(ledger.reserve(open, terms, NOW)).isInstanceOf(Answer.Granted.class);
    Ledger used = run(ledger, "a", 2, terms);
    assertThat(used.reserve(open, terms, NOW)).isInstanceOf(Answer.Exhausted.class);
  }

  @Test
  void aRollingWindowSaysWhenEnoughWillHaveLeftIt() {
    Window window = Window.rolling(Duration.ofDays(2));
    Terms terms = Terms.of(window, Amount.units(10));
    Ledger ledger = run(Ledger.empty().roll(terms, NOW), "a", 8, terms);
    Instant later = NOW.plus(Duration.ofHours(5));

    Answer answer = ledger.roll(terms, later).reserve(asked("b", 3, later), terms, later);

    // It ran from 8:00 to 9:00, which is one slot.
    assertThat(answer).isInstanceOf(Answer.Exhausted.class);
    assertThat(((Answer.Exhausted) answer).retryAt()).isEqualTo("2026-06-03T09:00:00Z");
    Instant then = ((Answer.Exhausted) answer).retryAt();
    assertThat(ledger.roll(terms, then).reserve(asked("b", 3, then), terms, then))
        .isInstanceOf(Answer.Granted.class);
  }

  @Test
  void ofThoseThatRunTheLastOnesAreBeyondALoweredLimit() {
    Terms terms = Terms.of(DAY, Amount.units(10));
    Ledger ledger =
        Ledger.empty()
            .roll(terms, NOW)
            .with(asked("old", 4, NOW))
            .with(asked("young", 4, NOW.plusSeconds(60)));
    Terms lowered = Terms.of(DAY, Amount.units(6));

    assertThat(ledger.beyond(terms, NOW).contains("young")).isFalse();
    assertThat(ledger.beyond(lowered, NOW).contains("old")).isFalse();
    assertThat(ledger.beyond(lowered, NOW).contains("young")).isTrue();
    assertThat(ledger.beyond(lowered, NOW).contains("unknown")).isFalse();
  }

  /**
   * At noon a Workload has run for an hour at 2 units an hour, and may for another; others have
   * ended, the last of them half a minute ago. Of their 4 units and these 2, and what was measured,
   * the larger counts: what was measured late or between two samples isn't free, and neither is
   * what ran beside the Workloads.
   */
  @ParameterizedTest
  @CsvSource({"0, 6, true", "5, 6, true", "7, 7, true", "8, 8, false", "9, 9, false"})
  void ofWhatWasMeasuredAndWhatTheLedgerKnowsTheLargerCounts(
      int measured, int spent, boolean another) {
    Instant noon = Instant.parse("2026-06-01T12:00:00Z");
    Terms terms = Terms.of(DAY, Amount.units(11)).withMeasured(Map.of("", Amount.units(measured)));
    Ledger ledger =
        Ledger.empty()
            .roll(terms, noon)
            .with(runs("runs", Duration.ofHours(2)))
            .start("runs", noon.minus(Duration.ofHours(1)))
            .with(runs("ended", Duration.ofHours(3)))
            .start("ended", noon.minusSeconds(2 * 3600 - 20 + 30))
            .settle("ended", noon.minusSeconds(30), terms)
            .with(runs("brief", Duration.ofHours(1)))
            .start("brief", noon.minusSeconds(50))
            .settle("brief", noon.minusSeconds(30), terms);

    assertThat(ledger.use(terms, noon, ""))
        .isEqualTo(new Use(Amount.units(spent), Amount.units(2)));
    assertThat(ledger.reserve(runs("next", Duration.ofHours(1)), terms, noon))
        .isInstanceOf(another ? Answer.Granted.class : Answer.Exhausted.class);
    Reckoned reckoned = new Reckoned(ledger);
    assertThat(reckoned.judge(runs("next", Duration.ofHours(1)), terms, noon, Map.of()))
        .isInstanceOf(another ? Answer.Granted.class : Answer.Exhausted.class);
    // 2 are reserved: what is spent and reserved is above a limit of 9 from 8 on.
    Terms lowered = Terms.of(DAY, Amount.units(9)).withMeasured(terms.measured());
    assertThat(ledger.beyond(lowered, noon)).hasSize(spent > 7 ? 1 : 0);
  }

  private static Reservation runs(String uid, Duration projected) {
    return Reservations.of(uid, "q", rate(2), projected, NOW);
  }

  @Test
  void eachLocalQueueHasItsOwnLimit() {
    Terms terms =
        new Terms(
            DAY,
            List.of(new Limit("small", Amount.units(1))),
            Optional.of(Amount.units(10)),
            Amount.ZERO);
    Ledger ledger = Ledger.empty().roll(terms, NOW).with(asked("a", 10, NOW));

    assertThat(ledger.reserve(inQueue("b", "q"), terms, NOW)).isInstanceOf(Answer.Exhausted.class);
    assertThat(ledger.reserve(inQueue("b", "other"), terms, NOW))
        .isInstanceOf(Answer.Granted.class);
    assertThat(ledger.reserve(inQueue("b", "small"), terms, NOW))
        .isInstanceOf(Answer.NeverFits.class);
  }

  private static Reservation inQueue(String uid, String queue) {
    return Reservations.of(uid, queue, rate(5), Duration.ofHours(1), NOW);
  }

  /** With something that cost so much within the last hour. */
  private static Ledger run(Ledger ledger, String uid, int units, Terms terms) {
    return ledger
        .with(asked(uid, units, NOW))
        .start(uid, NOW)
        .settle(uid, NOW.plus(Duration.ofHours(1)), terms);
  }

  private static Reservation asked(String uid, int units, Instant at) {
    return Reservations.of(uid, "q", rate(units), Duration.ofHours(1), at);
  }

  private static Rate rate(int units) {
    return new Rate(BigInteger.valueOf(1_000_000L * units));
  }
}
