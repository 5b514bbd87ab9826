// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BackoffTest {

  private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource({"0,30", "1,60", "2,120", "3,240", "4,480", "5,960"})
  void attemptNIsBaseTimesFactorToTheN(int attempt, long seconds) {
    Backoff backoff = Backoff.exponential(Duration.ofSeconds(30), 2).withoutJitter();

    assertThat(backoff.delay(attempt, NOON, new Random(1))).hasSeconds(seconds);
  }

  @Test
  void anExponentialDelayStopsGrowingAtItsCapEvenWhereThePowerOverflows() {
    Backoff backoff = Backoff.exponential(Duration.ofSeconds(30), 2).atMost(Duration.ofMinutes(15));

    assertThat(backoff.nominal(6, NOON)).hasMinutes(15);
    assertThat(backoff.nominal(Integer.MAX_VALUE, NOON)).hasMinutes(15);
    assertThat(Backoff.exponential(Duration.ofSeconds(30), 2).nominal(5000, NOON)).hasHours(24);
  }

  /** A moment that has come is none to wait for. */
  @Test
  void aMomentThatHasComeMeansNoDelayAtAll() {
    TimeWindow open = TimeWindow.daily(LocalTime.of(8, 0), LocalTime.of(18, 0), ZoneId.of("UTC"));
    for (Backoff none :
        List.of(
            Backoff.untilOpen(open),
            Backoff.until(NOON),
            Backoff.until(NOON.minusSeconds(1)).withJitter(1),
            Backoff.earliest(Backoff.fixed(Duration.ofMinutes(1)), Backoff.untilOpen(open)))) {
      assertThat(none.delay(0, NOON, new Random(1))).as("%s", none).isZero();
    }
    assertThat(Backoff.until(NOON.plusSeconds(1)).delay(0, NOON, new Random(1)))
        .isGreaterThan(Duration.ofSeconds(1));
  }

  @Test
  void aFixedDelayIsTheSameOnEveryAttempt() {
    Backoff backoff = Backoff.fixed(Duration.ofMinutes(5)).withoutJitter();

    assertThat(backoff.delay(0, NOON, new Random(1))).hasMinutes(5);
    assertThat(backoff.delay(9, NOON, new Random(1))).hasMinutes(5);
  }

  @ParameterizedTest
  @CsvSource({
    // An ordinary day, seen before, at and after the time.
    "Europe/Berlin, 00:00, 2026-06-01T12:00:00Z, 2026-06-01T22:00:00Z",
    "Europe/Berlin, 00:00, 2026-06-01T22:00:00Z, 2026-06-02T22:00:00Z",
    "Europe/Berlin, 06:30, 2026-06-01T04:29:59Z, 2026-06-01T04:30:00Z",
    // The day of 23 hours and the day of 25 hours.
    "Europe/Berlin, 00:00, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
    "Europe/Berlin, 00:00, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
    // 02:30 does not exist on 29 March 2026: an hour later by the clock, the same moment.
    "Europe/Berlin, 02:30, 2026-03-29T00:00:00Z, 2026-03-29T01:30:00Z",
    // 02:30 exists twice on 25 October 2026: the first counts, and only the first.
    "Europe/Berlin, 02:30, 2026-10-25T00:00:00Z, 2026-10-25T00:30:00Z",
    "Europe/Berlin, 02:30, 2026-10-25T00:45:00Z, 2026-10-26T01:30:00Z",
    // A zone whose clocks skip midnight itself.
    "Africa/Cairo, 00:00, 2026-04-23T20:00:00Z, 2026-04-23T22:00:00Z",
    "Asia/Kathmandu, 00:00, 2026-06-01T12:00:00Z, 2026-06-01T18:15:00Z",
  })
  void aDailyRefillComesWhenTheClockOnTheWallShowsIt(
      String zone, LocalTime time, Instant now, Instant refill) {
    Backoff backoff = Backoff.dailyAt(time, ZoneId.of(zone)).withoutJitter();

    assertThat(now.plus(backoff.delay(3, now, new Random(1)))).isEqualTo(refill);
  }

  @Property(tries = 300)
  void theNextMidnightIsNeverNowAndNeverMoreThan25HoursAway(
      @ForAll @LongRange(min = 1_700_000_000, max = 2_000_000_000) long second) {
    Instant now = Instant.ofEpochSecond(second);
    ZoneId zone = ZoneId.of("America/New_York");

    Duration delay = Backoff.untilMidnight(zone).nominal(0, now);

    assertThat(delay).isPositive().isLessThanOrEqualTo(Duration.ofHours(25));
    assertThat(now.plus(delay).atZone(zone).toLocalTime()).isEqualTo(LocalTime.MIDNIGHT);
  }

  @Property(tries = 300)
  void jitterOnlyLengthensAndByAtMostItsFractionUpToTheLongestDelay(
      @ForAll @IntRange(max = 100) int attempt,
      @ForAll @DoubleRange(max = 1) double fraction,
      @ForAll long seed) {
    Duration longest = Duration.ofMinutes(30);
    Backoff backoff =
        Backoff.exponential(Duration.ofSeconds(30), 2).atMost(longest).withJitter(fraction);
    Duration nominal = backoff.nominal(attempt, NOON);

    Duration delay = backoff.delay(attempt, NOON, new Random(seed));

    assertThat(delay).isLessThanOrEqualTo(longest);
    if (nominal.equals(longest)) {
      assertThat(delay.toMillis())
          .isGreaterThanOrEqualTo((long) (longest.toMillis() * (1 - Math.min(fraction, 0.5))));
    } else {
      assertThat(delay).isGreaterThanOrEqualTo(nominal);
      assertThat(delay.toMillis())
          .isLessThanOrEqualTo((long) (nominal.toMillis() * (1 + fraction)));
    }
  }

  /** What has reached the longest delay is spread below it, whichever rule says it. */
  @Test
  void noDelayIsLongerThanTheLongestOne() {
    Duration minute = Duration.ofMinutes(1);
    Backoff capped = Backoff.fixed(minute).atMost(minute);
    Backoff tomorrow = Backoff.until(NOON.plus(Duration.ofHours(28)));

    assertThat(longest(capped, 0)).isBetween(Duration.ofSeconds(59), minute);
    assertThat(shortest(capped, 0)).isBetween(Duration.ofSeconds(48), Duration.ofSeconds(50));
    assertThat(shortest(capped.withJitter(1), 0)).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
    assertThat(longest(Backoff.earliest(tomorrow, capped), 0)).isLessThanOrEqualTo(minute);
    assertThat(longest(tomorrow.atMost(Duration.ofHours(24)), 0))
        .isBetween(Duration.ofHours(24).minusSeconds(10), Duration.ofHours(24));
    assertThat(longest(Backoff.earliest(tomorrow).atMost(minute), 0)).isLessThanOrEqualTo(minute);
  }

  @Test
  void theSameSeedGivesTheSameJitter() {
    Backoff backoff = Backoff.fixed(Duration.ofMinutes(10));

    assertThat(backoff.delay(0, NOON, new Random(7)))
        .isEqualTo(backoff.delay(0, NOON, new Random(7)))
        .isNotEqualTo(backoff.delay(0, NOON, new Random(8)));
  }

  @Test
  void workloadsThatWaitForMidnightComeBackWithinAMinuteOfIt() {
    Backoff backoff = Backoff.untilMidnight(ZoneId.of("UTC"));
    Random random = new Random(1);

    assertThat(IntStream.range(0, 1000).mapToObj(i -> backoff.delay(0, NOON, random)))
        .allSatisfy(
            delay ->
                assertThat(delay).isBetween(Duration.ofHours(12), Duration.ofMinutes(12 * 60 + 1)));
  }

  static Stream<Backoff> ofEveryKind() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    return Stream.of(
        Backoff.fixed(Duration.ofMinutes(5)),
        Backoff.exponential(Duration.ofSeconds(30), 2),
        Backoff.exponential(Duration.ofMinutes(5), 2).atMost(Duration.ofMinutes(6)),
        Backoff.proportional(Duration.ofSeconds(30), Duration.ofMinutes(10), 0.7),
        Backoff.untilMidnight(ZoneId.of("UTC")),
        Backoff.weeklyAt(DayOfWeek.MONDAY, LocalTime.of(6, 0), berlin),
        Backoff.earliest(
            Backoff.untilMidnight(berlin), Backoff.exponential(Duration.ofMinutes(2), 2)),
        Backoff.untilOpen(TimeWindow.daily(LocalTime.of(22, 0), LocalTime.of(6, 0), berlin)),
        Backoff.until(NOON.plusSeconds(2)));
  }

  /** By the second in which they are queued again, as the field that is written says it. */
  @ParameterizedTest
  @MethodSource("ofEveryKind")
  void fiveThousandSimultaneousRetriesSpreadOut(Backoff backoff) {
    for (int attempt : new int[] {0, 4}) {
      Random random = new Random(42);
      Map<Duration, Integer> perSecond = new TreeMap<>();
      for (int i = 0; i < 5000; i++) {
        Duration delay = Delay.from(backoff).resolve(attempt, NOON, random).orElseThrow();
        perSecond.merge(delay, 1, Integer::sum);
      }
      Duration first = Collections.min(perSecond.keySet());
      Duration last = Collections.max(perSecond.keySet());
      long seconds = last.minus(first).toSeconds() + 1;

      assertThat(seconds).isGreaterThan(5);
      assertThat((long) Collections.max(perSecond.values()))
          .isLessThanOrEqualTo(3 * 5000 / seconds);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 30", "0.5, 315", "1, 600", "-3, 30", "7, 600", "NaN, 600", "Infinity, 600"})
  void theHigherTheStressTheLongerTheDelay(double stress, long seconds) {
    Backoff backoff = Backoff.proportional(Duration.ofSeconds(30), Duration.ofMinutes(10), stress);

    assertThat(backoff.nominal(0, NOON)).hasSeconds(seconds);
    assertThat(backoff.nominal(9, NOON)).hasSeconds(seconds);
  }

  @ParameterizedTest
  @CsvSource({
    // 1 June 2026 is a Monday. Seen on the Friday before, on the day itself before, at and after.
    "Europe/Berlin, 06:00, 2026-05-29T12:00:00Z, 2026-06-01T04:00:00Z",
    "Europe/Berlin, 06:00, 2026-06-01T03:59:59Z, 2026-06-01T04:00:00Z",
    "Europe/Berlin, 06:00, 2026-06-01T04:00:00Z, 2026-06-08T04:00:00Z",
    "Europe/Berlin, 06:00, 2026-06-01T12:00:00Z, 2026-06-08T04:00:00Z",
    // It is Monday there already.
    "Asia/Tokyo, 00:30, 2026-05-31T15:00:00Z, 2026-05-31T15:30:00Z",
    // The weeks of 167 and 169 hours.
    "Europe/Berlin, 06:00, 2026-03-23T05:00:00Z, 2026-03-30T04:00:00Z",
    "Europe/Berlin, 06:00, 2026-10-19T04:00:00Z, 2026-10-26T05:00:00Z",
  })
  void aWeeklyRefillComesOnItsDay(String zone, LocalTime time, Instant now, Instant refill) {
    Backoff backoff = Backoff.weeklyAt(DayOfWeek.MONDAY, time, ZoneId.of(zone)).withoutJitter();

    assertThat(now.plus(backoff.delay(3, now, new Random(1)))).isEqualTo(refill);
  }

  @Test
  void aTimeThatTheWeekSkipsComesAsMuchLater() {
    Backoff backoff =
        Backoff.weeklyAt(DayOfWeek.SUNDAY, LocalTime.of(2, 30), ZoneId.of("Europe/Berlin"));
    Instant before = Instant.parse("2026-03-27T12:00:00Z");

    assertThat(before.plus(backoff.nominal(0, before))).isEqualTo("2026-03-29T01:30:00Z");
  }

  @Test
  void untilAMomentIsNoDelayOnceItHasPassed() {
    assertThat(Backoff.until(NOON.plusSeconds(90)).nominal(0, NOON)).hasSeconds(90);
    assertThat(Backoff.until(NOON.minusSeconds(90)).nominal(0, NOON)).isZero();
  }

  @Test
  void theEarliestOrTheLatestOfSeveralRules() {
    Backoff midnight = Backoff.untilMidnight(ZoneId.of("UTC"));
    Backoff growing = Backoff.exponential(Duration.ofHours(1), 4);

    Backoff earliest = Backoff.earliest(midnight, growing);
    assertThat(earliest.nominal(0, NOON)).hasHours(1);
    assertThat(earliest.nominal(1, NOON)).hasHours(4);
    assertThat(earliest.nominal(2, NOON)).hasHours(12);
    Backoff latest = Backoff.latest(midnight, growing);
    assertThat(latest.nominal(0, NOON)).hasHours(12);
    assertThat(latest.nominal(2, NOON)).hasHours(16);
    assertThat(Backoff.latest(midnight, growing).atMost(Duration.ofHours(13)).nominal(9, NOON))
        .hasHours(13);
    assertThat(earliest).isEqualTo(Backoff.earliest(midnight, growing)).isNotEqualTo(latest);
  }

  /** A minute after midnight, a fifth of what grows; exactly what is exact. */
  @Test
  void theRuleThatDecidesSpreadsTheDelay() {
    Backoff midnight = Backoff.untilMidnight(ZoneId.of("UTC"));
    Backoff growing = Backoff.exponential(Duration.ofHours(1), 4);
    Backoff earliest = Backoff.earliest(midnight, growing);

    assertThat(longest(earliest, 0)).isBetween(Duration.ofMinutes(70), Duration.ofMinutes(72));
    assertThat(longest(earliest, 2)).isBetween(minutes(12 * 60), minutes(12 * 60 + 1));
    assertThat(longest(Backoff.earliest(midnight, growing.withoutJitter()), 0)).hasHours(1);
    assertThat(longest(earliest.withoutJitter(), 0)).hasHours(1);
    assertThat(longest(earliest.withJitter(1), 0)).isBetween(minutes(110), minutes(120));
  }

  private static Duration minutes(long minutes) {
    return Duration.ofMinutes(minutes);
  }

  private static Duration longest(Backoff backoff, int attempt) {
    return delays(backoff, attempt).max(Duration::compareTo).orElseThrow();
  }

  private static Duration shortest(Backoff backoff, int attempt) {
    return delays(backoff, attempt).min(Duration::compareTo).orElseThrow();
  }

  private static Stream<Duration> delays(Backoff backoff, int attempt) {
    Random random = new Random(1);
    return IntStream.range(0, 200).mapToObj(i -> backoff.delay(attempt, NOON, random));
  }

  @Test
  void untilAWindowOpensIsNoDelayWhileItIsOpen() {
    TimeWindow nights = TimeWindow.daily(LocalTime.of(22, 0), LocalTime.of(6, 0), ZoneId.of("UTC"));
    Backoff backoff = Backoff.untilOpen(nights);

    assertThat(backoff.nominal(3, NOON)).hasHours(10);
    assertThat(backoff.nominal(3, NOON.plus(Duration.ofHours(10)))).isZero();
    assertThat(longest(backoff, 0)).isBetween(minutes(600), minutes(601));
  }

  @Test
  void untilAFreezeEndsIsNoDelayWhileThereIsNone() {
    TimeWindow freeze =
        TimeWindow.weekly(
            DayOfWeek.FRIDAY,
            LocalTime.of(18, 0),
            DayOfWeek.MONDAY,
            LocalTime.of(8, 0),
            ZoneId.of("UTC"));
    Instant saturday = Instant.parse("2026-06-06T08:00:00Z");
    Backoff backoff = Backoff.untilClosed(freeze);

    assertThat(backoff.nominal(3, saturday)).isEqualTo(Duration.ofDays(2));
    assertThat(backoff.nominal(3, saturday.plus(Duration.ofDays(2)))).isZero();
    TimeWindow always = TimeWindow.daily(LocalTime.NOON, LocalTime.NOON, ZoneId.of("UTC"));
    assertThatThrownBy(() -> Backoff.untilClosed(always)).hasMessageContaining("never closes");
  }

  @Test
  void refusesWhatMakesNoDelay() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> Backoff.fixed(Duration.ZERO)).hasMessageContaining("positive");
    assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(-1), 2))
        .hasMessageContaining("positive");
    assertThatThrownBy(() -> Backoff.exponential(second, 0.5)).hasMessageContaining("factor");
    assertThatThrownBy(() -> Backoff.exponential(second, Double.NaN))
        .hasMessageContaining("factor");
    assertThatThrownBy(() -> Backoff.fixed(second).withJitter(1.1)).hasMessageContaining("jitter");
    assertThatThrownBy(() -> Backoff.fixed(second).atMost(Duration.ZERO))
        .hasMessageContaining("longest delay");
    assertThatThrownBy(() -> Backoff.proportional(Duration.ZERO, second, 0.5))
        .hasMessageContaining("no stress");
    assertThatThrownBy(() -> Backoff.proportional(second, Duration.ofMillis(1), 0.5))
        .hasMessageContaining("full stress");
    assertThatThrownBy(() -> Backoff.fixed(second).nominal(-1, NOON))
        .hasMessageContaining("attempt");
  }
}
