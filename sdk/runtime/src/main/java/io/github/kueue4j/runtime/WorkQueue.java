/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime;

import java.time.Duration;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * The keys that wait for a worker, each at most once, and one timer per key.
 *
 * <p>A key that is added while a worker has it is handed out again after that worker is done.
 * Delayed adds are never lost. Safe for use by many threads.
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
   * Adds the key at {@code when}, never before. Of several instants for a key the earliest wins.
   */
  void addAt(K key, Instant when);

  /** Like {@link #addAt} but replaces the key's timer, also by a later instant. */
  void replaceTimer(K key, Instant when);

  /** Removes the key's timer, if any. */
  void cancelTimer(K key);

  /** How many keys wait for a worker now; timers don't count. */
  int length();

  /** How many keys have a timer. */
  int timers();
}
