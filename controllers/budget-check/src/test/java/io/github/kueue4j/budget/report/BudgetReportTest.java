// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Limit;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Reservations;
import io.github.kueue4j.budget.ledger.Spending;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Window;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Units per hour make amounts that can be reckoned in the head. */
class BudgetReportTest {
  private static final Instant FIRST = Instant.parse("2026-11-01T00:00:00Z");
  private static final Window MONTH = Window.monthly(ZoneOffset.UTC);
  private static final Terms TERMS =
      new Terms(
          MONTH,
          List.of(Limit.ofNamespace(Amount.units(1000)), new Limit("gpus", Amount.units(400))),
          Optional.empty(),
          Amount.ZERO);

  private int names;

  @Test
  void sumsByNamespaceQueueAndUserAreWhatTheBudgetHasBooked() {
    Instant now = day(10);
    List<BudgetReport.Source> sources =
        List.of(source("a", busy(now), FIRST), source("b", busy(now), FIRST));

    for (BudgetReport.By by : BudgetReport.By.values()) {
      BudgetReport report = BudgetReport.of(MONTH, sources, by, Optional.empty(), now);
      Spending sum =
          report.rows().stream()
              .map(BudgetReport.Row::account)
              .reduce(Spending.NONE, Spending::plus);
      Amount booked =
          sources.stream()
              .map(source -> source.ledger().use(MONTH, now, "").spent())
              .reduce(Amount.ZERO, Amount::plus);
      assertThat(sum.used()).as("by %s", by).isEqualTo(booked);
      assertThat(report.total().account()).isEqualTo(sum);
      assertThat(report.total().forecast())
          .isEqualTo(
              report.rows().stream()
                  .map(BudgetReport.Row::forecast)
                  .map(Optional::orElseThrow)
                  .reduce(Amount::plus));
    }
    assertThat(used(BudgetReport.of(MONTH, sources, BudgetReport.By.USER, Optional.empty(), now)))
        .isEqualTo(Map.of("ada", "100", "bob", "60", "", "20"));
  }

  @Test
  void aRowHasTheLimitOfWhatItIsOf() {
    Instant now = day(10);
    List<BudgetReport.Source> sources = List.of(source("a", busy(now), FIRST));

    assertThat(limits(sources, BudgetReport.By.NAMESPACE, now)).isEqualTo("[1000]");
    assertThat(limits(sources, BudgetReport.By.QUEUE, now)).isEqualTo("[400, -]");
    assertThat(limits(sources, BudgetReport.By.USER, now)).isEqualTo("[-, -, -]");
  }

  @Test
  void aForecastGoesOnAtTheRateOfTheWindowAndNotBelowWhatIsReserved() {
    Instant now = day(10);
    Ledger ledger = ran(Ledger.empty().roll(TERMS, FIRST), "q", "ada", 1, FIRST, day(5));

    // 120 in 10 days; 20 are left.
    assertThat(forecast(source("a", ledger, FIRST), now)).contains(Amount.units(360));
    // The ledger is younger: 120 in 6 days.
    assertThat(forecast(source("a", ledger, day(4)), now)).contains(Amount.units(520));
    Ledger reserved =
        ledger.with(
            reservation("q", "ada", 1, Duration.ofDays(15), now.minusSeconds(1)).started(now));
    assertThat(forecast(source("a", reserved, FIRST), now)).contains(Amount.units(120 + 360));
    // Beyond the end of the window nothing counts.
    Ledger long40 =
        ledger.with(
            reservation("q", "ada", 1, Duration.ofDays(40), now.minusSeconds(1)).started(now));
    assertThat(forecast(source("a", long40, FIRST), now)).contains(Amount.units(120 + 480));
  }

  @Test
  void aNewWindowIsForeseenByTheOneBefore() {
    Ledger october =
        ran(
            Ledger.empty().roll(TERMS, Instant.parse("2026-10-01T00:00:00Z")),
            "q",
            "ada",
            1,
            Instant.parse("2026-10-02T00:00:00Z"),
            Instant.parse("2026-10-10T00:00:00Z"));
    Instant now = FIRST.plus(Duration.ofHours(1));

    Amount forecast =
        forecast(source("a", october, Instant.parse("2026-10-01T00:00:00Z")), now).orElseThrow();

    // 192 in 745 hours; 719 are left.
    assertThat(forecast).isBetween(Amount.units(185), Amount.units(186));
    Ledger goesOn = ran(october.roll(TERMS, now), "q", "ada", 1, FIRST, now);
    assertThat(
            forecast(source("a", goesOn, Instant.parse("2026-10-01T00:00:00Z")), now).orElseThrow())
        .isBetween(Amount.units(187), Amount.units(188));
  }

