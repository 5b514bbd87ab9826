// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.WriteOutcomes;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reservation that the scheduler has decided on for a Workload and that isn't written yet, if
 * there is one. The State counts its quota as used until the reservation ends, which happens here
 * and once: later calls do nothing.
 */
final class PendingReservation {
  private final ObjectKey key;
  private final Outbox outbox;
  private final WriteOutcomes state;
  private final @Nullable Workload seen;
  private Decision.@Nullable ReserveQuota decision;

  /**
   * The reservation of a Workload.
   *
   * @param seen the version that the worker has read; null if it is gone
   */
  PendingReservation(ObjectKey key, Outbox outbox, WriteOutcomes state, @Nullable Workload seen) {
    this.key = key;
    this.outbox = outbox;
    this.state = state;
    this.seen = seen;
    this.decision = outbox.reservation(key);
  }

  /** What is to be reserved; null if nothing is, or not any more. */
  Decision.@Nullable ReserveQuota decision() {
    return decision;
  }

  /**
   * Sends the reservation, unless the scheduler has cancelled it.
   *
   * @param request writes it
   * @return what it has written; empty if it was cancelled, so that nothing was sent
   */
  Optional<Workload> send(Supplier<Workload> request) {
    Decision.ReserveQuota sent = decision;
    if (sent == null || !outbox.begin(key, sent)) {
      decision = null;
      return Optional.empty();
    }
    Workload written = request.get();
    decision = null;
    outbox.settle(key, sent);
    state.reservationWritten(key, sent, written);
    return Optional.of(written);
  }

  /** The reservation has become pointless: its quota is free for others at once. */
  void abandon() {
    postpone(Duration.ZERO);
  }

  /**
   * The reservation can't be written now: its quota is free for others, and the scheduler doesn't
   * try the Workload again before the pause is over. Unless the Workload turns out to have it: the
   * answer to the write was lost, and the informer hasn't shown it to the State yet.
   */
  void postpone(Duration pause) {
    Decision.ReserveQuota ended = decision;
    decision = null;
    // What was cancelled has no outcome: by now the State may have decided the same again.
    if (ended == null || !outbox.settle(key, ended)) {
      return;
    }
    if (seen != null && Phase.holdsQuota(seen)) {
      state.reservationWritten(key, ended, seen);
    } else {
      state.reservationFailed(key, ended, pause);
    }
  }
}
