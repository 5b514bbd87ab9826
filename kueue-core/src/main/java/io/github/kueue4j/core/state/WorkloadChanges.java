// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceVersions;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Takes in what happens to Workloads: versions that the informer sees, and the outcome of the
 * core's own writes. A view of the {@link State} that belongs to its thread.
 */
@API(status = API.Status.INTERNAL)
public final class WorkloadChanges {
  /**
   * A Workload that is preempted before it ran releases its quota at once. If the policies let two
   * Workloads preempt each other in turns, this limits how often they do.
   */
  private static final Duration PAUSE_AFTER_PREEMPTION = Duration.ofSeconds(1);

  private final QueueIndex queues;
  private final Ledger ledger;
  private final Outbox outbox;
  private final State.Effects effects;
  private final InstantSource steady;

  WorkloadChanges(SchedulingBooks books, Ledger ledger) {
    this.queues = books.queues();
    this.ledger = ledger;
    this.outbox = books.outbox();
    this.effects = books.effects();
    this.steady = books.steady();
  }

  /** A version of a Workload was seen; the newest one known, or an older one, changes nothing. */
  public void observed(Workload workload, Instant now) {
    takeIn(queues.workloadOf(ObjectKey.of(workload)), workload, now);
  }

  /**
   * Takes in a version.
   *
   * @return false if it is known already, or a newer one is: then nothing was counted anew
   */
  private boolean takeIn(WorkloadEntry entry, Workload workload, Instant now) {
    if (entry.latest != null && ResourceVersions.older(workload, entry.latest)) {
      return false;
    }
    if (entry.latest != null
        && ResourceVersions.number(workload).equals(ResourceVersions.number(entry.latest))
        && workload.equals(entry.latest)) {
      // The informer shows what a write has returned; from now on its cache shares the object.
      entry.latest = workload;
      return false;
    }
    WorkloadEntry.Holding held = entry.holding;
    boolean losesQuota =
        entry.latest != null && Phase.holdsQuota(entry.latest) && !Phase.holdsQuota(workload);
    if (entry.latest == null || !Uids.of(entry.latest).equals(Uids.of(workload))) {
      entry.firstVersion = ResourceVersions.number(workload).orElse(0);
    }
    entry.latest = workload;
    if (Phase.holdsQuota(workload)) {
      if (entry.assumed != null) {
        // It is there, or pointless: if its answer was lost, the worker must not send it again.
        entry.assumed.end();
        entry.assumed = null;
      }
    } else if (held != null && workload.conditions().preempted()) {
      if (losesQuota) {
        entry
            .livelockGuard
            .preempted(steady.instant())
            .ifPresent(suspension -> effects.retryAfter(entry.key, suspension));
      }
      if (!held.admitted()) {
        pause(entry, PAUSE_AFTER_PREEMPTION);
      }
    }
    ledger.moveTo(entry, queueKey(workload), now);
    ledger.refresh(entry, now);
    return true;
  }

  /**
   * A write of the core has returned this version. A Workload that the informer doesn't know is
   * ignored: it may have been deleted already, and no event would ever remove it here.
   */
  public void written(Workload workload, Instant now) {
    if (queues.workload(ObjectKey.of(workload)).isPresent()) {
      observed(workload, now);
    }
  }

  /** A Workload was deleted. */
  public void deleted(ObjectKey key, Instant now) {
    queues
        .remove(key)
        .ifPresent(
            entry -> {
              entry.latest = null;
              entry.assumed = null;
              ledger.refresh(entry, now);
              ledger.moveTo(entry, null, now);
              outbox.forget(key);
            });
  }

  /** The worker has written the reservation, or has found that it is there. */
  public void reservationWritten(AssumedReservation reservation, Workload written, Instant now) {
    reservation.end();
    queues
        .workload(reservation.key())
        .ifPresent(
            entry -> {
              boolean counted = entry.assumed == reservation;
              if (counted) {
                entry.assumed = null;
              }
              if (!takeIn(entry, written, now) && counted) {
                ledger.refresh(entry, now);
              }
            });
  }

  /**
   * The worker could not write the reservation: its quota is free again.
   *
   * @param pause until it is tried again
   */
  public void reservationFailed(AssumedReservation reservation, Duration pause, Instant now) {
    reservation.end();
    queues
        .workload(reservation.key())
        .filter(entry -> entry.assumed == reservation)
        .ifPresent(
            entry -> {
              entry.assumed = null;
              pause(entry, pause);
              ledger.refresh(entry, now);
            });
  }

  /**
   * The worker of a victim found nothing to preempt. If the victim still holds its quota according
   * to the State, the preemptor is tried again: otherwise it would wait forever for an eviction
   * that doesn't happen.
   *
   * @param pause until it is tried again
   */
  public void preemptionFailed(PreemptionOrder order, Duration pause, Instant now) {
    boolean stillHolds =
        queues
            .clusterQueue(order.victim().clusterQueue())
            .map(queue -> queue.holders.get(order.victim().key()))
            .filter(order.victim()::equals)
            .isPresent();
    if (stillHolds) {
      queues
          .workload(order.preemptor())
          .ifPresent(
              entry -> {
                pause(entry, pause);
                ledger.refresh(entry, now);
              });
    }
  }

  private void pause(WorkloadEntry entry, Duration pause) {
    entry.notBefore = steady.instant().plus(pause);
    effects.retryAfter(entry.key, pause);
  }

  /**
   * A pause has ended, which may decide about a Workload. One that was to end by then is over,
   * whatever the clock shows: no timer would end it later.
   *
   * @param due the steady time at which it was to end
   */
  public void reconsider(ObjectKey key, Instant due, Instant now) {
    queues
        .workload(key)
        .ifPresent(
            entry -> {
              if (entry.notBefore != null && !entry.notBefore.isAfter(due)) {
                entry.notBefore = null;
              }
              ledger.refresh(entry, now);
            });
  }

  private static @Nullable ObjectKey queueKey(Workload workload) {
    String name = workload.spec().queueName();
    return name == null || name.isEmpty()
        ? null
        : new ObjectKey(ObjectKey.of(workload).namespace(), name);
  }
}
