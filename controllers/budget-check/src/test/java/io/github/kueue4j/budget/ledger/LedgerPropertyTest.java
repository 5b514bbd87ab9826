// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.StoredForm;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** Random lives of Workloads, against a recorder that remembers every run and adds them up anew. */
class LedgerPropertyTest {

  private static final Instant START = Instant.parse("2026-03-27T20:00:00Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final List<Window> WINDOWS =
      List.of(
          Window.daily(BERLIN),
          Window.weekly(DayOfWeek.SUNDAY, BERLIN),
          Window.monthly(BERLIN),
          Window.rolling(Duration.ofHours(30)));

  @Property
  void theLedgerIsWhatANaiveRecorderComputesAndKeepsTheLimit(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 3) int window) {
    World world = new World(new Random(seed), WINDOWS.get(window));
    for (int step = 0; step < 150; step++) {
      world.step();
      world.compare();
    }
  }

  /** What a Workload did. */
  private static final class Life {
    final Reservation reservation;
    @Nullable Instant started;
    @Nullable Instant ended;

    Life(Reservation reservation) {
      this.reservation = reservation;
    }

    long ranWithin(Instant from, Instant to) {
      if (started == null) {
        return 0;
      }
      Instant end = ended == null || ended.isAfter(to) ? to : ended;
      Instant begin = started.isBefore(from) ? from : started;
      return Math.max(0, end.getEpochSecond() - begin.getEpochSecond());
    }

    Instant latestEnd() {
      return java.util.Objects.requireNonNull(started).plus(reservation.charge().projected());
    }
  }

  private static final class World {
    private final Random random;
    private final Terms terms;
    private final Amount limit = Amount.units(100);
    private final List<Life> lives = new ArrayList<>();
    private Ledger ledger = Ledger.empty();
    private Instant now = START;
    private int names;

    World(Random random, Window window) {
      this.random = random;
      this.terms =
          new Terms(
              window,
              List.of(Limit.ofNamespace(limit), new Limit("q1", Amount.units(60))),
              Optional.empty(),
              Amount.ZERO);
    }

    void step() {
      ledger = ledger.roll(terms, now);
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> reserve();
        case 3 -> pick(false).ifPresent(this::admit);
        case 4 -> pick(true).ifPresent(this::end);
        case 5 -> pick(false).ifPresent(this::end);
        case 6 -> restart();
        default -> pass(Duration.ofSeconds(1 + random.nextInt(6 * 3600)));
      }
    }

    private void reserve() {
      Reservation asked =
          Reservation.of(
              new Reservation.Claimant(
                  "uid" + names, "w" + names++, new Payer("q" + random.nextInt(3), user()), ""),
              new Reservation.Charge(
                  new Rate(BigInteger.valueOf(1 + random.nextInt(20_000_000))),
                  Duration.ofSeconds(1 + random.nextInt(8 * 3600)),
                  false,
                  "",
                  null),
              now);
      if (ledger.reserve(asked, terms, now) instanceof Answer.Granted granted) {
        ledger = granted.after();
        lives.add(new Life(asked));
        // The same question again, as after a lost answer, takes nothing more.
        Answer again = ledger.reserve(asked, terms, now);
        assertThat(again).isInstanceOf(Answer.Granted.class);
        assertThat(((Answer.Granted) again).after()).isEqualTo(ledger);
      }
    }

    /** A policy with a rolling window tells no users apart. */
    private String user() {
      return terms.window() instanceof Window.Rolling
          ? ""
          : List.of("", "ada", "bob").get(random.nextInt(3));
    }

    private void restart() {
      Ledger restarted = StoredForm.restarted(ledger);
      assertThat(restarted).isEqualTo(ledger);
      assertThat(BudgetLedger.size(ledger)).isGreaterThanOrEqualTo(StoredForm.size(ledger));
      ledger = restarted;
    }

    private Optional<Life> pick(boolean running) {
      List<Life> fitting =
          lives.stream()
              .filter(life -> life.ended == null && (life.started != null) == running)
              .toList();
      return fitting.isEmpty()
          ? Optional.empty()
          : Optional.of(fitting.get(random.nextInt(fitting.size())));
    }

    private void admit(Life life) {
      life.started = now;
      ledger = ledger.start(life.reservation.uid(), now);
    }

    private void end(Life life) {
      life.ended = now;
      ledger = ledger.settle(life.reservation.uid(), now, terms);
    }

    /** Time passes; what runs ends when its time is over, and is seen to end a little later. */
    private void pass(Duration time) {
      now = now.plus(time);
      for (Life life : lives) {
        if (life.started != null && life.ended == null && life.latestEnd().isBefore(now)) {
          life.ended = life.latestEnd();
          ledger = ledger.roll(terms, now).settle(life.reservation.uid(), life.latestEnd(), terms);
        }
      }
    }

    void compare() {
      ledger = ledger.roll(terms, now);
      for (String queue : List.of("", "q0", "q1", "q2")) {
        Amount spent = Amount.ZERO;
        Amount reserved = Amount.ZERO;
        for (Life life : lives) {
          if (queue.isEmpty() || queue.equals(life.reservation.queue())) {
            BigInteger rate = life.reservation.rate().micros();
            long counted = life.ranWithin(terms.window().start(now), now);
            spent = spent.plus(new Amount(rate.multiply(BigInteger.valueOf(counted))));
            if (life.ended == null) {
              long left =
                  life.reservation.charge().projected().toSeconds()
                      - life.ranWithin(Instant.EPOCH, now);
              reserved = reserved.plus(new Amount(rate.multiply(BigInteger.valueOf(left))));
            }
          }
        }
        assertThat(ledger.use(terms.window(), now, queue)).isEqualTo(new Use(spent, reserved));
      }
      compareAccounts();
      assertThat(ledger.use(terms.window(), now, "").total()).isLessThanOrEqualTo(limit);
      assertThat(ledger.use(terms.window(), now, "q1").total())
          .isLessThanOrEqualTo(Amount.units(60));
    }

    /** Each payer's account is what its Workloads ran, in this window and in all of them. */
    private void compareAccounts() {
      Instant start = terms.window().start(now);
      Instant before = terms.window().period(START).from();
      Map<Payer, Spending> present = Spending.of(ledger, terms.window(), start, now);
      Map<Payer, Spending> all = Spending.of(ledger, terms.window(), before, now);
      Map<Payer, BigInteger> ran = new HashMap<>();
      Map<Payer, BigInteger> everRan = new HashMap<>();
      for (Life life : lives) {
        Payer payer = new Payer(life.reservation.queue(), life.reservation.user());
        BigInteger rate = life.reservation.rate().micros();
        ran.merge(
            payer, rate.multiply(BigInteger.valueOf(life.ranWithin(start, now))), BigInteger::add);
        everRan.merge(
            payer, rate.multiply(BigInteger.valueOf(life.ranWithin(START, now))), BigInteger::add);
      }
      for (Payer payer : ran.keySet()) {
        assertThat(present.getOrDefault(payer, Spending.NONE).used().ticks())
            .as("%s since %s", payer, start)
            .isEqualTo(ran.get(payer));
        assertThat(all.getOrDefault(payer, Spending.NONE).used().ticks())
            .as("%s since %s", payer, before)
            .isEqualTo(everRan.get(payer));
      }
      assertThat(present.values().stream().reduce(Spending.NONE, Spending::plus))
          .matches(
              sum ->
                  new Use(sum.used(), sum.reserved()).equals(ledger.use(terms.window(), now, "")));
    }
  }
}
