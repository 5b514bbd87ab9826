// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.DeferredPreemption;
import io.github.kueue4j.core.preemption.DeferredPreemptionResolver;
import io.github.kueue4j.core.preemption.PreemptionCandidates;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.CheckStrategy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The reservations that count on quota which other Workloads still hold (KEP-993, {@code
 * AfterCheckPassedOrOnDemand}). The victims are evicted when all checks that defer the preemption
 * are Ready, or one of them asks for it. Until the victims have released their quota, the Workload
 * isn't admitted. Belongs to the State's thread.
 *
 * <p>Which preemptions are deferred follows from the objects, so that a core that takes over knows
 * them too. Only the choice of the victims is kept here.
 */
final class DeferredPreemptions {
  private final SchedulingBooks books;
  private final QueueIndex queues;
  private final Catalog catalog;
  private final Outbox outbox;
  private final State.Effects effects;
  private final PreemptionOrders orders;
  private final Map<ObjectKey, DeferredPreemption> open = new LinkedHashMap<>();
  private final Map<ObjectKey, List<Target>> chosen = new HashMap<>();
  private final Set<ObjectKey> unsatisfiable = new HashSet<>();

  DeferredPreemptions(SchedulingBooks books) {
    this.books = books;
    this.queues = books.queues();
    this.catalog = books.catalog();
    this.outbox = books.outbox();
    this.effects = books.effects();
    this.orders = new PreemptionOrders(books);
  }

  List<DeferredPreemption> open() {
    return List.copyOf(open.values());
  }

  /** Workloads whose reservations count on quota that no preemption can free any more. */
  Set<ObjectKey> unsatisfiable() {
    return unsatisfiable;
  }

  boolean any() {
    return !chosen.isEmpty() || !unsatisfiable.isEmpty();
  }

  /** The scheduler has chosen the victims of a reservation, to be evicted when its checks allow. */
  void promised(ObjectKey claimant, List<Target> targets) {
    if (targets.isEmpty()) {
      chosen.remove(claimant);
    } else {
      chosen.put(claimant, targets);
      // The worker must know this before it hears of the reservation.
      outbox.awaitsVictims(claimant, true);
    }
  }

  /** Works out anew which reservations among these queues, which share quota, need victims. */
  void update(Collection<ClusterQueueEntry> relatives, Instant now) {
    update(relatives, false, now);
  }

  /**
   * Ends the deferred preemptions of reservations that fit without them by now. To be called when
   * no waiting Workload could use that quota: what was freed for a preemptor belongs to it.
   */
  void settle(Instant now) {
    updateAll(true, now);
  }

  /**
   * Chooses all victims again, now that past usage is known. Workloads that were already told to
   * release their quota come first in the new choice anyway.
   */
  void chooseAnew(Instant now) {
    chosen.replaceAll((claimant, targets) -> List.of());
    updateAll(false, now);
  }

  private void updateAll(boolean settling, Instant now) {
    Set<String> done = new HashSet<>();
    for (DeferredPreemption deferredPreemption : List.copyOf(open.values())) {
      if (!done.contains(deferredPreemption.preemptor().clusterQueue())) {
        List<ClusterQueueEntry> relatives =
            books.quotas().relatives(deferredPreemption.preemptor().clusterQueue());
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
    PreemptionCandidates preemptionCandidates = books.preemptionCandidates(now);
    DeferredPreemptionResolver.Outcome outcome =
        new DeferredPreemptionResolver(preemptionCandidates, chosen, this::policy)
            .resolve(books.quotas().tree(), deferring, settling);
    Set<ObjectKey> before =
        chosen.keySet().stream().filter(here::contains).collect(Collectors.toSet());
    open.keySet().removeAll(here);
    for (DeferredPreemption deferredPreemption : outcome.preemptions()) {
      ObjectKey key = deferredPreemption.preemptor().key();
      open.put(key, deferredPreemption);
      chosen.put(key, deferredPreemption.targets());
      outbox.awaitsVictims(key, true);
      before.remove(key);
    }
    markUnsatisfiable(
        here,
        outcome.unsatisfiable().stream()
            .map(Candidate::key)
            .collect(Collectors.toUnmodifiableSet()));
    before.forEach(this::settled);
    outcome.preemptions().forEach(this::pursue);
  }

  private void markUnsatisfiable(Set<ObjectKey> here, Set<ObjectKey> now) {
    for (ObjectKey key : here) {
      boolean isSo = now.contains(key);
      if (isSo ? unsatisfiable.add(key) : unsatisfiable.remove(key)) {
        outbox.unpreemptable(key, isSo);
        effects.wake(key);
      }
    }
  }

  /** The reservation needs no victims any more, or was given up. */
  private void settled(ObjectKey claimant) {
    chosen.remove(claimant);
    outbox.awaitsVictims(claimant, false);
    outbox.withdrawPreemptions(claimant);
    effects.wake(claimant);
  }

  /** A Workload holds no quota any more. */
  void quotaReleased(ObjectKey claimant) {
    open.remove(claimant);
    if (chosen.remove(claimant) != null) {
      outbox.awaitsVictims(claimant, false);
      outbox.withdrawPreemptions(claimant);
    }
    if (unsatisfiable.remove(claimant)) {
      outbox.unpreemptable(claimant, false);
    }
  }

  /** A version of a Workload was seen: its checks may let its preemption go ahead now. */
  void workloadSeen(ObjectKey workload) {
    DeferredPreemption deferredPreemption = open.get(workload);
    if (deferredPreemption != null) {
      pursue(deferredPreemption);
    }
  }

  private void pursue(DeferredPreemption deferredPreemption) {
    ObjectKey key = deferredPreemption.preemptor().key();
    if (due(key)) {
      orders.order(deferredPreemption.preemptor(), deferredPreemption.targets());
    } else {
      outbox.withdrawPreemptions(key);
    }
  }

  /** Whether every check that defers the preemption is Ready, or an alternative, or one asks. */
  private boolean due(ObjectKey key) {
    WorkloadEntry entry = queues.workload(key).orElse(null);
    if (entry == null || entry.latest == null || entry.assumed != null) {
      return false;
    }
    List<AdmissionCheckState> entries = entry.latest.status().admissionChecks();
    Set<String> passed =
        entries.stream()
            .filter(DeferredPreemptions::passed)
            .map(AdmissionCheckState::name)
            .collect(Collectors.toSet());
    Set<String> required = requiredChecks(entry);
    Set<String> deferring = deferringChecks(entry);
    return entries.stream()
            .filter(check -> deferring.contains(check.name()))
            .anyMatch(check -> Boolean.TRUE.equals(check.preemptionRequested()))
        || deferring.stream()
            .allMatch(
                check -> !Collections.disjoint(passed, catalog.alternatives(check, required)));
  }

  /** A record is no answer of a check that is enforced. */
  private static boolean passed(AdmissionCheckState check) {
    return check.is(CheckState.READY) && ObservedAnswer.of(check).isEmpty();
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
    Set<String> checks = requiredChecks(entry);
    checks.retainAll(catalog.deferringChecks());
    return checks;
  }

  private Set<String> requiredChecks(WorkloadEntry entry) {
    return entry
        .currentAdmission()
        .flatMap(
            admission ->
                queues
                    .specOf(admission.clusterQueue())
                    .map(spec -> CheckStrategy.ofAssignment(spec, admission)))
        .orElseGet(TreeSet::new);
  }

  private ClusterQueuePreemption policy(String clusterQueue) {
    return queues
        .specOf(clusterQueue)
        .map(ClusterQueueSpec::preemption)
        .orElseGet(ClusterQueuePreemption::never);
  }
}
