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

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.Claim;
import io.github.kueue4j.core.preemption.DeferredPreemption;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.preemption.Rivals;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.CheckStrategy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The reservations whose quota others still hold (KEP-993, {@code AfterCheckPassedOrOnDemand});
 * belongs to the State's thread. The others are evicted when all checks that defer it are Ready, or
 * one of them asks for it; until they have let go the Workload isn't admitted.
 *
 * <p>A claim is no state of its own: it follows from the objects, so that a core that is replaced
 * knows them too. What is kept is only who was chosen.
 */
final class Claims {
  private final PreemptionSettings settings;
  private final QueueIndex queues;
  private final Quotas quotas;
  private final Catalog catalog;
  private final FairUsage usage;
  private final PreemptionOrders orders;
  private final Outbox outbox;
  private final State.Effects effects;
  private final Map<ObjectKey, Claim> open = new LinkedHashMap<>();
  private final Map<ObjectKey, List<Target>> chosen = new HashMap<>();
  private final Set<ObjectKey> hopeless = new HashSet<>();

  Claims(
      PreemptionSettings settings,
      QueueIndex queues,
      Quotas quotas,
      Catalog catalog,
      FairUsage usage,
      PreemptionOrders orders,
      Outbox outbox,
      State.Effects effects) {
    this.settings = settings;
    this.queues = queues;
    this.quotas = quotas;
    this.catalog = catalog;
    this.usage = usage;
    this.orders = orders;
    this.outbox = outbox;
    this.effects = effects;
  }

  List<Claim> open() {
    return List.copyOf(open.values());
  }

  /** Who has reserved so, and nobody is left who could give way to it. */
  Set<ObjectKey> hopeless() {
    return hopeless;
  }

  boolean any() {
    return !chosen.isEmpty() || !hopeless.isEmpty();
  }

  /** The scheduler has decided who gives way to a reservation, as soon as its checks let it. */
  void promised(ObjectKey claimant, List<Target> targets) {
    if (targets.isEmpty()) {
      chosen.remove(claimant);
    } else {
      chosen.put(claimant, targets);
      // Before anybody else hears of the reservation.
      outbox.awaitsVictims(claimant, true);
    }
  }

  /** Works out anew who counts on whose quota among these queues, which share theirs. */
  void update(Collection<ClusterQueueEntry> relatives, Instant now) {
    update(relatives, false, now);
  }

  /**
   * Ends the claims of those that have room without it by now. To be called when nobody is left who
   * could use that room: what was freed for a preemptor is not for them.
   */
  void settle(Instant now) {
    updateAll(true, now);
  }

  /**
   * Who was chosen before anybody knew what the queues have used is chosen again. Whoever was told
   * to go by then comes first anyway.
   */
  void chooseAnew(Instant now) {
    chosen.replaceAll((claimant, targets) -> List.of());
    updateAll(false, now);
  }

  private void updateAll(boolean settling, Instant now) {
    Set<String> done = new HashSet<>();
    for (Claim claim : List.copyOf(open.values())) {
      if (!done.contains(claim.claimant().clusterQueue())) {
        List<ClusterQueueEntry> relatives = quotas.relatives(claim.claimant().clusterQueue());
        relatives.forEach(queue -> done.add(queue.name));
        update(relatives, settling, now);
      }
    }
  }

  private void update(Collection<ClusterQueueEntry> relatives, boolean settling, Instant now) {
    List<Candidate> deferring = deferring(relatives);
    if (deferring.isEmpty() && !any()) {
      return;
    }
    Set<ObjectKey> here =
        relatives.stream()
            .flatMap(queue -> queue.holders.keySet().stream())
            .collect(Collectors.toUnmodifiableSet());
    DeferredPreemption.Outcome outcome =
        new DeferredPreemption(
                new Rivals(queues::holders, settings, localQueue -> usage.inForce(localQueue, now)),
                chosen,
                this::policy)
            .among(quotas.tree(), deferring, settling);
    Set<ObjectKey> before =
        chosen.keySet().stream().filter(here::contains).collect(Collectors.toSet());
    open.keySet().removeAll(here);
    for (Claim claim : outcome.claims()) {
      ObjectKey key = claim.claimant().key();
      open.put(key, claim);
      chosen.put(key, claim.targets());
      outbox.awaitsVictims(key, true);
      before.remove(key);
    }
    giveUp(
        here,
        outcome.hopeless().stream().map(Candidate::key).collect(Collectors.toUnmodifiableSet()));
    before.forEach(this::settled);
    outcome.claims().forEach(this::pursue);
  }

