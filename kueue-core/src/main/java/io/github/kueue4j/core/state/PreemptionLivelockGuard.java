// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.core.queue.QueuedWorkload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Slows down Workloads that preempt each other in turns. The rules permit that: fair sharing by the
 * shares before a preemption (KEP-1714), or borrowing while preempting, each together with
 * priorities within a queue. Every single preemption is correct. A livelock shows only in that one
 * Workload preempts others and is then preempted itself, over and over. From the fourth time within
 * twelve hours on, its own preemptions are suspended for a minute, then two, four, and so on up to
 * an hour. It still gets free quota at once.
 *
 * <p>This history is lost when the core ends. Belongs to the State's thread.
 */
final class PreemptionLivelockGuard {
  /** So many rounds have no consequences. */
  private static final int TOLERATED_ROUNDS = 3;

  private static final Duration SHORTEST_SUSPENSION = Duration.ofMinutes(1);
  private static final Duration LONGEST_SUSPENSION = Duration.ofHours(1);

  /** How long each round counts: long enough to add up rounds that are an hour apart. */
  private static final Duration MEMORY = Duration.ofHours(12);

  /** More rounds don't change the suspension. */
  private static final int MOST_ROUNDS = TOLERATED_ROUNDS + 7;

  private boolean gotQuotaByPreemption;

  /** When it was preempted after it had preempted others, the oldest first. */
  private final Deque<Instant> rounds = new ArrayDeque<>(0);

  private @Nullable Instant suspendedUntil;

  /**
   * The Workload got quota.
   *
   * @param byPreemption whether other Workloads were, or will be, evicted for it
   */
  void reserved(boolean byPreemption) {
    gotQuotaByPreemption = byPreemption;
  }

  /**
   * The Workload was preempted.
   *
   * @param now by a clock that isn't set
   * @return for how long its own preemptions are suspended; empty if they aren't
   */
  Optional<Duration> preempted(Instant now) {
    if (!gotQuotaByPreemption) {
      return Optional.empty();
    }
    gotQuotaByPreemption = false;
    rounds.removeIf(round -> now.isAfter(round.plus(MEMORY)));
    rounds.addLast(now);
    if (rounds.size() > MOST_ROUNDS) {
      rounds.removeFirst();
    }
    int tooMany = rounds.size() - TOLERATED_ROUNDS;
    Optional<Duration> suspension =
        tooMany > 0 ? Optional.of(suspension(tooMany - 1)) : Optional.empty();
    suspendedUntil = suspension.map(now::plus).orElse(null);
    return suspension;
  }

  private static Duration suspension(int doublings) {
    // After six doublings the hour is shorter in any case.
    Duration suspension = SHORTEST_SUSPENSION.multipliedBy(1L << Math.min(doublings, 6));
    return suspension.compareTo(LONGEST_SUSPENSION) < 0 ? suspension : LONGEST_SUSPENSION;
  }

  /**
   * The Workload as it takes part in scheduling now: without preemption while suspended.
   *
   * @param now by a clock that isn't set
   */
  QueuedWorkload restrict(QueuedWorkload workload, Instant now) {
    return suspendedUntil != null && now.isBefore(suspendedUntil)
        ? workload.withoutPreemption()
        : workload;
  }
}
