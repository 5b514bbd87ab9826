// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The work queue of every controller. It replaces that of the client library, which drops delayed
 * adds when its buffer of 1,000 is full and keeps a key's failure count after a success.
 *
 * <p>A key has up to three timers, one per {@link Cause}, because they are cancelled differently: a
 * delayed add is always delivered, the result of a reconcile replaces the previous result, and a
 * success cancels the error backoff. The earliest timer adds the key.
 *
 * <p>One timer of the time source serves all keys: it is set for the earliest instant. The monitor
 * is never held while the time source is called, because its tasks take the monitor too.
 *
 * @param <K> an immutable key
 */
final class KeyQueue<K> implements WorkQueue<K> {

  /** Why a key has a timer. */
  private enum Cause {
    ADDED,
    REQUEUE,
    BACKOFF
  }

  /**
   * A key with a timer or failures. It is small, because there may be a hundred thousand of them.
   */
  private static final class Entry<K> {
    final K key;
    private @Nullable Instant added;
    private @Nullable Instant requeue;
    private @Nullable Instant backoff;

    /** The earliest of the three, by which the set is sorted; changed only while not in the set. */
    @Nullable Instant due;

    long sequence;
    int failures;

    /** The Retry-After of the failure that is being counted. */
    Duration patience = Duration.ZERO;

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
  private final ErrorBackoff backoff;

  // All guarded by this object's monitor.
  private final Queue<K> waiting = new ArrayDeque<>();
  private final Set<K> dirty = new HashSet<>();
  private final Set<K> processing = new HashSet<>();
  private final Map<K, Entry<K>> entries = new HashMap<>();
  private final TreeSet<Entry<K>> due =
      new TreeSet<>(
          Comparator.comparing((Entry<K> entry) -> entry.when())
              .thenComparing(entry -> entry.sequence));
  private long sequence;
  private boolean shuttingDown;
  private @Nullable Instant armedFor;
  private Cancellable armed = () -> {};

  KeyQueue(TimeSource time, ErrorBackoff backoff) {
    this.time = time;
    this.backoff = backoff;
  }

  @Override
  public synchronized void add(K key) {
    if (shuttingDown || !dirty.add(key)) {
      return;
    }
    if (!processing.contains(key)) {
      waiting.add(key);
      notify();
    }
  }

  @Override
  public void addAfter(K key, Duration delay) {
    addAt(key, time.instant().plus(delay));
  }

  @Override
  public void addAt(K key, Instant when) {
    set(key, Cause.ADDED, when, false);
  }

  @Override
  public void replaceTimer(K key, Instant when) {
    set(key, Cause.REQUEUE, when, true);
  }

  void replaceTimerAfter(K key, Duration delay) {
    replaceTimer(key, time.instant().plus(delay));
  }

  @Override
  public void cancelTimer(K key) {
    clear(key, Cause.REQUEUE);
  }

  /** Sets a lower bound for the delay of this key's next failure. */
  synchronized void delayNextFailure(K key, Duration atLeast) {
    entry(key).patience = atLeast;
  }

  /**
   * Counts a failure and adds the key after its error backoff or the lower bound, whichever is
   * later.
   */
  void addAfterFailure(K key) {
    Duration delay;
    synchronized (this) {
      Entry<K> entry = entry(key);
      entry.failures++;
      delay = backoff.after(entry.failures);
      delay = delay.compareTo(entry.patience) < 0 ? entry.patience : delay;
      entry.patience = Duration.ZERO;
    }
    set(key, Cause.BACKOFF, time.instant().plus(delay), true);
  }

  /** Resets the failure count and cancels a pending error backoff. */
  void forget(K key) {
    synchronized (this) {
      @Nullable Entry<K> entry = entries.get(key);
      if (entry != null) {
        entry.failures = 0;
      }
    }
    clear(key, Cause.BACKOFF);
  }

  /** The number of consecutive failures. */
  synchronized int failures(K key) {
    @Nullable Entry<K> entry = entries.get(key);
    return entry == null ? 0 : entry.failures;
  }

  /** Waits for a key; null once the queue shuts down. The caller must call {@link #done}. */
  synchronized @Nullable K take() throws InterruptedException {
    while (waiting.isEmpty() && !shuttingDown) {
      wait();
    }
    @Nullable K key = shuttingDown ? null : waiting.poll();
    if (key != null) {
      processing.add(key);
      dirty.remove(key);
    }
    return key;
  }

  /** Ends the processing of a key that was taken. */
  synchronized void done(K key) {
    processing.remove(key);
    if (dirty.contains(key) && !shuttingDown) {
      waiting.add(key);
      notify();
    }
  }

  /** Hands out no keys any more, cancels all timers, and wakes all waiting workers. */
  void shutDown() {
    Cancellable timer;
    synchronized (this) {
      shuttingDown = true;
      due.clear();
      entries.clear();
      armedFor = null;
      timer = armed;
      notifyAll();
    }
    timer.cancel();
  }

  /** Whether no key waits for a worker and no worker has one; timers don't count. */
  synchronized boolean isIdle() {
    return waiting.isEmpty() && processing.isEmpty();
  }

  synchronized boolean isShuttingDown() {
    return shuttingDown;
  }

  @Override
  public synchronized int length() {
    return waiting.size();
  }

  @Override
  public synchronized int timers() {
    return due.size();
  }

  private void set(K key, Cause cause, Instant when, boolean replace) {
    if (!when.isAfter(time.instant())) {
      clear(key, cause);
      add(key);
      return;
    }
    synchronized (this) {
      if (shuttingDown) {
        return;
      }
      Entry<K> entry = entry(key);
      @Nullable Instant before = entry.timer(cause);
      if (replace || before == null || when.isBefore(before)) {
        entry.timer(cause, when);
      }
      schedule(key);
    }
    arm();
  }

  private void clear(K key, Cause cause) {
    synchronized (this) {
      @Nullable Entry<K> entry = entries.get(key);
      if (entry == null) {
        return;
      }
      entry.timer(cause, null);
      schedule(key);
    }
    arm();
  }

  private Entry<K> entry(K key) {
    return entries.computeIfAbsent(key, Entry::new);
  }

  /** Updates the key's position in the set of timers. Requires the monitor. */
  private void schedule(K key) {
    Entry<K> entry = entry(key);
    if (entry.due != null) {
      due.remove(entry);
    }
    entry.due = entry.earliest();
    if (entry.due != null) {
      entry.sequence = sequence++;
      due.add(entry);
    } else if (entry.failures == 0) {
      entries.remove(key);
    }
  }

  /** Sets the timer for the earliest instant. */
  private void arm() {
    Instant when;
    Cancellable old;
    synchronized (this) {
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
    synchronized (this) {
      if (when.equals(armedFor)) {
        armed = timer;
        return;
      }
    }
    // Another thread has set the timer for another instant meanwhile: cancel this one.
    timer.cancel();
  }

  private void fire() {
    Instant now = time.instant();
    synchronized (this) {
      armedFor = null;
      armed = () -> {};
      while (!due.isEmpty() && !due.first().when().isAfter(now)) {
        K key = due.first().key;
        entry(key).dropUntil(now);
        schedule(key);
        add(key);
      }
    }
    arm();
  }
}
