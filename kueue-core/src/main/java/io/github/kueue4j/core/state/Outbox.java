// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.scheduler.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The writes about Workloads that the State wants. The State's thread fills it, and the worker of
 * each Workload carries it out, so that a Workload has a single writer. Thread-safe.
 *
 * <p>It wakes no worker: the code that puts something in has {@link State.Effects} do that.
 */
@API(status = API.Status.INTERNAL)
public final class Outbox {
  private static final Duration REWORDING_PAUSE = Duration.ofSeconds(10);

  private final Map<ObjectKey, AssumedReservation> reservations = new ConcurrentHashMap<>();

  /** The reasons of Workloads that were tried themselves. */
  private final Map<ObjectKey, DuePendingReason> pendingReasons = new ConcurrentHashMap<>();

  /**
   * The reasons of Workloads that weren't tried: the result of another Workload that holds for them
   * too.
   */
  private final Map<ObjectKey, DuePendingReason> inheritedReasons = new ConcurrentHashMap<>();

  private final Map<ObjectKey, PreemptionOrder> preemptions = new ConcurrentHashMap<>();

  /** The victims that were requested last, by preemptor. Used by the State's thread only. */
  private final Map<ObjectKey, Set<ObjectKey>> victims = new HashMap<>();

  private final Set<ObjectKey> awaitingVictims = ConcurrentHashMap.newKeySet();
  private final Set<ObjectKey> unpreemptable = ConcurrentHashMap.newKeySet();
  private final Set<ObjectKey> overcommitted = ConcurrentHashMap.newKeySet();

  /**
   * Why the scheduler did not reserve.
   *
   * @param reason of the QuotaReserved=False condition
   * @param message the same in words
   * @param notBefore it is written only if it still holds then: most Workloads get quota before a
   *     person could read it
   */
  @API(status = API.Status.INTERNAL)
  public record DuePendingReason(String reason, String message, Instant notBefore) {
    private DuePendingReason at(Instant when) {
      return new DuePendingReason(reason, message, when);
    }
  }

  /** Offers a reservation to the Workload's worker, in place of any earlier one. */
  AssumedReservation offer(Decision.ReserveQuota decision) {
    ObjectKey key = decision.workload().key();
    pendingReasons.remove(key);
    inheritedReasons.remove(key);
    // An eviction that was requested is of an earlier reservation.
    preemptions.remove(key);
    AssumedReservation offered = new AssumedReservation(reservations, decision);
    end(reservations.put(key, offered));
    return offered;
  }

  private static void end(@Nullable AssumedReservation reservation) {
    if (reservation != null) {
      reservation.end();
    }
  }

  /** The reservation that is to be written for a Workload; null if nothing is. */
  public @Nullable AssumedReservation reservation(ObjectKey key) {
    return reservations.get(key);
  }

  /**
   * Requests the eviction of victims, and withdraws the request for all other victims of the same
   * preemptor.
   */
  void preempt(ObjectKey preemptor, Map<ObjectKey, PreemptionOrder> orders) {
    Set<ObjectKey> before =
        orders.isEmpty()
            ? victims.remove(preemptor)
            : victims.put(preemptor, Set.copyOf(orders.keySet()));
    for (ObjectKey victim : before == null ? Set.<ObjectKey>of() : before) {
      if (!orders.containsKey(victim)) {
        preemptions.computeIfPresent(
            victim, (key, order) -> order.preemptor().equals(preemptor) ? null : order);
      }
    }
    preemptions.putAll(orders);
  }

  /** A Workload needs no victims any more. */
  void withdrawPreemptions(ObjectKey preemptor) {
    preempt(preemptor, Map.of());
  }

  /** The request to evict a Workload; null if there is none. */
  public @Nullable PreemptionOrder preemption(ObjectKey victim) {
    return preemptions.get(victim);
  }

  /** Forgets a preemption that was carried out or has become pointless. */
  public void settle(ObjectKey victim, PreemptionOrder order) {
    preemptions.remove(victim, order);
  }

