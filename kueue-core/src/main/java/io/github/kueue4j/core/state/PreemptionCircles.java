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
package io.github.kueue4j.core.state;

import io.github.kueue4j.core.queue.QueuedWorkload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Slows down Workloads that evict each other in turns. The rules permit that: fair sharing by the
 * shares before a preemption (KEP-1714), or borrowing while preempting, each together with
 * priorities within a queue. Every step makes sense by itself, so all that gives a circle away is
 * one Workload that has others evicted and is then evicted for others itself, over and over. From
 * the fourth time within twelve hours on, it has nobody evicted for a minute, two, four, and so on
 * up to an hour; quota that is free it gets at once, as ever.
 *
 * <p>What a core knows of this is lost when it ends. Belongs to the State's thread.
 */
final class PreemptionCircles {
  /** So often it may happen without consequences. */
  private static final int UNSUSPICIOUS = 3;

  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  /** How long each time counts: long enough that those of a circle an hour apart add up. */
  private static final Duration MEMORY = Duration.ofHours(12);

  /** More make no difference. */
  private static final int MOST_ROUNDS = UNSUSPICIOUS + 7;

  private boolean tookFromOthers;

  /** When it was evicted after it had others evicted, the oldest first. */
  private final Deque<Instant> rounds = new ArrayDeque<>(0);

  private @Nullable Instant peacefulUntil;

  /**
   * It got quota.
   *
   * @param byPreemption whether somebody was, or will be, evicted for it
   */
  void reserved(boolean byPreemption) {
    tookFromOthers = byPreemption;
  }

  /** It was evicted for others; returns until when it has nobody evicted, if that is so. */
  Optional<Instant> preempted(Instant now) {
    if (!tookFromOthers) {
      return Optional.empty();
    }
    tookFromOthers = false;
    rounds.removeIf(round -> now.isAfter(round.plus(MEMORY)));
    rounds.addLast(now);
    if (rounds.size() > MOST_ROUNDS) {
      rounds.removeFirst();
    }
    int tooMany = rounds.size() - UNSUSPICIOUS;
    peacefulUntil = tooMany > 0 ? now.plus(pause(tooMany - 1)) : null;
    return Optional.ofNullable(peacefulUntil);
  }

  private static Duration pause(int doublings) {
    // Beyond six doublings an hour is shorter anyway.
    Duration pause = SHORTEST.multipliedBy(1L << Math.min(doublings, 6));
    return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
  }

  /** How it takes part in scheduling now. */
  QueuedWorkload attempt(QueuedWorkload workload, Instant now) {
    return peacefulUntil != null && now.isBefore(peacefulUntil)
        ? workload.withoutPreemption()
        : workload;
  }
}
