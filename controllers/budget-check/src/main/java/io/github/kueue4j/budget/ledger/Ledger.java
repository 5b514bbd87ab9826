// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The account of one namespace: what its Workloads have cost and may still cost. A value: each
 * operation gives another one.
 *
 * <p>A reservation counts in full in the window in which it is asked about: what has run in it as
 * spent, what may still run as reserved. So the sum never grows but by {@link #reserve}, and a new
 * window begins with what runs on.
 *
 * @param since when the present window began; the epoch before the first {@link #roll}
 * @param carried what was carried over into it, of the namespace's limit
 * @param spent what is settled, by the beginning of its slot and by payer
 * @param past what was settled of windows that have passed, by the beginning of the {@link
 *     Window#period} and by payer; it counts for no limit. What ran of open reservations is not in
 *     it yet
 * @param open what isn't settled yet, by the uid of the Workload
 * @param settled how often something was settled, so that it can be seen that something was
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Ledger(
    Instant since,
    Amount carried,
    SortedMap<Instant, Map<Payer, Amount>> spent,
    SortedMap<Instant, Map<Payer, Amount>> past,
    Map<String, Reservation> open,
    long settled) {

  /** More windows without any look at the ledger than this are counted as unused. */
  private static final int MOST_WINDOWS = 400;

  private static final Comparator<Reservation> OLDEST_FIRST =
      Comparator.comparing(Reservation::at).thenComparing(Reservation::uid);

  /** Keeps copies. */
  public Ledger {
    spent = Collections.unmodifiableSortedMap(new TreeMap<>(spent));
    past = Collections.unmodifiableSortedMap(new TreeMap<>(past));
    open = Map.copyOf(open);
  }

  /** One that knows of no window before. */
  public Ledger(
      Instant since,
      Amount carried,
      SortedMap<Instant, Map<Payer, Amount>> spent,
      Map<String, Reservation> open,
      long settled) {
    this(since, carried, spent, new TreeMap<>(), open, settled);
  }

  /** A ledger without anything in it. */
  public static Ledger empty() {
    return new Ledger(Instant.EPOCH, Amount.ZERO, new TreeMap<>(), Map.of(), 0);
  }

  /**
   * Opens the window of this time: what was spent in windows that have passed no longer counts. A
   * clock that is behind closes none.
   */
  public Ledger roll(Terms terms, Instant now) {
    Instant start = terms.window().start(now);
    if (!start.isAfter(since)) {
      return this;
    }
    Amount over = since.equals(Instant.EPOCH) ? Amount.ZERO : carriedInto(start, terms);
    Totals gone = new Totals(past);
    spent
        .headMap(start)
        .forEach(
            (from, sums) ->
                sums.forEach(
                    (payer, sum) -> gone.add(terms.window().period(from).from(), payer, sum)));
    return new Ledger(
        start, over, spent.tailMap(start), gone.past(start, Totals.MOST_PAST), open, settled);
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
   * The use of a limit in the window of this time.
   *
   * @param queue the LocalQueue; empty: the whole namespace
   */
  public Use use(Window window, Instant now, String queue) {
    Instant start = window.start(now);
    Use use = new Use(settledBetween(start, Instant.MAX, queue), Amount.ZERO);
    for (Reservation one : open.values()) {
      if (queue.isEmpty() || queue.equals(one.queue())) {
        use = use.plus(one.use(start, now));
      }
    }
    return use;
  }

  /** The use of a limit, with the measured consumption. */
  public Use use(Terms terms, Instant now, String queue) {
    return terms.measured(use(terms.window(), now, queue), queue);
  }

  private Amount settledBetween(Instant from, Instant to, String queue) {
    Amount sum = Amount.ZERO;
    for (Map<Payer, Amount> slot : spent.subMap(from, to).values()) {
      for (Map.Entry<Payer, Amount> one : slot.entrySet()) {
        if (queue.isEmpty() || queue.equals(one.getKey().queue())) {
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
   * stays as it is if the same is asked for, or if it runs already.
   */
  public Answer reserve(Reservation asked, Terms terms, Instant now) {
    @Nullable Reservation known = open.get(asked.uid());
    if (known != null && known.attempt().isAfter(asked.attempt())) {
      return new Answer.Superseded();
    }
    boolean again =
        known != null
            && known.attempt().equals(asked.attempt())
            && (known.startedAt() != null || known.asks(asked));
    Ledger before = again ? this : without(asked.uid());
    Ledger after =
        known != null && again ? knownTo(known, asked.claimant().check()) : before.with(asked);
    return new Judgement(before, terms, now, (at, queue) -> before.use(terms.window(), at, queue))
        .of(asked, after, again);
  }

  /**
   * Two checks that go by one policy, or one that was renamed, share a reservation: that one of
   * them has no entry then says nothing.
   */
  private Ledger knownTo(Reservation known, String check) {
    String former = known.claimant().check();
    return former.isEmpty() || former.equals(check) ? this : with(known.ofAnyCheck());
  }

  /** Its run has begun. */
  public Ledger start(String uid, Instant at) {
    return new LedgerEdit(this).start(uid, at).ledger();
  }

  /**
   * Its run is over: what ran is spent, the rest is given back.
   *
   * @param end when it stopped
   */
  public Ledger settle(String uid, Instant end, Terms terms) {
    return new LedgerEdit(this).settle(uid, end, terms).ledger();
  }

  /** The same with this reservation in place of the Workload's present one, if it has one. */
  public Ledger with(Reservation one) {
    Map<String, Reservation> all = new HashMap<>(open);
    all.put(one.uid(), one);
    return new Ledger(since, carried, spent, past, all, settled);
  }

  /** The same with half of its sums of windows that have passed: the oldest are given up. */
  public Ledger withHalfOfThePast() {
    return new Ledger(
        since,
        carried,
        spent,
        new Totals(past).past(since, Totals.number(past) / 2),
        open,
        settled);
  }

  /** The same with what counts for limits, whose users are given up. */
  public Ledger withoutUsers() {
    SortedMap<Instant, Map<Payer, Amount>> sums = new TreeMap<>();
    spent.forEach((from, slot) -> sums.put(from, Totals.withoutUsers(slot)));
    Map<String, Reservation> all = new HashMap<>();
    open.forEach((uid, one) -> all.put(uid, one.withoutUser()));
    return new Ledger(since, carried, sums, past, all, settled);
  }

  private Ledger without(String uid) {
    if (!open.containsKey(uid)) {
      return this;
    }
    Map<String, Reservation> all = new HashMap<>(open);
    all.remove(uid);
    return new Ledger(since, carried, spent, past, all, settled);
  }

  /**
   * The Workloads that have to end so that the limits are kept, by uid: the last that were let
   * through go first.
   */
  public Set<String> beyond(Terms terms, Instant now) {
    Instant start = terms.window().start(now);
    Map<Limit, Use> used = new HashMap<>();
    Set<String> beyond = new HashSet<>();
    for (Reservation one : open.values().stream().sorted(OLDEST_FIRST).toList()) {
      for (Limit limit : terms.concerning(one.queue())) {
        Use before =
            used.computeIfAbsent(
                limit,
                same -> new Use(settledBetween(start, Instant.MAX, limit.queue()), Amount.ZERO));
        Use with = before.plus(one.use(start, now));
        used.put(limit, with);
        if (terms.measured(with, limit.queue()).total().exceeds(effective(limit))) {
          beyond.add(one.uid());
        }
      }
    }
    return Set.copyOf(beyond);
  }
}
