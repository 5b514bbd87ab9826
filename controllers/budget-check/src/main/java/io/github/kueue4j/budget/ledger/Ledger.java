// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the Workloads of one namespace have cost and may still cost. A value: each operation gives
 * another one.
 *
 * <p>A reservation counts in full in the window in which it is asked about: what has run in it as
 * spent, what may still run as reserved. So the sum never grows but by {@link #reserve}, and a new
 * window begins with what runs on.
 *
 * @param since when the present window began; the epoch before the first {@link #roll}
 * @param carried what was carried over into it, of the namespace's limit
 * @param spent what is settled, by the beginning of its slot and the LocalQueue
 * @param open what isn't settled yet, by the uid of the Workload
 * @param settled how often something was settled, so that it can be seen that something was
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Ledger(
    Instant since,
    Amount carried,
    SortedMap<Instant, Map<String, Amount>> spent,
    Map<String, Reservation> open,
    long settled) {

  /** More windows without any look at the ledger than this are counted as unused. */
  private static final int MOST_WINDOWS = 400;

  private static final Comparator<Reservation> OLDEST_FIRST =
      Comparator.comparing(Reservation::at).thenComparing(Reservation::uid);

  /** Keeps copies. */
  public Ledger {
    spent = Collections.unmodifiableSortedMap(new TreeMap<>(spent));
    open = Map.copyOf(open);
  }

  /** A ledger without anything in it. */
  public static Ledger empty() {
    return new Ledger(Instant.EPOCH, Amount.ZERO, new TreeMap<>(), Map.of(), 0);
  }

  /**
   * Opens the window of this time: what was spent in windows that have passed is dropped. A clock
   * that is behind closes none.
   */
  public Ledger roll(Terms terms, Instant now) {
    Instant start = terms.window().start(now);
    if (!start.isAfter(since)) {
      return this;
    }
    Amount over = since.equals(Instant.EPOCH) ? Amount.ZERO : carriedInto(start, terms);
    return new Ledger(start, over, spent.tailMap(start), open, settled);
  }

  private Amount carriedInto(Instant start, Terms terms) {
    Optional<Amount> limit = terms.ofNamespace();
    if (limit.isEmpty() || terms.carryOver().isZero()) {
      return Amount.ZERO;
    }
    Amount over = carried;
    Instant from = since;
    for (int windows = 0; from.isBefore(start); windows++) {
      if (windows == MOST_WINDOWS) {
        return terms.carryOver().min(limit.get());
      }
      Instant to = terms.window().end(from);
      Amount used = settledBetween(from, to, "");
      for (Reservation one : open.values()) {
        used = used.plus(one.ran(from, to));
      }
      over = terms.carryOver().min(limit.get().plus(over).minus(used));
      from = to;
    }
    return over;
  }

  /**
   * What is used of a limit in the window of this time.
   *
   * @param queue the LocalQueue; empty: the whole namespace
   */
  public Use use(Window window, Instant now, String queue) {
    Instant start = window.start(now);
    Use use = new Use(settledBetween(start, Instant.MAX, queue), Amount.ZERO);
    for (Reservation one : open.values()) {
      if (queue.isEmpty() || queue.equals(one.queue())) {
        use = use.plus(new Use(one.ran(start, now), one.remaining(now)));
      }
    }
    return use;
  }

  /** What is used of a limit; of the namespace as a whole, with what was measured. */
  public Use use(Terms terms, Instant now, String queue) {
    Use use = use(terms.window(), now, queue);
    return queue.isEmpty() ? new Use(terms.measured().orElse(use.spent()), use.reserved()) : use;
  }

  private Amount settledBetween(Instant from, Instant to, String queue) {
    Amount sum = Amount.ZERO;
    for (Map<String, Amount> slot : spent.subMap(from, to).values()) {
      for (Map.Entry<String, Amount> one : slot.entrySet()) {
        if (queue.isEmpty() || queue.equals(one.getKey())) {
          sum = sum.plus(one.getValue());
        }
      }
    }
    return sum;
  }

  /** A limit with what was carried over. */
  public Amount effective(Limit limit) {
    return limit.queue().isEmpty() ? limit.amount().plus(carried) : limit.amount();
  }

  /**
   * Decides whether this fits, and reserves it if so. What is reserved already for the same attempt
   * stays as it is.
   */
  public Answer reserve(Reservation asked, Terms terms, Instant now) {
    @Nullable Reservation known = open.get(asked.uid());
    if (known != null && known.attempt().isAfter(asked.attempt())) {
      return new Answer.Superseded();
    }
    boolean again = known != null && known.attempt().equals(asked.attempt());
    Ledger before = again ? this : without(asked.uid());
    Ledger after = again ? this : before.with(asked);
    Answer.@Nullable Granted granted = null;
    Answer.@Nullable Exhausted exhausted = null;
    for (Limit limit : terms.concerning(asked.queue())) {
      Use use = before.use(terms, now, limit.queue());
      Amount most = effective(limit);
      if (!again && asked.cost().exceeds(limit.amount().plus(carriable(limit, terms)))) {
        return new Answer.NeverFits(limit.amount().plus(carriable(limit, terms)), limit.queue());
      }
      if (!again && exhausted == null && !fits(asked, use, most)) {
        exhausted =
            new Answer.Exhausted(
                most, limit.queue(), use, before.enoughAt(asked, limit, terms, now));
      }
      Amount left = most.minus(use.total()).minus(again ? Amount.ZERO : asked.cost());
      if (granted == null || granted.left().exceeds(left)) {
        granted = new Answer.Granted(after, left, most, limit.queue());
      }
    }
    if (exhausted != null) {
      return exhausted;
    }
    return granted == null ? new Answer.Granted(after, Amount.ZERO, Amount.ZERO, "") : granted;
  }

  private static Amount carriable(Limit limit, Terms terms) {
    return limit.queue().isEmpty() ? terms.carryOver() : Amount.ZERO;
  }

  /** What is charged as it runs needs at least something that is left. */
  private static boolean fits(Reservation asked, Use use, Amount most) {
    if (asked.rate().isFree()) {
      return true;
    }
    return asked.cost().isZero()
        ? most.exceeds(use.total())
        : !use.total().plus(asked.cost()).exceeds(most);
  }

  /** When what is settled has left the window far enough; open reservations may end any time. */
  private Instant enoughAt(Reservation asked, Limit limit, Terms terms, Instant now) {
    Window window = terms.window();
    // When what was measured leaves the window is not known.
    if (terms.measured().isPresent() || !(window instanceof Window.Rolling rolling)) {
      return window.end(now);
    }
    Amount most = effective(limit);
    for (Instant slot : spent.tailMap(window.start(now)).keySet()) {
      Instant gone = window.slot(slot).to().plus(rolling.length());
      if (fits(asked, use(window, gone, limit.queue()), most)) {
        return gone;
      }
    }
    return now.plus(rolling.length().dividedBy(4));
  }

  /** Its run has begun. */
  public Ledger start(String uid, Instant at) {
    @Nullable Reservation one = open.get(uid);
    return one == null || at.equals(one.startedAt()) ? this : with(one.started(at));
  }

  /**
   * Its run is over: what ran is spent, the rest is given back.
   *
   * @param end when it stopped
   */
  public Ledger settle(String uid, Instant end, Terms terms) {
    @Nullable Reservation one = open.get(uid);
    if (one == null) {
      return this;
    }
    TreeMap<Instant, Map<String, Amount>> totals = new TreeMap<>(spent);
    @Nullable Instant begun = one.startedAt();
    Instant from = begun != null && begun.isAfter(since) ? begun : since;
    while (begun != null && from.isBefore(end)) {
      Window.Slot slot = terms.window().slot(from);
      Instant to = slot.to().isBefore(end) ? slot.to() : end;
      Map<String, Amount> queues = new HashMap<>(totals.getOrDefault(slot.from(), Map.of()));
      queues.merge(one.queue(), one.ran(from, to), Amount::plus);
      totals.put(slot.from(), Map.copyOf(queues));
      from = slot.to();
    }
    return new Ledger(since, carried, totals, without(uid).open, settled + 1);
  }

  /** The same with this reservation in place of the Workload's present one, if it has one. */
  public Ledger with(Reservation one) {
    Map<String, Reservation> all = new HashMap<>(open);
    all.put(one.uid(), one);
    return new Ledger(since, carried, spent, all, settled);
  }

  private Ledger without(String uid) {
    if (!open.containsKey(uid)) {
      return this;
    }
    Map<String, Reservation> all = new HashMap<>(open);
    all.remove(uid);
    return new Ledger(since, carried, spent, all, settled);
  }

  /**
   * Whether this Workload is one of those that have to end so that the limits are kept: the last
   * that were let through go first.
   */
  public boolean isBeyond(String uid, Terms terms, Instant now) {
    @Nullable Reservation one = open.get(uid);
    if (one == null) {
      return false;
    }
    List<Reservation> order = new ArrayList<>(open.values());
    order.sort(OLDEST_FIRST);
    Map<String, Reservation> kept = new HashMap<>();
    for (Reservation other : order.subList(0, order.indexOf(one) + 1)) {
      kept.put(other.uid(), other);
    }
    Ledger upToIt = new Ledger(since, carried, spent, kept, settled);
    for (Limit limit : terms.concerning(one.queue())) {
      if (upToIt.use(terms, now, limit.queue()).total().exceeds(effective(limit))) {
        return true;
      }
    }
    return false;
  }
}
