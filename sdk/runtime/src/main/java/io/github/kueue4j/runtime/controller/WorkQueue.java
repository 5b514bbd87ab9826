// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import java.time.Duration;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * The keys that wait for a worker, each at most once, and one timer per key.
 *
 * <p>A key that is added while a worker processes it is handed out again after that worker is done.
 * Delayed adds are never lost. Thread-safe.
 *
 * @param <K> an immutable key
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface WorkQueue<K> {

  /** Adds the key at once; no effect if it waits already. */
  void add(K key);

  /** {@link #addAt} the time source's now plus {@code delay}. */
  void addAfter(K key, Duration delay);

  /**
   * Adds the key at {@code when}, never earlier. Of several instants for a key the earliest
   * applies.
   */
  void addAt(K key, Instant when);

  /** Like {@link #addAt}, but replaces the key's timer, even with a later instant. */
  void replaceTimer(K key, Instant when);

  /** Removes the key's timer, if any. */
  void cancelTimer(K key);

  /** The number of keys that wait for a worker; timers don't count. */
  int length();

  /** The number of keys with a timer. */
  int timers();
}
