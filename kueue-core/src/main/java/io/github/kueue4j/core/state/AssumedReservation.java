// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.scheduler.Decision;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The quota that the scheduler has decided to reserve for a Workload. The State and the Workload's
 * worker share this one object, from {@link Outbox#offer} to its end: the worker writes it, or the
 * scheduler takes it back, which it can do until the worker begins. The State counts the quota as
 * used until it has heard of that end. Two reservations are never equal. Thread-safe.
 */
@API(status = API.Status.INTERNAL)
public final class AssumedReservation {
  private final Map<ObjectKey, AssumedReservation> open;
  private final Decision.ReserveQuota decision;

  // Both guarded by this.
  private boolean begun;
  private boolean ended;

  /**
   * A reservation that was decided.
   *
   * @param open from which it is removed at its end
   */
  AssumedReservation(Map<ObjectKey, AssumedReservation> open, Decision.ReserveQuota decision) {
    this.open = open;
    this.decision = decision;
  }

  /** The key of the Workload. */
  public ObjectKey key() {
    return decision.workload().key();
  }

  /** What is to be reserved. */
  public Decision.ReserveQuota decision() {
    return decision;
  }

  /**
   * To be called before each try to send it, since it can't be cancelled from then on.
   *
   * @return false if it has ended, so that it must not be sent
   */
  public synchronized boolean begin() {
    begun = true;
    return !ended;
  }

  /**
   * Sends it, unless it has ended. After an exception the request may have been carried out: it
   * stays open.
   *
   * @param request writes it
   * @return what it has written; empty if nothing was sent
   */
  public Optional<Workload> send(Supplier<Workload> request, WriteOutcomes state) {
    if (!begin()) {
      return Optional.empty();
    }
    Workload written = request.get();
    end();
    state.reservationWritten(this, written);
    return Optional.of(written);
  }

  /**
   * The worker can't write it, or it has become pointless: its quota is free for others. Unless the
   * Workload turns out to have it: the answer to the write was lost, and the informer hasn't shown
   * it to the State yet. Does nothing if it has ended already.
   *
   * @param seen the version that the worker has read; null if the Workload is gone
   * @param pause until the scheduler may try the Workload again
   */
  public void failed(@Nullable Workload seen, Duration pause, WriteOutcomes state) {
    if (!end()) {
      // What was cancelled has no outcome: by now the State may have decided the same again.
      return;
    }
    if (seen != null && Phase.holdsQuota(seen)) {
      state.reservationWritten(this, seen);
    } else {
      state.reservationFailed(this, pause);
    }
  }

  /**
   * Takes it back for the scheduler.
   *
   * @return false if it may have been sent, so that it has to be evicted instead, or has ended
   */
  synchronized boolean cancel() {
    return !begun && end();
  }

  /**
   * Ends it, without telling the State.
   *
   * @return false if it had ended already
   */
  synchronized boolean end() {
    boolean wasOpen = !ended;
    ended = true;
    open.remove(key(), this);
    return wasOpen;
  }
}
