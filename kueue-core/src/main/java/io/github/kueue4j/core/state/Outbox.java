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

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.scheduler.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the State wants written about Workloads. The State's thread fills it; the one worker of each
 * Workload carries it out, so that there is a single writer per Workload. Thread-safe.
 */
@API(status = API.Status.INTERNAL)
public final class Outbox {
  private static final Duration REWORDING_PAUSE = Duration.ofSeconds(10);

  private final Map<ObjectKey, Decision.Reserve> reservations = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Verdict> verdicts = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Verdict> bystanders = new ConcurrentHashMap<>();
  private final Map<ObjectKey, PreemptionOrder> preemptions = new ConcurrentHashMap<>();
  private final Set<ObjectKey> awaitingVictims = ConcurrentHashMap.newKeySet();
  private final Set<ObjectKey> unpreemptable = ConcurrentHashMap.newKeySet();
  private final Set<ObjectKey> overcommitted = ConcurrentHashMap.newKeySet();

  /**
   * Why the scheduler did not reserve.
   *
   * @param reason of the QuotaReserved=False condition
   * @param message the same in words
   * @param notBefore it is written only if it still holds then: most Workloads wait too shortly for
   *     anyone to read it
   */
  @API(status = API.Status.INTERNAL)
  public record Verdict(String reason, String message, Instant notBefore) {
    private Verdict at(Instant when) {
      return new Verdict(reason, message, when);
    }
  }

  public void reserve(ObjectKey key, Decision.Reserve decision) {
    verdicts.remove(key);
    bystanders.remove(key);
    reservations.put(key, decision);
  }

  public Decision.@Nullable Reserve reservation(ObjectKey key) {
    return reservations.get(key);
  }

  /** Forgets a reservation that was carried out or given up, unless there is a newer one. */
  public void settle(ObjectKey key, Decision.Reserve decision) {
    reservations.remove(key, decision);
  }

  /**
   * Orders victims to give way; whoever else was ordered to for the same preemptor need not any
   * more.
   */
  void preempt(ObjectKey preemptor, Map<ObjectKey, PreemptionOrder> orders) {
    preemptions
        .entrySet()
        .removeIf(
            order ->
                order.getValue().preemptor().equals(preemptor)
                    && !orders.containsKey(order.getKey()));
    preemptions.putAll(orders);
  }

  /** A Workload needs nobody's quota any more. */
  void withdrawPreemptions(ObjectKey preemptor) {
    preempt(preemptor, Map.of());
  }

  /** Whether, and for whom, a Workload is to give way. */
  public @Nullable PreemptionOrder preemption(ObjectKey victim) {
    return preemptions.get(victim);
  }

  /** Forgets a preemption that was carried out or has become pointless. */
  public void settle(ObjectKey victim, PreemptionOrder order) {
    preemptions.remove(victim, order);
  }

  /**
   * Notes a verdict. An equal one keeps its time, so that trying again doesn't put off writing it;
   * one that differs in numbers only is not worth a write more often than every ten seconds.
   *
   * @return when it is due
   */
  public Instant verdict(ObjectKey key, Verdict verdict) {
    return verdicts.merge(key, verdict, Outbox::combined).notBefore();
  }

  private static Verdict combined(Verdict previous, Verdict next) {
    if (next.equals(previous.at(next.notBefore()))) {
      return previous;
    }
    Instant rested = previous.notBefore().plus(REWORDING_PAUSE);
    return next.reason().equals(previous.reason()) && rested.isAfter(next.notBefore())
        ? next.at(rested)
        : next;
  }

  /** Notes what holds for a Workload that wasn't tried itself. */
  void standBy(ObjectKey key, Verdict verdict) {
    bystanders.put(key, verdict);
  }

  /** Whether just this was noted for a Workload that was tried itself. */
  boolean says(ObjectKey key, String reason, String message) {
    return isNoted(verdicts.get(key), reason, message);
  }

  /** Whether just this was noted for a Workload that wasn't tried itself. */
  boolean standsBy(ObjectKey key, String reason, String message) {
    return isNoted(bystanders.get(key), reason, message);
  }

  private static boolean isNoted(@Nullable Verdict noted, String reason, String message) {
    return noted != null && noted.reason().equals(reason) && noted.message().equals(message);
  }

  /** What held for a Workload that wasn't tried is over. */
  void standDown(ObjectKey key) {
    bystanders.remove(key);
  }

  /** Why a Workload waits: what came out when it was tried, else what holds for others like it. */
  public Optional<Verdict> verdict(ObjectKey key) {
    return Optional.ofNullable(verdicts.get(key))
        .or(() -> Optional.ofNullable(bystanders.get(key)));
  }

  public void overcommitted(ObjectKey key, boolean isSo) {
    set(overcommitted, key, isSo);
  }

  void awaitsVictims(ObjectKey key, boolean isSo) {
    set(awaitingVictims, key, isSo);
  }

  /** Whether others still hold quota that this reservation counts on (KEP-993). */
  public boolean awaitsVictims(ObjectKey key) {
    return awaitingVictims.contains(key);
  }

  void unpreemptable(ObjectKey key, boolean isSo) {
    set(unpreemptable, key, isSo);
  }

  /** Whether nobody is left who could give way to this reservation (KEP-993). */
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

  /** Whether the quota of this reservation has gone since it was made. */
  public boolean overcommitted(ObjectKey key) {
    return overcommitted.contains(key);
  }

  /** The Workload doesn't wait any more. */
  public void forgetVerdict(ObjectKey key) {
    verdicts.remove(key);
    bystanders.remove(key);
  }

  /** The Workload is gone. */
  public void forget(ObjectKey key) {
    reservations.remove(key);
    verdicts.remove(key);
    bystanders.remove(key);
    overcommitted.remove(key);
    awaitingVictims.remove(key);
    unpreemptable.remove(key);
    preemptions.remove(key);
    withdrawPreemptions(key);
  }
}
