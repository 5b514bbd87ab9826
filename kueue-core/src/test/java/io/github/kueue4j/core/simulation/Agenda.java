// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
