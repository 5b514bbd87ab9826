// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TotalsTest {
  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final Terms TERMS =
      Terms.of(Window.rolling(Duration.ofDays(2)), Amount.units(10_000));

  /** A mass of ends in one edit reads each slot of sums once, and not once for each of them. */
  @Test
  void whatIsThereAlreadyIsReadOnceForManyEnds() {
    Instant start = TERMS.window().start(NOW);
    ReadSums sums = new ReadSums();
    TreeMap<Instant, Map<Payer, Amount>> spent = new TreeMap<>();
    for (int hour = 0; hour < 48; hour++) {
      spent.put(start.plus(Duration.ofHours(hour)), sums);
    }
    Map<String, Reservation> open = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      Reservation one = running("u" + i, "user" + i);
      open.put(one.uid(), one);
    }
    LedgerEdit edit = new LedgerEdit(new Ledger(start, Amount.ZERO, spent, open, 0));

    open.keySet().forEach(uid -> edit.settle(uid, NOW, TERMS));

    assertThat(edit.ledger().settled()).isEqualTo(300);
    assertThat(sums.reads).isLessThan(200);
  }

  @Test
  void nothingIsKeptOfWhatCostsNothing() {
    Reservation free =
        Reservation.of(
                new Reservation.Claimant("u", "w", new Payer("q", "ada"), ""),
                new Reservation.Charge(Rate.FREE, Duration.ofHours(1), true, "", null),
                NOW)
            .started(NOW);

    Ledger after =
        Ledger.empty().roll(TERMS, NOW).with(free).settle("u", NOW.plusSeconds(60), TERMS);

    assertThat(after.spent()).isEmpty();
  }

  private static Reservation running(String uid, String user) {
    return Reservations.limited(
            uid,
            new Payer("q", user),
            new Rate(BigInteger.valueOf(1_000_000)),
            Duration.ofHours(1),
            NOW)
        .started(NOW.minusSeconds(3600));
  }

  /** Sums that count how often they are gone through. */
  private static final class ReadSums extends AbstractMap<Payer, Amount> {
    private final Map<Payer, Amount> sums = Map.of(new Payer("q", "ada"), Amount.units(1));
    private int reads;

    @Override
    public Set<Entry<Payer, Amount>> entrySet() {
      reads++;
      return sums.entrySet();
    }
  }
}
