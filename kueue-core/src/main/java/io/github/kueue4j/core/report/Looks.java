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
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * When objects that change all the time are looked at: none within an interval after a look that
 * counted, and however often a look is asked for, it is put into the work queue once. Thread-safe.
 */
@API(status = API.Status.INTERNAL)
public final class Looks {
  private final InstantSource clock;
  private final Duration interval;
  private final Map<ObjectKey, Instant> last = new ConcurrentHashMap<>();
  private final Set<ObjectKey> awaited = ConcurrentHashMap.newKeySet();

  /**
   * Nothing was looked at yet.
   *
   * @param clock what the interval goes by, as do the delays of the controller that looks
   * @param interval shortest time between two looks at one object
   */
  public Looks(InstantSource clock, Duration interval) {
    this.clock = clock;
    this.interval = interval;
  }

  /** Asks for a look; true if it has to be put into the work queue, false if one is due anyway. */
  public boolean ask(ObjectKey key) {
    return awaited.add(key);
  }

  /**
   * Begins a look. Whoever asks from now on gets another one.
   *
   * @return empty if it may be done now, otherwise when to come back
   */
  Optional<Instant> begin(ObjectKey key) {
    Instant before = last.get(key);
    Instant now = clock.instant();
    // A clock that was set back must not make anybody wait until it comes there again.
    if (before != null && !now.isBefore(before) && now.isBefore(before.plus(interval))) {
      awaited.add(key);
      return Optional.of(before.plus(interval));
    }
    awaited.remove(key);
    return Optional.empty();
  }

  /** The look counts: the interval to the next one begins. */
  void looked(ObjectKey key) {
    last.put(key, clock.instant());
  }

  /** There is no such object any more. */
  void forget(ObjectKey key) {
    last.remove(key);
  }
}