  /**
   * Notes the result of a try. An equal result keeps its time, so that another try doesn't delay
   * the write. A result that differs in its numbers only is written every ten seconds at most.
   *
   * @return when it is due
   */
  Instant pendingReason(ObjectKey key, DuePendingReason pendingReason) {
    return pendingReasons.merge(key, pendingReason, Outbox::combined).notBefore();
  }

  private static DuePendingReason combined(DuePendingReason previous, DuePendingReason next) {
    Instant now = next.notBefore();
    if (previous.notBefore().isAfter(now.plus(REWORDING_PAUSE))) {
      // The clock was set back.
      return next;
    }
    if (next.equals(previous.at(now))) {
      return previous;
    }
    boolean open = previous.notBefore().isAfter(now);
    Instant rested = open ? previous.notBefore() : previous.notBefore().plus(REWORDING_PAUSE);
    return next.reason().equals(previous.reason()) && rested.isAfter(now) ? next.at(rested) : next;
  }

  /** Notes the result of another Workload that holds for this one too. */
  void inheritPendingReason(ObjectKey key, DuePendingReason pendingReason) {
    inheritedReasons.put(key, pendingReason);
  }

  /** Whether this reason was noted for a Workload that was tried itself. */
  boolean hasPendingReason(ObjectKey key, PendingReason reason) {
    return isNoted(pendingReasons.get(key), reason);
  }

  /** Whether this reason was noted for a Workload that wasn't tried itself. */
  boolean inheritsPendingReason(ObjectKey key, PendingReason reason) {
    return isNoted(inheritedReasons.get(key), reason);
  }

  private static boolean isNoted(@Nullable DuePendingReason noted, PendingReason reason) {
    return noted != null
        && noted.reason().equals(reason.reason())
        && noted.message().equals(reason.message());
  }

  /** The result of the other Workload no longer holds for this one. */
  void withdrawInherited(ObjectKey key) {
    inheritedReasons.remove(key);
  }

  /** Why a Workload waits: its own result if it was tried, otherwise the inherited one. */
  public Optional<DuePendingReason> pendingReason(ObjectKey key) {
    return Optional.ofNullable(pendingReasons.get(key))
        .or(() -> Optional.ofNullable(inheritedReasons.get(key)));
  }

  void overcommitted(ObjectKey key, boolean isSo) {
    set(overcommitted, key, isSo);
  }

  void awaitsVictims(ObjectKey key, boolean isSo) {
    set(awaitingVictims, key, isSo);
  }

  /** Whether victims still hold quota that this reservation counts on (KEP-993). */
  public boolean awaitsVictims(ObjectKey key) {
    return awaitingVictims.contains(key);
  }

  void unpreemptable(ObjectKey key, boolean isSo) {
    set(unpreemptable, key, isSo);
  }

  /** Whether no Workload is left that could be preempted for this reservation (KEP-993). */
  public boolean unpreemptable(ObjectKey key) {
    return unpreemptable.contains(key);
  }

  private static void set(Set<ObjectKey> keys, ObjectKey key, boolean isSo) {
    if (isSo) {
      keys.add(key);
    } else {
      keys.remove(key);
    }
  }

  /** Whether the quota of this reservation was taken away since it was made. */
  public boolean overcommitted(ObjectKey key) {
    return overcommitted.contains(key);
  }

  /** The Workload no longer waits. */
  void forgetPendingReason(ObjectKey key) {
    pendingReasons.remove(key);
    inheritedReasons.remove(key);
  }

  /** The Workload was deleted. */
  void forget(ObjectKey key) {
    end(reservations.get(key));
    pendingReasons.remove(key);
    inheritedReasons.remove(key);
    overcommitted.remove(key);
    awaitingVictims.remove(key);
    unpreemptable.remove(key);
    preemptions.remove(key);
    withdrawPreemptions(key);
  }
}
