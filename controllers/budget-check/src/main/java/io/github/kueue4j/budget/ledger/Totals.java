// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was spent, by the beginning of a piece of time and by payer, as a bounded number of sums: a
 * ledger is one object of the API.
 */
final class Totals {
  /** So many sums of the present window have a user; of further users all are booked as one. */
  static final int MOST_NAMED = 500;

  /** So many sums are kept of windows that have passed. */
  static final int MOST_PAST = 1000;

  /** How long they are kept at most. */
  static final Duration LONGEST_PAST = Duration.ofDays(400);

  private final TreeMap<Instant, Map<Payer, Amount>> sums;
  private final boolean past;

  private Totals(SortedMap<Instant, Map<Payer, Amount>> before, boolean past) {
    this.sums = new TreeMap<>(before);
    this.past = past;
  }

  static Totals present(SortedMap<Instant, Map<Payer, Amount>> before) {
    return new Totals(before, false);
  }

  static Totals past(SortedMap<Instant, Map<Payer, Amount>> before) {
    return new Totals(before, true);
  }

  void add(Instant from, Payer payer, Amount amount) {
    if (amount.isZero() && past) {
      return;
    }
    Map<Payer, Amount> slot = new HashMap<>(sums.getOrDefault(from, Map.of()));
    boolean full =
        payer.isNamed()
            && !slot.containsKey(payer)
            && named(past ? List.of(slot) : sums.values()) >= MOST_NAMED;
    slot.merge(full ? payer.ofOthers() : payer, amount, Amount::plus);
    sums.put(from, Map.copyOf(slot));
  }

  private static long named(Collection<Map<Payer, Amount>> slots) {
    return slots.stream().flatMap(slot -> slot.keySet().stream()).filter(Payer::isNamed).count();
  }

  /**
   * The sums. Of windows that have passed the oldest lose their users first, then they are dropped.
   */
  SortedMap<Instant, Map<Payer, Amount>> sums(Instant since) {
    if (!past) {
      return sums;
    }
    // The epoch: no window has been opened yet.
    sums.headMap(since.minus(LONGEST_PAST)).clear();
    for (Instant from : List.copyOf(sums.keySet())) {
      if (size() <= MOST_PAST) {
        return sums;
      }
      Map<Payer, Amount> byQueue = new HashMap<>();
      sums.get(from).forEach((payer, sum) -> byQueue.merge(payer.ofOthers(), sum, Amount::plus));
      sums.put(from, Map.copyOf(byQueue));
    }
    while (size() > MOST_PAST && sums.size() > 1) {
      sums.pollFirstEntry();
    }
    return sums;
  }

  private int size() {
    return sums.values().stream().mapToInt(Map::size).sum();
  }
}
