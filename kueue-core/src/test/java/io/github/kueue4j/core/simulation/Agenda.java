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
package io.github.kueue4j.core.simulation;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time, and what is to happen when. */
final class Agenda {
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparingLong(Event::number));

  private Instant now;
  private long numbers;

  /** What is due at the same instant happens in the order in which it was asked for. */
  private record Event(Instant at, long number, Runnable action) {}

  Agenda(Instant start) {
    this.now = start;
  }

  Instant now() {
    return now;
  }

  void at(Instant when, Runnable action) {
    events.add(new Event(when, ++numbers, action));
  }

  /** Goes from event to event until there is none left, at most until {@code end}. */
  void run(Instant end, Runnable afterEach) {
    while (!events.isEmpty() && !events.peek().at().isAfter(end)) {
      Event event = events.remove();
      now = event.at();
      event.action().run();
      afterEach.run();
    }
  }
}
