// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The spent amounts, by the beginning of a piece of time and by payer, as a bounded number of sums:
 * a ledger is one object of the API.
 */
final class Totals {
  /** So many sums of a piece of time have a user; of further users all are booked as one. */
  static final int MOST_NAMED = 200;

  /** So many sums are kept of windows that have passed. */
  static final int MOST_PAST = 200;

  /** How long they are kept at most. */
  static final Duration LONGEST_PAST = Duration.ofDays(400);

  private final TreeMap<Instant, Map<Payer, Amount>> sums;
  private final Map<Instant, ChangedSums> changed = new HashMap<>();

  Totals(SortedMap<Instant, Map<Payer, Amount>> before) {
    this.sums = new TreeMap<>(before);
  }

  void add(Instant from, Payer payer, Amount amount) {
    if (!amount.isZero()) {
      changed
          .computeIfAbsent(from, at -> new ChangedSums(sums.getOrDefault(at, Map.of())))
          .add(payer, amount);
    }
  }

  /** The sums with what was added. */
  SortedMap<Instant, Map<Payer, Amount>> sums() {
    changed.forEach((from, slot) -> sums.put(from, Map.copyOf(slot.sums)));
    changed.clear();
    return sums;
  }

  /**
   * So many sums of windows that have passed. The oldest lose their users first, then they are
   * dropped.
   *
   * @param since when the present window began; the epoch: none has been opened yet
   */
  SortedMap<Instant, Map<Payer, Amount>> past(Instant since, int most) {
    sums().headMap(since.minus(LONGEST_PAST)).clear();
    for (Instant from : List.copyOf(sums.keySet())) {
      if (number(sums) <= most) {
        return sums;
      }
      sums.put(from, withoutUsers(sums.getOrDefault(from, Map.of())));
    }
    while (number(sums) > most) {
      sums.pollFirstEntry();
    }
    return sums;
  }

  static int number(Map<Instant, Map<Payer, Amount>> sums) {
    return sums.values().stream().mapToInt(Map::size).sum();
  }

  /** The same, with the users of a LocalQueue as one. */
  static Map<Payer, Amount> withoutUsers(Map<Payer, Amount> sums) {
    Map<Payer, Amount> byQueue = new HashMap<>();
    sums.forEach((payer, sum) -> byQueue.merge(payer.ofOthers(), sum, Amount::plus));
    return Map.copyOf(byQueue);
  }

  /** A copy that takes in many amounts. */
  private static final class ChangedSums {
    private static final Comparator<Map.Entry<Payer, Amount>> SMALLEST =
        Map.Entry.<Payer, Amount>comparingByValue().thenComparing(Map.Entry.comparingByKey());

    private final Map<Payer, Amount> sums;
    private int named;

    ChangedSums(Map<Payer, Amount> before) {
      sums = new HashMap<>(before);
      named = Math.toIntExact(sums.keySet().stream().filter(Payer::isNamed).count());
    }

    void add(Payer payer, Amount amount) {
      boolean fits = !payer.isNamed() || sums.containsKey(payer) || makesPlace(amount);
      sums.merge(fits ? payer : payer.ofOthers(), amount, Amount::plus);
    }

    /** For another user, whose first amount this is: a smaller one gives way. */
    private boolean makesPlace(Amount amount) {
      if (named < MOST_NAMED) {
        named++;
        return true;
      }
      Map.Entry<Payer, Amount> smallest =
          sums.entrySet().stream()
              .filter(one -> one.getKey().isNamed())
              .min(SMALLEST)
              .orElseThrow();
      if (!amount.exceeds(smallest.getValue())) {
        return false;
      }
      Payer payer = smallest.getKey();
      Amount sum = smallest.getValue();
      sums.remove(payer);
      sums.merge(payer.ofOthers(), sum, Amount::plus);
      return true;
    }
  }
}
