// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A rule that turns the number of a workload's attempt into a delay. The attempt number is the
 * entry's {@code retryCount}, kept in the Workload object, so a restart of the controller forgets
 * nothing (KEP-3258; {@code docs/lifecycle.md#the-deadline}): base 30 s and factor 2 give 30 s on
 * attempt 0 and 8 min on attempt 4.
 *
 * <p>Every backoff is jittered so that workloads that failed together don't come back together.
 * Jitter lengthens a delay, by up to 20 % unless {@link #withJitter} says otherwise, but never
 * beyond the longest delay of the rule ({@link #atMost}; 24 h by default for {@link #fixed}, {@link
 * #exponential} and {@link #proportional}): a delay that has reached the longest one is shortened
 * instead, to half of it at most.
 *
 * <p>What waits for a moment ({@link #dailyAt}, {@link #weeklyAt}, {@link #untilOpen}, {@link
 * #untilClosed}, {@link #until}) has no longest delay of its own, nor have {@link #earliest} and
 * {@link #latest}. It comes back within a minute after the moment, however long it has waited: a
 * day's quota that is refilled at midnight should not stay unused for hours, and workloads that
 * came a second before midnight must be spread as widely as all others.
 *
 * <p>Whatever the rule says, a delay is cut to {@code longestDelay} of the controller's {@link
 * Guards} and to the core's {@code maximumRetryDelay}, each 24 h by default. A Retry on Saturday
 * for Monday evening then ends on Sunday: the workload is queued again each day, takes quota for
 * the question, and each Retry counts in {@code spec.retryLimits}. {@code {delay}} in its message
 * stands for the cut delay, so name the moment instead where it may be further away.
 *
 * @see Check
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Backoff {

  private static final double DEFAULT_JITTER = 0.2;

  /** As long as the longest retry delay that kueue-core honours unless configured otherwise. */
  private static final Duration DEFAULT_CAP = Duration.ofHours(24);

  /** What the jitter of a delay until a moment is a fraction of: one minute of it by default. */
  private static final Duration MOMENT_SPREAD = Duration.ofMinutes(5);

  private static final Duration UNBOUNDED = Duration.ofSeconds(Integer.MAX_VALUE);

  /** Where several rules decide, what they spread over is scaled by their own jitter. */
  private static final double ALL_OF_IT = 1;

  private final Schedule schedule;
  private final Duration cap;
  private final double jitter;

  private Backoff(Schedule schedule, Duration cap, double jitter) {
    this.schedule = schedule;
    this.cap = cap;
    this.jitter = jitter;
  }

  /**
   * The same delay on every attempt, at most 24 h, jitter included, unless {@link #atMost} says
   * otherwise.
   *
   * @param delay positive
   * @throws IllegalArgumentException if the delay is zero or negative
   */
  public static Backoff fixed(Duration delay) {
    return new Backoff(new Fixed(delay), DEFAULT_CAP, DEFAULT_JITTER);
  }

  /**
   * {@code base · factor^attempt}, at most 24 h, jitter included, unless {@link #atMost} says
   * otherwise.
   *
   * @param base the delay on attempt 0, positive
   * @param factor at least 1
   * @throws IllegalArgumentException if the base is zero or negative, or the factor below 1
   */
  public static Backoff exponential(Duration base, double factor) {
    return new Backoff(new Exponential(base, factor), DEFAULT_CAP, DEFAULT_JITTER);
  }

  /**
   * Until the next time it is this time of day in the zone: a daily refill. Safe across changes of
   * daylight saving time: a time that the day skips counts as that much later, one that the day
   * shows twice counts when first shown.
   */
  public static Backoff dailyAt(LocalTime time, ZoneId zone) {
    return new Backoff(new DailyAt(time, zone), UNBOUNDED, DEFAULT_JITTER);
  }

  /** Until the next start of a day in this zone. */
  public static Backoff untilMidnight(ZoneId zone) {
    return dailyAt(LocalTime.MIDNIGHT, zone);
  }

  /**
   * Until the next time it is this time on this day of the week in the zone: a weekly refill. Safe
   * across changes of daylight saving time, as {@link #dailyAt}.
   *
   * <p>Cut to 24 h unless configured otherwise, as {@link Backoff} says; the workload is then
   * evaluated again each day.
   */
  public static Backoff weeklyAt(DayOfWeek day, LocalTime time, ZoneId zone) {
    return new Backoff(new WeeklyAt(day, time, zone), UNBOUNDED, DEFAULT_JITTER);
  }

  /**
   * Until the window opens; no delay while it is open.
   *
   * <pre>{@code Backoff.untilOpen(TimeWindow.daily(LocalTime.of(22, 0), LocalTime.of(6, 0), zone))}
   * </pre>
   *
   * <p>Cut to 24 h unless configured otherwise, as {@link Backoff} says. Where the window may be
   * closed for longer, name its opening in the message, {@code
   * window.nextOpening(evaluation.now())}, since {@code {delay}} says 24 h then.
   */
  public static Backoff untilOpen(TimeWindow window) {
    return new Backoff(new UntilOpen(window), UNBOUNDED, DEFAULT_JITTER);
  }

  /**
   * Until the window closes, as a change freeze does; no delay while it is closed. Cut as {@link
   * #untilOpen}; {@code window.nextClosing(evaluation.now())} is the moment.
   *
   * @throws IllegalArgumentException if the window never closes
   */
  public static Backoff untilClosed(TimeWindow window) {
    try {
      window.nextClosing(Instant.EPOCH);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return new Backoff(new UntilClosed(window), UNBOUNDED, DEFAULT_JITTER);
  }

  /**
   * The shortest of these rules' delays, whichever that is on the attempt: at midnight, but no
   * later than an exponential backoff says.
   *
   * <pre>{@code
   * Backoff.earliest(
   *     Backoff.untilMidnight(zone),
   *     Backoff.exponential(Duration.ofMinutes(5), 2).atMost(Duration.ofHours(2)));
   * }</pre>
   *
   * <p>Each rule is compared without its jitter, and the jitter is that of the one that decides,
   * unless {@link #withJitter} says otherwise for all of them.
   */
  public static Backoff earliest(Backoff first, Backoff... others) {
    return new Backoff(Extreme.of(first, others, false), UNBOUNDED, ALL_OF_IT);
  }

  /**
   * The longest of these rules' delays, whichever that is on the attempt; otherwise as {@link
   * #earliest}.
   */
  public static Backoff latest(Backoff first, Backoff... others) {
    return new Backoff(Extreme.of(first, others, true), UNBOUNDED, ALL_OF_IT);
  }

  /** Until this moment; no delay if it has passed. */
  public static Backoff until(Instant moment) {
    return new Backoff(new Until(moment), UNBOUNDED, DEFAULT_JITTER);
  }

  /**
   * The longer, the higher the stress on what the check protects (KEP-3258, story 2): {@code
   * relaxed + (stressed - relaxed) · stress}, the same on every attempt.
   *
   * @param relaxed the delay at no stress, positive
   * @param stressed the delay at full stress, at least {@code relaxed}
   * @param stress as measured for this verdict, 0 to 1; what lies outside counts as the nearer end,
   *     and not-a-number, which measurements give that failed, as full stress
   * @throws IllegalArgumentException if a delay is out of bounds
   */
  public static Backoff proportional(Duration relaxed, Duration stressed, double stress) {
    return new Backoff(new Proportional(relaxed, stressed, stress), DEFAULT_CAP, DEFAULT_JITTER);
  }

  /**
   * The same rule, its delay at most this long, jitter included.
   *
   * @throws IllegalArgumentException if the longest delay is zero or negative
   */
  public Backoff atMost(Duration longest) {
    return new Backoff(schedule, positive("longest delay", longest), jitter);
  }

  /**
   * The same rule, lengthened by a random part of up to {@code fraction} of the delay; of five
   * minutes where the delay lasts until a moment. What has reached the longest delay is shortened
   * by as much.
   *
   * @param fraction between 0 (none) and 1 (up to twice the delay)
   * @throws IllegalArgumentException if the fraction is out of bounds
   */
  public Backoff withJitter(double fraction) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException("jitter must lie between 0 and 1: " + fraction);
    }
    return schedule instanceof Extreme extreme
        ? new Backoff(extreme.withJitter(fraction), cap, ALL_OF_IT)
        : new Backoff(schedule, cap, fraction);
  }

  /** The same rule without jitter: use it where exactness matters more than spreading out. */
  public Backoff withoutJitter() {
    return withJitter(0);
  }

  /**
   * The delay before jitter. A message announces the delay with its jitter: by {@code {delay}}, see
   * {@link Verdict.Retry}.
   *
   * @param attempt the entry's {@code retryCount}, 0 or more
   * @param now the moment from which the delay counts
   * @throws IllegalArgumentException if the attempt is negative
   */
  public Duration nominal(int attempt, Instant now) {
    if (attempt < 0) {
      throw new IllegalArgumentException("an attempt number can't be negative: " + attempt);
    }
    Duration delay = schedule.delay(attempt, now, cap);
    return delay.compareTo(cap) > 0 ? cap : delay;
  }

  /**
   * The delay with jitter, never above the longest one.
   *
   * @param attempt the entry's {@code retryCount}, 0 or more
   * @param now the moment from which the delay counts
   * @param random where the jitter comes from; seed it to repeat a run
   * @throws IllegalArgumentException if the attempt is negative
   */
  public Duration delay(int attempt, Instant now, RandomGenerator random) {
    Duration nominal = nominal(attempt, now);
    if (jitter == 0) {
      return nominal;
    }
    Range range = range(attempt, now, nominal);
    Duration width = range.longest.minus(range.shortest);
    return width.isZero()
        ? nominal
        : range.shortest.plus(ofSeconds(seconds(width) * random.nextDouble()));
  }

  private Range range(int attempt, Instant now, Duration nominal) {
    return schedule.range(attempt, now, nominal, jitter).within(cap);
  }

  /** The delays among which chance decides. */
  private record Range(Duration shortest, Duration longest) {

    static Range above(Duration nominal, double widestSeconds) {
      return new Range(nominal, nominal.plus(ofSeconds(widestSeconds)));
    }

    /**
     * The same, none longer than the cap. Where even the shortest has reached it, those below it
     * instead, so that workloads are spread there too; half of the cap is always left.
     */
    Range within(Duration cap) {
      if (longest.compareTo(cap) <= 0) {
        return this;
      }
      if (shortest.compareTo(cap) < 0) {
        return new Range(shortest, cap);
      }
      Duration width = longest.minus(shortest);
      Duration half = cap.dividedBy(2);
      return new Range(cap.minus(width.compareTo(half) > 0 ? half : width), cap);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Backoff that
        && schedule.equals(that.schedule)
        && cap.equals(that.cap)
        && jitter == that.jitter;
  }

  @Override
  public int hashCode() {
    return Objects.hash(schedule, cap, jitter);
  }

  @Override
  public String toString() {
    return schedule + " at most " + cap + " jitter " + jitter;
  }

  private static Duration positive(String what, Duration duration) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException("the " + what + " must be positive: " + duration);
    }
    return duration;
  }

  private static double seconds(Duration duration) {
    return duration.toSeconds() + duration.toNanosPart() / 1e9;
  }

  private static Duration ofSeconds(double seconds) {
    long whole = (long) seconds;
    return Duration.ofSeconds(whole, (long) ((seconds - whole) * 1e9));
  }

  /** The shape of a backoff, before cap and jitter. */
  private sealed interface Schedule {
    Duration delay(int attempt, Instant now, Duration cap);

    /** The span that the jitter is a fraction of. */
    default Duration spreadOver(Duration nominal) {
      return nominal;
    }

    /** The delays with jitter, of which none is below the nominal one. */
    default Range range(int attempt, Instant now, Duration nominal, double jitter) {
      return Range.above(nominal, seconds(spreadOver(nominal)) * jitter);
    }
  }

  /** Lasts until a moment that is the same for all workloads. */
  private sealed interface Moment extends Schedule {
    @Override
    default Duration spreadOver(Duration nominal) {
      // A moment that has come is none that workloads wait for together.
      return nominal.isZero() ? Duration.ZERO : MOMENT_SPREAD;
    }
  }

  private record Fixed(Duration delay) implements Schedule {
    Fixed {
      positive("delay", delay);
    }

    @Override
    public Duration delay(int attempt, Instant now, Duration cap) {
      return delay;
    }
  }

  private record Exponential(Duration base, double factor) implements Schedule {
    Exponential {
      positive("base delay", base);
      if (!(factor >= 1 && Double.isFinite(factor))) {
        throw new IllegalArgumentException("the factor must be at least 1: " + factor);
      }
    }

    @Override
    public Duration delay(int attempt, Instant now, Duration cap) {
      double seconds = seconds(base) * Math.pow(factor, attempt);
      // Compared as doubles first: high attempts overflow every duration, even to infinity.
      return seconds >= seconds(cap) ? cap : ofSeconds(seconds);
    }
  }

  private record Proportional(Duration relaxed, Duration stressed, double stress)
      implements Schedule {
    Proportional {
      positive("delay at no stress", relaxed);
      if (stressed.compareTo(relaxed) < 0) {
        throw new IllegalArgumentException(
            "the delay at full stress must be at least that at no stress, "
                + relaxed
                + ": "
                + stressed);
      }
      stress = Double.isNaN(stress) ? 1 : Math.clamp(stress, 0.0, 1.0);
    }

    @Override
    public Duration delay(int attempt, Instant now, Duration cap) {
      return relaxed.plus(ofSeconds(seconds(stressed.minus(relaxed)) * stress));
    }
  }

  private record UntilOpen(TimeWindow window) implements Moment {
    @Override
    public Duration delay(int attempt, Instant now, Duration cap) {
      return window.isOpen(now) ? Duration.ZERO : Duration.between(now, window.nextOpening(now));
    }
  }

  private record UntilClosed(TimeWindow window) implements Moment {
    @Override
    public Duration delay(int attempt, Instant now, Duration cap) {
      return window.isOpen(now) ? Duration.between(now, window.nextClosing(now)) : Duration.ZERO;
    }
  }

  /** The shortest or the longest of several rules. */
  private record Extreme(List<Backoff> rules, boolean longest) implements Schedule {
    static Extreme of(Backoff first, Backoff[] others, boolean longest) {
      return new Extreme(Stream.concat(Stream.of(first), Stream.of(others)).toList(), longest);
    }

    Extreme withJitter(double fraction) {
      return new Extreme(rules.stream().map(rule -> rule.withJitter(fraction)).toList(), longest);
    }

    @Override
    public Duration delay(int attempt, Instant now, Duration cap) {
      return deciding(attempt, now).nominal(attempt, now);
    }

    /** The range of the rule that decides: its jitter doesn't exceed its own longest delay. */
    @Override
    public Range range(int attempt, Instant now, Duration nominal, double jitter) {
      Backoff rule = deciding(attempt, now);
      return rule.range(attempt, now, rule.nominal(attempt, now));
    }

    private Backoff deciding(int attempt, Instant now) {
      Comparator<Backoff> byDelay = Comparator.comparing(rule -> rule.nominal(attempt, now));
      return longest ? Collections.max(rules, byDelay) : Collections.min(rules, byDelay);
    }
  }

  private record Until(Instant moment) implements Moment {
    @Override
    public Duration delay(int attempt, Instant now, Duration cap) {
      return moment.isAfter(now) ? Duration.between(now, moment) : Duration.ZERO;
    }
  }

  private record WeeklyAt(DayOfWeek day, LocalTime time, ZoneId zone) implements Moment {
    @Override
    public Duration delay(int attempt, Instant now, Duration cap) {
      LocalDate date = now.atZone(zone).toLocalDate().with(TemporalAdjusters.nextOrSame(day));
      Instant next = date.atTime(time).atZone(zone).toInstant();
      if (!next.isAfter(now)) {
        next = date.plusWeeks(1).atTime(time).atZone(zone).toInstant();
      }
      return Duration.between(now, next);
    }
  }

  private record DailyAt(LocalTime time, ZoneId zone) implements Moment {
    @Override
    public Duration delay(int attempt, Instant now, Duration cap) {
      LocalDate today = now.atZone(zone).toLocalDate();
      Instant next = today.atTime(time).atZone(zone).toInstant();
      if (!next.isAfter(now)) {
        next = today.plusDays(1).atTime(time).atZone(zone).toInstant();
      }
      return Duration.between(now, next);
    }
  }
}
