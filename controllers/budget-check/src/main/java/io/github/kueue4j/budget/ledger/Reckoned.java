// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A ledger with what was reckoned of it: sums over thousands of reservations serve all who ask for
 * the same within a second, which is as fine as amounts are counted. Thread-safe, without a lock.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Reckoned {
  private static final int MOST_SUMS = 1000;

  private final Ledger ledger;
  private final Map<Asked, Use> sums = new ConcurrentHashMap<>();
  private volatile @Nullable Rolled lastRolled;
  private volatile @Nullable Beyond lastBeyond;

  private record Asked(Window window, long second, String queue) {}

  private record Rolled(Terms terms, Instant start, Ledger ledger) {}

  private record Beyond(Terms terms, long second, Set<String> uids) {}

  /** The reckoning of this ledger. */
  public Reckoned(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The ledger itself. */
  public Ledger ledger() {
    return ledger;
  }

  /** {@link Ledger#roll}. */
  public Ledger rolled(Terms terms, Instant now) {
    Instant start = terms.window().start(now);
    @Nullable Rolled last = lastRolled;
    if (last != null && last.start().equals(start) && last.terms().equals(terms)) {
      return last.ledger();
    }
    Ledger rolled = ledger.roll(terms, now);
    lastRolled = new Rolled(terms, start, rolled);
    return rolled;
  }

  /** {@link Ledger#use(Window, Instant, String)}. */
  public Use use(Window window, Instant now, String queue) {
    if (sums.size() > MOST_SUMS) {
      sums.clear();
    }
    // Not while the map is locked: that may take some milliseconds.
    Asked asked = new Asked(window, now.getEpochSecond(), queue);
    @Nullable Use known = sums.get(asked);
    if (known == null) {
      known = ledger.use(window, now, queue);
      sums.put(asked, known);
    }
    return known;
  }

  /** {@link Ledger#beyond}. */
  public Set<String> beyond(Terms terms, Instant now) {
    @Nullable Beyond last = lastBeyond;
    if (last != null && last.second() == now.getEpochSecond() && last.terms().equals(terms)) {
      return last.uids();
    }
    Set<String> uids = rolled(terms, now).beyond(terms, now);
    lastBeyond = new Beyond(terms, now.getEpochSecond(), uids);
    return uids;
  }

  /**
   * Judges whether this would fit, if others had reserved something besides.
   *
   * @param besides by LocalQueue; of the namespace as a whole under the empty one
   */
  public Answer judge(Reservation asked, Terms terms, Instant now, Map<String, Amount> besides) {
    @Nullable Reservation own = ledger.open().get(asked.uid());
    Judgement.Uses uses =
        (time, queue) -> {
          Use use = use(terms.window(), time, queue);
          if (own != null && (queue.isEmpty() || queue.equals(own.queue()))) {
            use = use.minus(own.use(terms.window().start(time), time));
          }
          return new Use(
              use.spent(), use.reserved().plus(besides.getOrDefault(queue, Amount.ZERO)));
        };
    Ledger present = rolled(terms, now);
    return new Judgement(present, terms, now, uses).of(asked, present, false);
  }
}
