// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a {@link KeyQueue} that go by one time source.
 *
 * <p>One timer of the time source serves all keys: it is set for the earliest instant. The queue's
 * monitor, which guards everything here, is never held while the time source is called, because its
 * tasks take the monitor too.
 *
 * @param <K> an immutable key
 */
final class KeyTimers<K> {

  /** Why a key has a timer. */
  enum Cause {
    ADDED,
    REQUEUE,
    BACKOFF
  }

  /** A key with a timer. It is small, because there may be a hundred thousand of them. */
  private static final class Entry<K> {
    final K key;
    private @Nullable Instant added;
    private @Nullable Instant requeue;
    private @Nullable Instant backoff;

    /** The earliest of the three, by which the set is sorted; changed only while not in the set. */
    @Nullable Instant due;

    long sequence;

    Entry(K key) {
      this.key = key;
    }

    @Nullable Instant timer(Cause cause) {
      return switch (cause) {
        case ADDED -> added;
        case REQUEUE -> requeue;
        case BACKOFF -> backoff;
      };
    }

    void timer(Cause cause, @Nullable Instant when) {
      switch (cause) {
        case ADDED -> added = when;
        case REQUEUE -> requeue = when;
        case BACKOFF -> backoff = when;
      }
    }

    @Nullable Instant earliest() {
      @Nullable Instant first = added;
      for (Cause cause : Cause.values()) {
        @Nullable Instant when = timer(cause);
        first = first == null || (when != null && when.isBefore(first)) ? when : first;
      }
      return first;
    }

    void dropUntil(Instant now) {
      for (Cause cause : Cause.values()) {
        @Nullable Instant when = timer(cause);
        if (when != null && !when.isAfter(now)) {
          timer(cause, null);
        }
      }
    }

    /** When an entry of the set is due. */
    Instant when() {
      return Objects.requireNonNull(due);
    }
  }

  private final TimeSource time;
  private final KeyQueue<K> queue;

  // All guarded by the queue's monitor.
  private final Map<K, Entry<K>> entries = new HashMap<>();
  private final TreeSet<Entry<K>> due =
      new TreeSet<>(
          Comparator.comparing((Entry<K> entry) -> entry.when())
              .thenComparing(entry -> entry.sequence));
  private long sequence;
  private @Nullable Instant armedFor;
  private Cancellable armed = () -> {};

  KeyTimers(TimeSource time, KeyQueue<K> queue) {
    this.time = time;
    this.queue = queue;
  }

  /** Adds the key after this delay; see {@link #at}. */
  void after(K key, Cause cause, Duration delay, boolean replace) {
    at(key, cause, time.instant().plus(delay), replace);
  }

  /**
   * Adds the key at this instant, at once if it has passed.
   *
   * @param replace whether an earlier timer of this cause is put off
   */
  void at(K key, Cause cause, Instant when, boolean replace) {
    if (!when.isAfter(time.instant())) {
      clear(key, cause);
      queue.add(key);
      return;
    }
    synchronized (queue) {
      if (queue.isShuttingDown()) {
        return;
      }
      Entry<K> entry = entries.computeIfAbsent(key, Entry::new);
      @Nullable Instant before = entry.timer(cause);
      if (replace || before == null || when.isBefore(before)) {
        entry.timer(cause, when);
      }
      schedule(entry);
    }
    arm();
  }

  void clear(K key, Cause cause) {
    synchronized (queue) {
      @Nullable Entry<K> entry = entries.get(key);
      if (entry == null) {
        return;
      }
      entry.timer(cause, null);
      schedule(entry);
    }
    arm();
  }

  /** The number of keys with a timer. */
  int size() {
    synchronized (queue) {
      return due.size();
    }
  }

  /** Cancels all timers. */
  void shutDown() {
    Cancellable timer;
    synchronized (queue) {
      due.clear();
      entries.clear();
      armedFor = null;
      timer = armed;
    }
    timer.cancel();
  }

  /** Updates the key's position in the set of timers. Requires the monitor. */
  private void schedule(Entry<K> entry) {
    if (entry.due != null) {
      due.remove(entry);
    }
    entry.due = entry.earliest();
    if (entry.due != null) {
      entry.sequence = sequence++;
      due.add(entry);
    } else {
      entries.remove(entry.key);
    }
  }

  /** Sets the timer for the earliest instant. */
  private void arm() {
    Instant when;
    Cancellable old;
    synchronized (queue) {
      when = due.isEmpty() ? null : due.first().when();
      if (Objects.equals(when, armedFor)) {
        return;
      }
      armedFor = when;
      old = armed;
      armed = () -> {};
    }
    old.cancel();
    if (when == null) {
      return;
    }
    Cancellable timer = time.at(when, this::fire);
    if (!keep(timer, when)) {
      timer.cancel();
    } else if (!when.isAfter(time.instant())) {
      // Simulated time may have passed the instant before the timer was set, and stands still now.
      timer.cancel();
      fire();
    }
  }

  /** Whether the timer is the one to keep: another thread may have set another meanwhile. */
  private boolean keep(Cancellable timer, Instant when) {
    synchronized (queue) {
      if (!when.equals(armedFor)) {
        return false;
      }
      armed = timer;
      return true;
    }
  }

  private void fire() {
    Instant now = time.instant();
    synchronized (queue) {
      armedFor = null;
      armed = () -> {};
      while (!due.isEmpty() && !due.first().when().isAfter(now)) {
        Entry<K> entry = due.first();
        entry.dropUntil(now);
        schedule(entry);
        queue.add(entry.key);
      }
    }
    arm();
  }
}