  @Test
  void nothingIsForeseenWhileTooLittleIsKnown() {
    Ledger ledger = ran(Ledger.empty().roll(TERMS, FIRST), "q", "ada", 1, FIRST, day(2));

    assertThat(forecast(source("a", ledger, FIRST), day(2))).isEmpty();
    assertThat(forecast(source("a", ledger, FIRST), day(3))).isPresent();
  }

  @Test
  void eachNamespaceIsForeseenByTheTimeThatItsOwnLedgerKnows() {
    Instant now = day(10);
    Ledger old = ran(Ledger.empty().roll(TERMS, FIRST), "q", "ada", 1, FIRST, day(5));
    Ledger young = ran(Ledger.empty().roll(TERMS, day(6)), "q", "ada", 1, day(6), day(8));

    // 120 in 10 days and 48 in 4 days; 20 are left.
    assertThat(forecasts(List.of(source("a", old, FIRST), source("b", young, day(6))), now))
        .isEqualTo(Map.of("a", "360", "b", "288"));
  }

  /** What was spent in the windows before was not kept, which doesn't make it nothing. */
  @Test
  void aLedgerThatKnowsOfNoWindowBeforeIsForeseenByThePresentOne() {
    Instant created = Instant.parse("2026-01-01T00:00:00Z");
    Ledger ledger = ran(Ledger.empty().roll(TERMS, FIRST), "q", "ada", 1, FIRST, day(4));
    Ledger older = new Ledger(FIRST, Amount.ZERO, ledger.spent(), Map.of(), 1);

    // 96 in 4 days; 26 are left.
    assertThat(forecast(source("a", older, created), day(4))).contains(Amount.units(720));
    assertThat(forecast(source("a", older, created), day(2))).isEmpty();
  }

  @Test
  void aRollingWindowHasNoForecast() {
    Window rolling = Window.rolling(Duration.ofDays(2));
    Terms terms = Terms.of(rolling, Amount.units(100));
    Ledger ledger = ledgerOf(terms, FIRST, day(1));
    BudgetReport.Source source = new BudgetReport.Source("a", "", ledger, FIRST, terms);

    BudgetReport report =
        BudgetReport.of(rolling, List.of(source), BudgetReport.By.USER, Optional.of(FIRST), day(8));

    assertThat(report.until()).isEmpty();
    assertThat(report.rows().getFirst().forecast()).isEmpty();
    assertThat(report.total().account().used())
        .as("by the day, long after")
        .isEqualTo(Amount.units(24));
  }

  @Test
  void sinceADayWhatWasSpentInWindowsThatHavePassedIsAddedUp() {
    Window daily = Window.daily(ZoneOffset.UTC);
    Terms terms = Terms.of(daily, Amount.units(100));
    Ledger ledger = ledgerOf(terms, FIRST, FIRST.plus(Duration.ofHours(50)));
    BudgetReport.Source source = new BudgetReport.Source("a", "", ledger, FIRST, terms);

    assertThat(since(daily, source, Optional.empty(), day(2))).isEqualTo("2");
    assertThat(since(daily, source, Optional.of(day(1).plusSeconds(3600)), day(2))).isEqualTo("26");
    assertThat(since(daily, source, Optional.of(FIRST), day(2))).isEqualTo("50");
    assertThat(since(daily, source, Optional.of(FIRST), day(9))).as("a week later").isEqualTo("50");
    assertThat(since(daily, source, Optional.empty(), day(9))).isEqualTo("0");
  }

  @Test
  void usersBeyondTheBoundAreBookedAsOneAndOldWindowsLoseThem() {
    Terms terms = Terms.of(Window.daily(ZoneOffset.UTC), Amount.units(1_000_000));
    Ledger ledger = Ledger.empty().roll(terms, FIRST);
    for (int day = 0; day < 4; day++) {
      ledger = ledger.roll(terms, day(day));
      for (int user = 0; user < 210; user++) {
        ledger = ranAnHour(ledger, "user" + user, 1, day(day), terms);
      }
    }
    assertThat(ledger.spent().get(day(3))).hasSize(201);
    assertThat(ledger.past().get(FIRST)).isEqualTo(Map.of(new Payer("q", "*"), Amount.units(210)));
    BudgetReport.Source source = new BudgetReport.Source("a", "", ledger, FIRST, terms);
    assertThat(since(terms.window(), source, Optional.of(FIRST), day(3).plus(Duration.ofHours(2))))
        .as("no sum is lost")
        .isEqualTo("840");
    Ledger later = ledger.roll(terms, day(600));
    assertThat(later.past()).isEmpty();
  }

