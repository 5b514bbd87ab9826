// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import io.github.kueue4j.budget.ledger.Ledger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes ledgers. A change is on the server before {@link #change} returns. Changes of
 * one ledger that are asked for at the same time are written together: while one write is under
 * way, the next ones gather.
 *
 * <pre>{@code
 * Answer answer = books.change(name, now, ledger -> {
 *   Answer found = ledger.roll(terms, now).reserve(asked, terms, now);
 *   return new Books.Outcome<>(found instanceof Answer.Granted granted ? granted.after() : ledger, found);
 * });
 * }</pre>
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Books {

  private static final int TRIES = 10;

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
   * What comes of a change.
   *
   * @param after equal to the ledger before if nothing is to be written
   */
  public record Outcome<T>(Ledger after, T answer) {}

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
   * @param now for what people see
   * @throws InterruptedException if the thread is interrupted while it waits for its turn; the
   *     change may be written nevertheless
   * @throws RuntimeException if the API server refuses or can't be reached; whether the change was
   *     stored is not known then
   */
  public <T> T change(LedgerName name, Instant now, Change<T> change) throws InterruptedException {
    return books.computeIfAbsent(name, Book::new).change(new Request<>(change, now));
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

  /** A change that waits to be written, or was. */
  private static final class Request<T> {
    private final Change<T> change;
    private final Instant now;
    private @Nullable T answer;
    private @Nullable RuntimeException failure;
    private boolean done;

    Request(Change<T> change, Instant now) {
      this.change = change;
      this.now = now;
    }

    /** A change that fails changes nothing, and fails no other. */
    Ledger apply(Ledger ledger) {
      try {
        Outcome<T> outcome = change.of(ledger);
        failure = null;
        answer = outcome.answer();
        return outcome.after();
      } catch (RuntimeException e) {
        failure = e;
        return ledger;
      }
    }

    void end(@Nullable RuntimeException cause) {
      failure = cause == null ? failure : cause;
      done = true;
    }

    T result() {
      if (failure != null) {
        throw failure;
      }
      if (answer == null) {
        throw new IllegalStateException("a change of a ledger gave no answer");
      }
      return answer;
    }
  }

  /** One ledger. */
  private final class Book {
    private final LedgerName name;
    private final ConcurrentLinkedQueue<Request<?>> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock turn = new ReentrantLock();
    // As last read or written; guarded by the turn, as the fields of requests are.
    private @Nullable BudgetLedger known;

    Book(LedgerName name) {
      this.name = name;
    }

    <T> T change(Request<T> request) throws InterruptedException {
      waiting.add(request);
      try {
        turn.lockInterruptibly();
      } catch (InterruptedException e) {
        waiting.remove(request);
        throw e;
      }
      try {
        if (!request.done) {
          serveAll();
        }
        return request.result();
      } finally {
        turn.unlock();
      }
    }

    private void serveAll() {
      List<Request<?>> batch = new ArrayList<>();
      for (Request<?> next = waiting.poll(); next != null; next = waiting.poll()) {
        batch.add(next);
      }
      @Nullable RuntimeException failure = null;
      try {
        write(batch);
      } catch (RuntimeException e) {
        // What was stored is not known: read before the next change.
        known = null;
        failure = e;
      }
      for (Request<?> request : batch) {
        request.end(failure);
      }
    }

    private void write(List<Request<?>> batch) {
      for (int attempt = 1; attempt <= TRIES; attempt++) {
        BudgetLedger base = known();
        Ledger before = base.ledger();
        Ledger after = before;
        for (Request<?> request : batch) {
          after = request.apply(after);
        }
        if (after.equals(before)) {
          return;
        }
        Instant now = batch.getLast().now;
        Optional<BudgetLedger> stored =
            objects.replace(
                base.with(after, summarizer.of(name, after, now).orElseGet(Summary::none)));
        known = stored.orElse(null);
        if (stored.isPresent()) {
          return;
        }
      }
      throw new IllegalStateException(
          "the BudgetLedger '"
              + name.key().name()
              + "' changed during each of "
              + TRIES
              + " tries to write it: let only one replica lead (--leader-elect)");
    }

    private BudgetLedger known() {
      if (known == null) {
        known =
            objects
                .get(name.key())
                .orElseGet(() -> objects.createIfAbsent(BudgetLedger.empty(name)));
      }
      return known;
    }
  }
}