  private void giveUp(Set<ObjectKey> here, Set<ObjectKey> now) {
    for (ObjectKey key : here) {
      boolean isSo = now.contains(key);
      if (isSo ? hopeless.add(key) : hopeless.remove(key)) {
        outbox.unpreemptable(key, isSo);
        effects.wake(key);
      }
    }
  }

  /** Nobody need give way to it any more, or it has given up itself. */
  private void settled(ObjectKey claimant) {
    chosen.remove(claimant);
    outbox.awaitsVictims(claimant, false);
    outbox.withdrawPreemptions(claimant);
    effects.wake(claimant);
  }

  /** A Workload holds no quota any more. */
  void gone(ObjectKey claimant) {
    open.remove(claimant);
    if (chosen.remove(claimant) != null) {
      outbox.awaitsVictims(claimant, false);
      outbox.withdrawPreemptions(claimant);
    }
    if (hopeless.remove(claimant)) {
      outbox.unpreemptable(claimant, false);
    }
  }

  /** A version of a Workload was seen: its checks may let its preemption go ahead now. */
  void seen(ObjectKey workload) {
    Claim claim = open.get(workload);
    if (claim != null) {
      pursue(claim);
    }
  }

  private void pursue(Claim claim) {
    ObjectKey key = claim.claimant().key();
    if (due(key)) {
      orders.order(claim.claimant(), claim.targets());
    } else {
      outbox.withdrawPreemptions(key);
    }
  }

  /** Whether every check that defers the preemption is Ready, or one asks for it. */
  private boolean due(ObjectKey key) {
    WorkloadEntry entry = queues.workload(key).orElse(null);
    if (entry == null || entry.latest == null || entry.assumed != null) {
      return false;
    }
    Set<String> deferring = deferringChecks(entry);
    List<AdmissionCheckState> entries =
        entry.latest.status().admissionChecks().stream()
            .filter(check -> deferring.contains(check.name()))
            .toList();
    return entries.stream().anyMatch(check -> Boolean.TRUE.equals(check.preemptionRequested()))
        || (entries.size() == deferring.size()
            && entries.stream().allMatch(check -> check.is(CheckState.READY)));
  }

  private List<Candidate> deferring(Collection<ClusterQueueEntry> relatives) {
    List<Candidate> deferring = new ArrayList<>();
    if (!catalog.deferringChecks().isEmpty()) {
      for (ClusterQueueEntry queue : relatives) {
        for (Candidate holder : queue.holders.values()) {
          if (!holder.evicted() && defers(holder)) {
            deferring.add(holder);
          }
        }
      }
    }
    return deferring;
  }

  private boolean defers(Candidate holder) {
    WorkloadEntry entry = queues.workload(holder.key()).orElse(null);
    return entry != null
        && entry.holding != null
        && !entry.holding.admitted()
        && !entry.tookFreeQuota
        && !deferringChecks(entry).isEmpty();
  }

  private Set<String> deferringChecks(WorkloadEntry entry) {
    return entry
        .currentAdmission()
        .flatMap(
            admission ->
                queues
                    .clusterQueue(admission.clusterQueue())
                    .map(queue -> queue.object)
                    .map(
                        queue -> {
                          Set<String> checks =
                              new TreeSet<>(CheckStrategy.ofAssignment(queue.spec(), admission));
                          checks.retainAll(catalog.deferringChecks());
                          return checks;
                        }))
        .orElse(new TreeSet<>());
  }

  private ClusterQueuePreemption policy(String clusterQueue) {
    return queues
        .clusterQueue(clusterQueue)
        .map(queue -> queue.object)
        .map(queue -> queue.spec().preemption())
        .orElseGet(ClusterQueuePreemption::never);
  }
}
