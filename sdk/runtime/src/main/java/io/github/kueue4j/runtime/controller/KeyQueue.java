// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.ErrorBackoff;
import io.github.kueue4j.runtime.controller.KeyTimers.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The work queue of every controller. It replaces that of the client library, which drops delayed
 * adds when its buffer of 1,000 is full and keeps a key's failure count after a success.
 *
 * <p>A key has up to three timers, one per {@link KeyTimers.Cause}, because they are cancelled
 * differently: a delayed add is always delivered, the result of a reconcile replaces the previous
 * result, and a success cancels the error backoff. The earliest timer adds the key.
 *
 * <p>Instants go by the clock, delays by what isn't set with it: after a step back of an hour, a
 * failure is retried after its backoff, not an hour later.
 *
 * @param <K> an immutable key
 */
final class KeyQueue<K> implements WorkQueue<K> {

  /** The failures of a key since its last success. */
  private static final class Failures {
    int count;

    /** The Retry-After of the failure that is being counted. */
    Duration patience = Duration.ZERO;
  }

  private final ErrorBackoff backoff;
  private final KeyTimers<K> instants;

  /** The same as {@link #instants} where the clock isn't set. */
  private final KeyTimers<K> delays;

  // All guarded by this object's monitor.
  private final WaitingKeys<K> waiting;
  private final Set<K> dirty = new HashSet<>();
  private final Set<K> processing = new HashSet<>();
  private final Map<K, Failures> failures = new HashMap<>();
  private boolean shuttingDown;

  /**
   * The workers that wait, the first one longest. They park: a virtual thread that waits for a
   * monitor's notification is made runnable by a thread of the JVM, in an order that no simulation
   * can decide.
   */
  private final Deque<Thread> idle = new ArrayDeque<>();

  KeyQueue(TimeSource time, ErrorBackoff backoff) {
    this(time, backoff, null);
  }

  /** A queue whose keys belong to groups, which share its workers. */
  @SuppressWarnings("this-escape") // The timers call back only once there is one.
  KeyQueue(TimeSource time, ErrorBackoff backoff, WaitingKeys.@Nullable Sharing<K> sharing) {
    this.backoff = backoff;
    this.waiting = new WaitingKeys<>(sharing);
    this.instants = new KeyTimers<>(time, this);
    TimeSource steady = time.steady();
    this.delays = steady.equals(time) ? instants : new KeyTimers<>(steady, this);
  }

  @Override
  public synchronized void add(K key) {
    if (shuttingDown) {
      return;
    }
    if (!dirty.add(key)) {
      waiting.raise(key);
    } else if (!processing.contains(key)) {
      waiting.add(key);
      wakeOne();
    }
  }

  /**
   * Adds the key behind those that were added without this; no effect if it waits already. {@link
   * #add} brings it forward.
   */
  synchronized void addLowPriority(K key) {
    if (!shuttingDown && dirty.add(key) && !processing.contains(key)) {
      waiting.addLowPriority(key);
      wakeOne();
    }
  }

  @Override
  public void addAfter(K key, Duration delay) {
    delays.after(key, Cause.ADDED, delay, false);
  }

  @Override
  public void addAt(K key, Instant when) {
    instants.at(key, Cause.ADDED, when, false);
  }

  @Override
  public void replaceTimer(K key, Instant when) {
    if (delays != instants) {
      delays.clear(key, Cause.REQUEUE);
    }
    instants.at(key, Cause.REQUEUE, when, true);
  }

  /** Like {@link #replaceTimer}, with an instant of {@link TimeSource#steady}. */
  void replaceSteadyTimer(K key, Instant when) {
    if (delays != instants) {
      instants.clear(key, Cause.REQUEUE);
    }
    delays.at(key, Cause.REQUEUE, when, true);
  }

  void replaceTimerAfter(K key, Duration delay) {
    if (delays != instants) {
      instants.clear(key, Cause.REQUEUE);
    }
    delays.after(key, Cause.REQUEUE, delay, true);
  }

  @Override
  public void cancelTimer(K key) {
    instants.clear(key, Cause.REQUEUE);
    delays.clear(key, Cause.REQUEUE);
  }

  /** Sets a lower bound for the delay of this key's next failure. */
  synchronized void delayNextFailure(K key, Duration atLeast) {
    failuresOf(key).patience = atLeast;
  }

  /**
   * Counts a failure and adds the key after its error backoff or the lower bound, whichever is
   * later.
   */
  void addAfterFailure(K key) {
    Duration delay;
    synchronized (this) {
      Failures known = failuresOf(key);
      known.count++;
      delay = backoff.after(known.count);
      delay = delay.compareTo(known.patience) < 0 ? known.patience : delay;
      known.patience = Duration.ZERO;
    }
    delays.after(key, Cause.BACKOFF, delay, true);
  }

  private Failures failuresOf(K key) {
    return failures.computeIfAbsent(key, unknown -> new Failures());
  }

  /** Resets the failure count and cancels a pending error backoff. */
  void forget(K key) {
    synchronized (this) {
      failures.remove(key);
    }
    delays.clear(key, Cause.BACKOFF);
  }

  /** The number of consecutive failures. */
  synchronized int failures(K key) {
    @Nullable Failures known = failures.get(key);
    return known == null ? 0 : known.count;
  }

  /** Waits for a key; null once the queue shuts down. The caller must call {@link #done}. */
  @Nullable K take() throws InterruptedException {
    while (true) {
      synchronized (this) {
        idle.remove(Thread.currentThread());
        @Nullable K key = shuttingDown ? null : waiting.poll();
        if (key != null) {
          processing.add(key);
          dirty.remove(key);
        }
        if (key != null || shuttingDown) {
          return key;
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        idle.add(Thread.currentThread());
      }
      LockSupport.park(this);
    }
  }

  /** Requires the monitor. */
  private void wakeOne() {
    @Nullable Thread worker = idle.poll();
    if (worker != null) {
      LockSupport.unpark(worker);
    }
  }

  /** Ends the processing of a key that was taken. */
  synchronized void done(K key) {
    if (processing.remove(key)) {
      waiting.done(key);
    }
    if (dirty.contains(key) && !shuttingDown) {
      waiting.add(key);
    }
    if (waiting.size() > 0) {
      wakeOne(); // A group may have got a worker back.
    }
  }

  /** Hands out no keys any more, cancels all timers, and wakes all waiting workers. */
  void shutDown() {
    synchronized (this) {
      shuttingDown = true;
      failures.clear();
      idle.forEach(LockSupport::unpark);
    }
    instants.shutDown();
    delays.shutDown();
  }

  /** Whether no key waits for a worker and no worker has one; timers don't count. */
  synchronized boolean isIdle() {
    return waiting.size() == 0 && processing.isEmpty();
  }

  synchronized boolean isShuttingDown() {
    return shuttingDown;
  }

  @Override
  public synchronized int length() {
    return waiting.size();
  }

  @Override
  public int timers() {
    return delays == instants ? instants.size() : instants.size() + delays.size();
  }
}
