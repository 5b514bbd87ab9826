// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Reckoned;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes ledgers. A ledger is written as a whole, so the larger it is, the longer is the
 * least time between two writes: changes gather in memory until the next one is due, and are
 * written together. Those that are asked for while a write is under way are written together, too.
 *
 * <pre>{@code
 * Books.Entry<Answer> entry = books.change(name, now, ledger -> {
 *   Answer found = ledger.roll(terms, now).reserve(asked, terms, now);
 *   return found instanceof Answer.Granted granted
 *       ? Books.Outcome.onceStored(granted.after(), found)
 *       : Books.Outcome.atOnce(ledger, found);
 * });
 * }</pre>
 *
 * <p>What is gathered is lost if the process ends or a write fails. Nothing was answered that rests
 * on it, and all of it is found out again: an evaluation is repeated, and the upkeep of a ledger
 * goes by what Workloads are like.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Books {

  /**
   * A change of a ledger: a function of its value, which may be called several times.
   *
   * @param <T> what is answered
   */
  @FunctionalInterface
  public interface Change<T> {
    /** Gives the ledger as it is to be, and the answer. */
    Outcome<T> of(Ledger ledger);
  }

  /**
   * The outcome of a change.
   *
   * @param after equal to the ledger before if nothing is to be written
   * @param onceStored whether the answer may only be given when the ledger that it was found with
   *     is stored
   */
  public record Outcome<T>(Ledger after, T answer, boolean onceStored) {

    /** An answer that promises something. */
    public static <T> Outcome<T> onceStored(Ledger after, T answer) {
      return new Outcome<>(after, answer, true);
    }

    /** An answer that promises nothing. */
    public static <T> Outcome<T> atOnce(Ledger after, T answer) {
      return new Outcome<>(after, answer, false);
    }
  }

  /** The entry of a change, and its outcome. */
  public sealed interface Entry<T> {

    /** It is answered. */
    record Answered<T>(T answer) implements Entry<T> {}

    /**
     * It waits to be written with others: ask again then.
     *
     * @param dueIn positive
     */
    record Gathered<T>(Duration dueIn) implements Entry<T> {}
  }

  /** Tells what people see of a ledger. */
  @FunctionalInterface
  public interface Summarizer {
    /** The summary at this moment; empty if no policy tells what the ledger means. */
    Optional<Summary> of(LedgerName name, Ledger ledger, Instant now);
  }

  private final LedgerObjects objects;
  private final Summarizer summarizer;
  private final Map<LedgerName, Book> books = new ConcurrentHashMap<>();

  /** Books on these objects. */
  public Books(LedgerObjects objects, Summarizer summarizer) {
    this.objects = objects;
    this.summarizer = summarizer;
  }

  /**
   * Changes a ledger; one that doesn't exist is empty, and is created with the first change.
   *
   * @param now tells whether a write is due, and is for what people see
   * @throws InterruptedException if the thread is interrupted while it waits for its turn; the
   *     change may be written nevertheless
   * @throws RuntimeException if the API server refuses or can't be reached; whether the change was
   *     stored is not known then
   */
  public <T> Entry<T> change(LedgerName name, Instant now, Change<T> change)
      throws InterruptedException {
    return books
        .computeIfAbsent(name, key -> new Book(key, objects, summarizer))
        .change(new Request<>(change, now));
  }

  /** A ledger with what is gathered; empty if another process may have written it since. */
  public Optional<Reckoned> latest(LedgerName name) {
    @Nullable Book book = books.get(name);
    return book == null ? Optional.empty() : book.latest();
  }

  /** How long until what is gathered of a ledger can be written; empty: all is stored. */
  public Optional<Duration> dueIn(LedgerName name, Instant now) {
    @Nullable Book book = books.get(name);
    return book == null ? Optional.empty() : book.dueIn(now);
  }

  /** A watch shows this ledger: if another process has written it, it is read anew. */
  public void seen(LedgerName name, BudgetLedger ledger) {
    @Nullable Book book = books.get(name);
    if (book != null) {
      book.seen(ledger);
    }
  }

  /**
   * Drops what is kept in memory of a ledger: it is gone. A change that is under way is not
   * disturbed, and the next one reads the ledger anew.
   */
  public void forget(LedgerName name) {
    books.remove(name);
  }

  /** How many ledgers are kept in memory. */
  int size() {
    return books.size();
  }
}
