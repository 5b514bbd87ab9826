// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import io.github.kueue4j.budget.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A change of a ledger, and what has become of it. Guarded by the turn of its {@link Book}. */
final class Request<T> {
  private final Books.Change<T> change;
  private final Instant now;
  private Books.@Nullable Outcome<T> outcome;
  private @Nullable Duration dueIn;
  private @Nullable RuntimeException failure;
  private boolean done;

  Request(Books.Change<T> change, Instant now) {
    this.change = change;
    this.now = now;
  }

  Instant now() {
    return now;
  }

  boolean isDone() {
    return done;
  }

  /** A change that fails changes nothing, and fails no other. */
  Ledger apply(Ledger ledger) {
    try {
      outcome = change.of(ledger);
      failure = null;
      return outcome.after().equals(ledger) ? ledger : outcome.after();
    } catch (RuntimeException e) {
      failure = e;
      return ledger;
    }
  }

  /** Whether its answer may only be given when what it rests on is stored. */
  boolean answersOnceStored() {
    return failure == null && outcome != null && outcome.onceStored();
  }

  /**
   * Whether this ledger is what such an answer rests on: the change gives one with it, too, and has
   * nothing left to enter.
   */
  boolean isEnteredIn(Ledger stored) {
    try {
      Books.Outcome<T> with = change.of(stored);
      return with.onceStored() && with.after().equals(stored);
    } catch (RuntimeException e) {
      // It was answered with what is gathered only.
      return false;
    }
  }

  /**
   * It was dealt with.
   *
   * @param until absent: its answer can be given; otherwise how long that has to wait
   */
  void end(@Nullable Duration until) {
    dueIn = until;
    done = true;
  }

  void fail(RuntimeException cause) {
    failure = cause;
    done = true;
  }

  Books.Entry<T> result() {
    if (failure != null) {
      throw failure;
    }
    if (dueIn != null) {
      return new Books.Entry.Gathered<>(dueIn);
    }
    if (outcome == null) {
      throw new IllegalStateException("a change of a ledger gave no answer");
    }
    return new Books.Entry.Answered<>(outcome.answer());
  }
}
