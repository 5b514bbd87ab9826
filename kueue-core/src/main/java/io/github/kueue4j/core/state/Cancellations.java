// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.core.preemption.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Takes back the reservations of victims that aren't written yet. Such a Workload hasn't started,
 * and waits again without a request to the API server. Belongs to the State's thread.
 */
final class Cancellations {
  /**
   * How long the next reservation of the same Workload can't be cancelled, only evicted. Requests
   * slow down Workloads that preempt each other in turns; a cancellation needs none.
   */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final QueueIndex queues;
  private final State.Effects effects;
  private final InstantSource steady;
  private final Ledger ledger;

  private final Deque<Cancelled> cancelled = new ArrayDeque<>();

  /** A reservation that was cancelled, and whose quota still counts as used. */
  private record Cancelled(WorkloadEntry entry, AssumedReservation reservation) {}

  Cancellations(SchedulingBooks books, Ledger ledger) {
    this.queues = books.queues();
    this.effects = books.effects();
    this.steady = books.steady();
    this.ledger = ledger;
  }

  /** Cancels the reservations of victims where that is possible; the others are returned. */
  List<Target> cancel(List<Target> victims) {
    return victims.stream().filter(victim -> !cancel(victim)).toList();
  }

  private boolean cancel(Target victim) {
    WorkloadEntry entry = queues.workload(victim.candidate().key()).orElse(null);
    if (entry == null || pauses(entry)) {
      return false;
    }
    AssumedReservation reservation = entry.assumed;
    if (reservation == null || !reservation.cancel()) {
      return false;
    }
    cancelled.add(new Cancelled(entry, reservation));
    return true;
  }

  private boolean pauses(WorkloadEntry entry) {
    return entry.cancelledAt != null && steady.instant().isBefore(entry.cancelledAt.plus(PAUSE));
  }

  /**
   * Releases the quota of what was cancelled. To be called when all decisions of a cycle are
   * recorded: Workloads that one of them refused may fit then.
   */
  void release(Instant now) {
    for (Cancelled next = cancelled.poll(); next != null; next = cancelled.poll()) {
      if (next.reservation() == next.entry().assumed) {
        release(next.entry(), now);
      }
    }
  }

  private void release(WorkloadEntry entry, Instant now) {
    entry.assumed = null;
    entry.cancelledAt = steady.instant();
    entry
        .livelockGuard
        .preempted(steady.instant())
        .ifPresent(suspension -> effects.retryAfter(entry.key, suspension));
    ledger.refresh(entry, now);
  }
}
