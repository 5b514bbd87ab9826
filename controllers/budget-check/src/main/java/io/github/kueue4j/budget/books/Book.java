// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Reckoned;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One ledger: what is stored of it, and what is gathered for the next write. */
final class Book {
  private static final int TRIES = 10;

  /** A ledger of this many bytes, some 60 open reservations, is written with each change. */
  private static final long SMALL = 16 * 1024;

  /** What is beyond that may be written so fast. */
  private static final long BYTES_PER_SECOND = 256 * 1024;

  /** As it is stored, and with the changes that are not written yet. */
  private record Known(
      BudgetLedger object,
      Ledger stored,
      Ledger latest,
      List<Request<?>> gathered,
      Reckoned reckoned) {
    Known(BudgetLedger object, Ledger stored, Ledger latest, List<Request<?>> gathered) {
      this(object, stored, latest, gathered, new Reckoned(latest));
    }

    static Known of(BudgetLedger object) {
      Ledger stored = object.ledger();
      return new Known(object, stored, stored, List.of());
    }

    Known with(Ledger other, List<Request<?>> unwritten) {
      return new Known(object, stored, other, List.copyOf(unwritten));
    }
  }

  private final LedgerName name;
  private final LedgerObjects objects;
  private final Books.Summarizer summarizer;
  private final ConcurrentLinkedQueue<Request<?>> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock turn = new ReentrantLock();
  private final AtomicLong seenGeneration = new AtomicLong();

  // Written by the one whose turn it is; null: to be read.
  private volatile @Nullable Known known;
  private volatile Instant writtenAt = Instant.MIN;
  private volatile Duration interval = Duration.ZERO;

  Book(LedgerName name, LedgerObjects objects, Books.Summarizer summarizer) {
    this.name = name;
    this.objects = objects;
    this.summarizer = summarizer;
  }

  /** The least time between two writes of a ledger of this size, without accounts. */
  static Duration interval(long bytes) {
    return Duration.ofMillis(Math.max(0, bytes - SMALL) * 1000 / BYTES_PER_SECOND);
  }

  <T> Books.Entry<T> change(Request<T> request) throws InterruptedException {
    waiting.add(request);
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      waiting.remove(request);
      throw e;
    }
    try {
      if (!request.isDone()) {
        serveAll();
      }
      return request.result();
    } finally {
      turn.unlock();
    }
  }

  Optional<Reckoned> latest() {
    @Nullable Known now = known;
    return now == null || isOutdated(now) ? Optional.empty() : Optional.of(now.reckoned());
  }

  Optional<Duration> dueIn(Instant now) {
    @Nullable Known kept = known;
    return kept == null || kept.gathered().isEmpty() ? Optional.empty() : Optional.of(left(now));
  }

  void seen(BudgetLedger ledger) {
    seenGeneration.accumulateAndGet(ledger.generation(), Math::max);
  }

  private boolean isOutdated(Known kept) {
    return kept.object().generation() < seenGeneration.get();
  }

  /** How long until the next write is due; a clock that was set back doesn't prolong that. */
  private Duration left(Instant now) {
    if (now.isBefore(writtenAt) || writtenAt.equals(Instant.MIN)) {
      return Duration.ZERO;
    }
    Duration left = Duration.between(now, writtenAt.plus(interval));
    return left.isPositive() ? left : Duration.ZERO;
  }

  private void serveAll() {
    List<Request<?>> batch = new ArrayList<>();
    for (Request<?> next = waiting.poll(); next != null; next = waiting.poll()) {
      batch.add(next);
    }
    Instant now = batch.getLast().now();
    try {
      Known after = serve(batch, now);
      known = after;
      for (Request<?> request : batch) {
        boolean waits =
            !after.gathered().isEmpty()
                && request.answersOnceStored()
                && (after.gathered().contains(request) || !request.isEnteredIn(after.stored()));
        request.end(waits ? left(now) : null);
      }
    } catch (RuntimeException e) {
      // What was stored is not known: read before the next change.
      known = null;
      batch.forEach(request -> request.fail(e));
    }
  }

  private Known serve(List<Request<?>> batch, Instant now) {
    @Nullable Known before = known;
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      if (before == null || isOutdated(before)) {
        before = read(before == null ? List.of() : before.gathered());
      }
      Known after = entered(before, batch);
      if (after.gathered().isEmpty() || after.latest().equals(after.stored())) {
        return after.with(after.latest(), List.of());
      }
      if (left(now).isPositive()) {
        return after;
      }
      Optional<Known> written = write(after, now);
      if (written.isPresent()) {
        return written.get();
      }
      before = read(before.gathered());
    }
    throw new IllegalStateException(
        "the BudgetLedger '%s' changed during each of %s tries to write it: let only one replica lead (--leader-elect)"
            .formatted(name.key().name(), TRIES));
  }

  private static Known entered(Known before, List<Request<?>> batch) {
    List<Request<?>> unwritten = new ArrayList<>(before.gathered());
    Ledger ledger = before.latest();
    for (Request<?> request : batch) {
      Ledger next = request.apply(ledger);
      if (!Objects.equals(next, ledger)) {
        unwritten.add(request);
      }
      ledger = next;
    }
    return before.with(ledger, unwritten);
  }

  private Known read(List<Request<?>> gathered) {
    // What was seen of it before may be deleted by now, and another one counts from the beginning.
    seenGeneration.set(0);
    BudgetLedger object =
        objects.get(name.key()).orElseGet(() -> objects.createIfAbsent(BudgetLedger.empty(name)));
    return entered(Known.of(object), gathered);
  }

  private Optional<Known> write(Known unwritten, Instant now) {
    Ledger ledger = BudgetLedger.fitting(unwritten.latest());
    Summary summary = summarizer.of(name, ledger, now).orElseGet(Summary::none);
    Optional<BudgetLedger> stored = objects.replace(unwritten.object().with(ledger, summary));
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    writtenAt = now;
    interval = interval(BudgetLedger.sizeOfLimits(ledger));
    return Optional.of(new Known(stored.get(), ledger, ledger, List.of()));
  }
}