  /** A user who spends more than one of those with a name gets the name of the smallest. */
  @Test
  void theSmallestUserGivesWayToALargerOne() {
    Terms terms = Terms.of(Window.daily(ZoneOffset.UTC), Amount.units(1_000_000));
    Ledger ledger = Ledger.empty().roll(terms, FIRST);
    for (int user = 0; user < 200; user++) {
      ledger = ranAnHour(ledger, "user" + user, 2 + user, FIRST, terms);
    }
    ledger = ranAnHour(ledger, "large", 50, FIRST, terms);
    ledger = ranAnHour(ledger, "small", 1, FIRST, terms);

    assertThat(ledger.spent().get(FIRST))
        .hasSize(201)
        .containsEntry(new Payer("q", "large"), Amount.units(50))
        .containsEntry(new Payer("q", "*"), Amount.units(2 + 1))
        .doesNotContainKeys(new Payer("q", "user0"), new Payer("q", "small"));
  }

  private Ledger ranAnHour(Ledger ledger, String user, int units, Instant from, Terms terms) {
    Reservation one = reservation("q", user, units, Duration.ofHours(1), from);
    return ledger.with(one.started(from)).settle(one.uid(), from.plus(Duration.ofHours(1)), terms);
  }

  private static String since(
      Window window, BudgetReport.Source source, Optional<Instant> from, Instant now) {
    return BudgetReport.of(window, List.of(source), BudgetReport.By.NAMESPACE, from, now)
        .total()
        .account()
        .used()
        .toString();
  }

  /** One unit per hour between two moments, booked when the second has come. */
  private Ledger ledgerOf(Terms terms, Instant from, Instant to) {
    Reservation one = reservation("q", "ada", 1, Duration.ofDays(30), from).started(from);
    return Ledger.empty().roll(terms, from).with(one).roll(terms, to).settle(one.uid(), to, terms);
  }

  /**
   * Runs of one namespace: ada's of 50 and bob's of 30 have ended, one of 10 without a user goes
   * on.
   */
  private Ledger busy(Instant now) {
    Ledger ledger = Ledger.empty().roll(TERMS, FIRST);
    ledger = ran(ledger, "gpus", "ada", 5, FIRST, FIRST.plus(Duration.ofHours(10)));
    ledger = ran(ledger, "q", "bob", 3, FIRST, FIRST.plus(Duration.ofHours(10)));
    Instant began = now.minus(Duration.ofHours(10));
    return ledger.with(reservation("q", "", 1, Duration.ofHours(12), began).started(began));
  }

  private Ledger ran(
      Ledger ledger, String queue, String user, int units, Instant from, Instant to) {
    Reservation one =
        reservation(queue, user, units, Duration.between(from, to), from).started(from);
    return ledger.with(one).settle(one.uid(), to, TERMS);
  }

  private Reservation reservation(String queue, String user, int units, Duration time, Instant at) {
    String uid = "u" + names++;
    Rate rate = new Rate(BigInteger.valueOf(units * 1_000_000L));
    return Reservations.limited(uid, new Payer(queue, user), rate, time, at);
  }

  private static BudgetReport.Source source(String namespace, Ledger ledger, Instant created) {
    return new BudgetReport.Source(namespace, "", ledger, created, TERMS);
  }

  private static Optional<Amount> forecast(BudgetReport.Source source, Instant now) {
    return BudgetReport.of(MONTH, List.of(source), BudgetReport.By.NAMESPACE, Optional.empty(), now)
        .total()
        .forecast();
  }

  private static Map<String, String> forecasts(List<BudgetReport.Source> sources, Instant now) {
    return BudgetReport.of(MONTH, sources, BudgetReport.By.NAMESPACE, Optional.empty(), now)
        .rows()
        .stream()
        .collect(
            Collectors.toMap(
                row -> row.who().namespace(), row -> row.forecast().orElseThrow().toString()));
  }

  private static String limits(List<BudgetReport.Source> sources, BudgetReport.By by, Instant now) {
    return BudgetReport.of(MONTH, sources, by, Optional.empty(), now).rows().stream()
        .map(row -> row.limit().map(Amount::toString).orElse("-"))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static Map<String, String> used(BudgetReport report) {
    return report.rows().stream()
        .collect(
            Collectors.toMap(
                row -> row.who().payer().user(), row -> row.account().used().toString()));
  }

  private static Instant day(int days) {
    return FIRST.plus(Duration.ofDays(days));
  }
}
