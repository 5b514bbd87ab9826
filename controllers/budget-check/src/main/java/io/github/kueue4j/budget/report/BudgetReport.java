// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.report;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Spending;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.budget.policy.BudgetSpec;
import io.github.kueue4j.budget.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The spending of each payer under one policy, as its ledgers know it.
 *
 * @param since from when on
 * @param until when the present window ends; empty: it is a rolling one
 * @param rows the largest first
 * @param total the sum of the rows
 * @param keptSince of namespaces whose ledger has nothing of the beginning, although it is older:
 *     from when on it has something
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BudgetReport(
    Instant since,
    Optional<Instant> until,
    List<Row> rows,
    Row total,
    SortedMap<String, Instant> keptSince) {

  /** A forecast goes by what was used since the beginning of the window that was so long ago. */
  private static final Duration RECENT = Duration.ofDays(7);

  /** With less than this part of a window nothing can be foreseen. */
  private static final int LEAST_PART = 10;

  /**
   * A ledger.
   *
   * @param queue the LocalQueue to which the report is limited; empty: all
   * @param created when something was booked for the first time
   * @param terms its limits; without any for none
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Source(
      String namespace, String queue, Ledger ledger, Instant created, Terms terms) {

    /**
     * One that was read.
     *
     * @param queue the LocalQueue to which the report is limited; empty: all
     * @param budgets those of the namespace that name this policy
     */
    public static Source of(
        Policy policy, BudgetLedger ledger, String queue, List<BudgetSpec> budgets) {
      return new Source(
          LedgerName.of(ObjectKey.of(ledger)).map(LedgerName::namespace).orElse(""),
          queue,
          ledger.ledger(),
          ledger.created(),
          policy.terms(budgets).orElseGet(() -> Terms.unlimited(policy.window())));
    }

    /** Nothing of the time before this is in it; the epoch if it is empty. */
    private Instant oldest() {
      return ledger.past().isEmpty() ? ledger.since() : ledger.past().firstKey();
    }

    /**
     * The use in windows, or days of a rolling one, that have passed, also by what still runs.
     *
     * @param windows how many before the present one, each of which is in the answer
     */
    public SortedMap<Instant, Amount> past(int windows, Instant now) {
      Window window = terms.window();
      Ledger rolled = ledger.roll(terms, now);
      SortedMap<Instant, Amount> used = new TreeMap<>();
      Instant to = window.start(now);
      for (int i = 0; i < windows; i++) {
        Instant from = window.period(to.minusSeconds(1)).from();
        used.put(from, usedBetween(rolled, from, to));
        to = from;
      }
      return used;
    }

    private Amount usedBetween(Ledger rolled, Instant from, Instant to) {
      Amount sum = Amount.ZERO;
      for (Map<Payer, Amount> sums : rolled.past().subMap(from, to).values()) {
        for (Map.Entry<Payer, Amount> one : sums.entrySet()) {
          sum = has(one.getKey()) ? sum.plus(one.getValue()) : sum;
        }
      }
      for (Reservation one : rolled.open().values()) {
        sum = has(one.claimant().payer()) ? sum.plus(one.ran(from, to)) : sum;
      }
      return sum;
    }

    private boolean has(Payer payer) {
      return queue.isEmpty() || queue.equals(payer.queue());
    }
  }

  /** By what the rows are. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum By {
    /** One row for each namespace. */
    NAMESPACE,
    /** One for each LocalQueue. */
    QUEUE,
    /** One for each user of all namespaces. */
    USER,
    /** One for each user of each LocalQueue. */
    PAYER
  }

  /**
   * The payer.
   *
   * @param namespace empty: all
   * @param payer with what is told apart
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Who(String namespace, Payer payer) implements Comparable<Who> {
    private static final Comparator<Who> ORDER =
        Comparator.comparing(Who::namespace).thenComparing(Who::payer);

    static Who of(By by, String namespace, Payer payer) {
      return switch (by) {
        case NAMESPACE -> new Who(namespace, new Payer("", ""));
        case QUEUE -> new Who(namespace, new Payer(payer.queue(), ""));
        case USER -> new Who("", new Payer("", payer.user()));
        case PAYER -> new Who(namespace, payer);
      };
    }

    @Override
    public int compareTo(Who other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * The use by one of those who pay.
   *
   * @param forecast what {@code used} is expected to be when the present window ends; empty: not
   *     known
   * @param limit of the present window; empty: there is none, or the time is another
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Row(Who who, Spending account, Optional<Amount> forecast, Optional<Amount> limit) {
    private Row plus(Row other) {
      return new Row(
          who,
          account.plus(other.account),
          forecast.flatMap(one -> other.forecast.map(one::plus)),
          limit.or(other::limit));
    }
  }

  /** Keeps a copy. */
  public BudgetReport {
    rows = List.copyOf(rows);
    keptSince = Collections.unmodifiableSortedMap(new TreeMap<>(keptSince));
  }

  /**
   * Adds up.
   *
   * @param asked from when on; empty: the present window. What is kept before that is kept by days,
   *     weeks or months: the one that this moment belongs to counts in full
   */
  public static BudgetReport of(
      Policy policy, Collection<Source> sources, By by, Optional<Instant> asked, Instant now) {
    return of(policy.window(), sources, by, asked, now);
  }

  static BudgetReport of(
      Window window, Collection<Source> sources, By by, Optional<Instant> asked, Instant now) {
    Instant start = window.start(now);
    Instant from =
        asked.map(since -> window.period(since).from()).filter(start::isAfter).orElse(start);
    Optional<Instant> until =
        window instanceof Window.Rolling ? Optional.empty() : Optional.of(window.end(now));
    SortedMap<Who, Row> rows = new TreeMap<>();
    Row total =
        new Row(
            new Who("", new Payer("", "")),
            Spending.NONE,
            until.filter(end -> !sources.isEmpty()).map(end -> Amount.ZERO),
            Optional.empty());
    SortedMap<String, Instant> keptSince = new TreeMap<>();
    for (Source source : sources) {
      if (source.oldest().isAfter(from) && source.oldest().isAfter(source.created())) {
        keptSince.put(source.namespace(), source.oldest());
      }
      Optional<Recent> recent = until.flatMap(end -> Recent.of(window, source, end, now));
      Ledger ledger = source.ledger().roll(source.terms(), now);
      Map<Payer, Amount> more =
          recent.map(lately -> lately.more(ledger, window, now)).orElseGet(Map::of);
      SortedMap<Payer, Spending> accounts = Spending.of(ledger, window, from, now);
      more.keySet().forEach(payer -> accounts.putIfAbsent(payer, Spending.NONE));
      for (Map.Entry<Payer, Spending> one : accounts.entrySet()) {
        if (!source.has(one.getKey())) {
          continue;
        }
        Who who = Who.of(by, source.namespace(), one.getKey());
        Amount used = one.getValue().used();
        Amount ahead = more.getOrDefault(one.getKey(), Amount.ZERO);
        Row row =
            new Row(
                who,
                one.getValue(),
                recent.map(lately -> used.plus(ahead)),
                from.equals(start) ? limit(by, who, ledger, source.terms()) : Optional.empty());
        rows.merge(who, row, Row::plus);
        total = total.plus(new Row(who, row.account(), row.forecast(), Optional.empty()));
      }
    }
    List<Row> largest = new ArrayList<>(rows.values());
    largest.sort(Comparator.comparing((Row row) -> row.account().used()).reversed());
    return new BudgetReport(from, until, largest, total, keptSince);
  }

  /**
   * The time whose use tells about what will be of one ledger.
   *
   * @param from the beginning of a window
   * @param days since then, or since what the ledger knows of
   */
  private record Recent(Instant from, Duration days) {
    /** Empty: too little is known. */
    static Optional<Recent> of(Window window, Source source, Instant end, Instant now) {
      Instant start = window.start(now);
      Instant before = window.period(now.minus(RECENT)).from();
      Instant from = before.isBefore(start) ? before : start;
      Duration least = Duration.between(start, end).dividedBy(LEAST_PART);
      return Stream.of(from, source.created(), source.oldest())
          .max(Comparator.naturalOrder())
          .map(known -> Duration.between(known, now))
          .filter(days -> days.compareTo(least) >= 0)
          .map(days -> new Recent(from, days));
    }

    /** The expected further use of each until the present window ends. */
    Map<Payer, Amount> more(Ledger ledger, Window window, Instant now) {
      Duration left = Duration.between(now, window.end(now));
      Map<Payer, Amount> more = new HashMap<>();
      Spending.of(ledger, window, from, now)
          .forEach((payer, lately) -> more.put(payer, lately.more(days, left)));
      return more;
    }
  }

  private static Optional<Amount> limit(By by, Who who, Ledger ledger, Terms terms) {
    if (by == By.USER || by == By.PAYER) {
      return Optional.empty();
    }
    String queue = who.payer().queue();
    return (by == By.QUEUE ? terms.concerning(queue) : terms.limits())
        .stream().filter(one -> one.queue().equals(queue)).map(ledger::effective).findFirst();
  }
}
