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
package io.github.kueue4j.core;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckStrategyRule;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.WorkloadEntry.Holding;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.queue.PendingQueue;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.QuotaNode;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.scheduler.SchedulingCycle;
import io.github.kueue4j.core.scheduler.Snapshot;
import io.github.kueue4j.core.status.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that scheduling depends on: queues, who waits, who holds how much quota. It is fed by
 * the informers' changes and by the outcome of our own writes, and belongs to one thread (see
 * {@link StateLoop}); it writes nothing itself but asks for it through the {@link Outbox}.
 *
 * <p>A decided reservation counts at once, before any version of the Workload shows it: nothing is
 * reserved twice however late the informer is.
 */
final class State {
  /** A verdict that changes while it is looked at helps nobody. */
  private static final Duration VERDICT_DELAY = Duration.ofSeconds(1);

  /** How many cycles may run before events that came in meanwhile get their turn. */
  private static final int CYCLES_PER_TURN = 64;

  private final Map<ObjectKey, WorkloadEntry> workloads = new HashMap<>();
  private final Map<String, ClusterQueueEntry> clusterQueues = new TreeMap<>();
  private final Map<ObjectKey, LocalQueueEntry> localQueues = new TreeMap<>();
  private final Map<String, ResourceFlavor> flavors = new HashMap<>();
  private final Map<String, AdmissionCheck> checks = new HashMap<>();
  private final Map<String, Map<String, String>> namespaces = new HashMap<>();
  private final List<String> excludedPrefixes;
  private final Outbox outbox;
  private final Effects effects;

  /** What follows from a change of the State. Called on the State's thread; must not block. */
  interface Effects {
    /** A Workload should be looked at. */
    void wake(ObjectKey workload);

    /** A Workload should be looked at, but not before {@code when}. */
    void wakeAt(ObjectKey workload, Instant when);

    /** A Workload can be tried again from {@code when} on. */
    void retryAt(ObjectKey workload, Instant when);

    /** What is counted for a queue has changed; LocalQueues have a namespace. */
    void queueChanged(ObjectKey queue);

    /** A head was tried. */
    void attempted(Decision decision);
  }

  State(List<String> excludedPrefixes, Outbox outbox, Effects effects) {
    this.excludedPrefixes = excludedPrefixes;
    this.outbox = outbox;
    this.effects = effects;
  }

  // What happens in the world.

  void workload(Workload workload, Instant now) {
    ObjectKey key = ObjectKey.of(workload);
    WorkloadEntry entry = workloads.computeIfAbsent(key, WorkloadEntry::new);
    if (entry.latest != null && ResourceVersions.older(workload, entry.latest)) {
      return;
    }
    entry.latest = workload;
    if (Phase.holdsQuota(workload)) {
      entry.assumed = null;
    }
    moveTo(entry, queueKey(workload));
    refresh(entry, now);
  }

  void workloadGone(ObjectKey key, Instant now) {
    WorkloadEntry entry = workloads.remove(key);
    if (entry != null) {
      entry.latest = null;
      entry.assumed = null;
      refresh(entry, now);
      moveTo(entry, null);
      outbox.forget(key);
    }
  }

  /** The worker has written the reservation, or found that it is there. */
  void reservationWritten(ObjectKey key, Decision.Reserve decision, Workload written, Instant now) {
    WorkloadEntry entry = workloads.get(key);
    if (entry != null) {
      if (decision.equals(entry.assumed)) {
        entry.assumed = null;
      }
      workload(written, now);
      refresh(entry, now);
    }
  }

  /**
   * The worker could not write the reservation: the quota is free again.
   *
   * @param notBefore when to try again
   */
  void reservationFailed(ObjectKey key, Decision.Reserve decision, Instant notBefore, Instant now) {
    WorkloadEntry entry = workloads.get(key);
    if (entry != null && decision.equals(entry.assumed)) {
      entry.assumed = null;
      entry.notBefore = notBefore;
      refresh(entry, now);
      effects.retryAt(key, notBefore);
    }
  }

  /** Looks at a Workload again, since time has passed. */
  void reconsider(ObjectKey key, Instant now) {
    WorkloadEntry entry = workloads.get(key);
    if (entry != null) {
      refresh(entry, now);
    }
  }

  void clusterQueue(String name, @Nullable ClusterQueue queue, Instant now) {
    ClusterQueueEntry entry = clusterQueues.computeIfAbsent(name, ClusterQueueEntry::new);
    ClusterQueue previous = entry.object;
    boolean relevant =
        previous == null
            || queue == null
            || !previous.spec().equals(queue.spec())
            || Health.terminating(previous) != Health.terminating(queue);
    entry.set(queue);
    if (relevant) {
      checkHealth(entry);
      clusterQueueChanged(entry, now);
      checkOvercommitment(entry);
    }
    forgetIfUnused(entry);
  }

  void localQueue(ObjectKey key, @Nullable LocalQueue queue, Instant now) {
    LocalQueueEntry entry = localQueues.computeIfAbsent(key, LocalQueueEntry::new);
    LocalQueue previous = entry.object;
    boolean relevant =
        previous == null
            || queue == null
            || !previous.spec().equals(queue.spec())
            || Health.terminating(previous) != Health.terminating(queue);
    entry.object = queue;
    if (relevant) {
      for (ObjectKey member : List.copyOf(entry.members)) {
        reconsider(member, now);
        effects.wake(member);
      }
      effects.queueChanged(key);
    }
    if (queue == null && entry.members.isEmpty()) {
      localQueues.remove(key);
    }
  }

  void flavor(String name, @Nullable ResourceFlavor flavor, Instant now) {
    ResourceFlavor previous = flavor == null ? flavors.remove(name) : flavors.put(name, flavor);
    if (previous != null && flavor != null && previous.spec().equals(flavor.spec())) {
      return;
    }
    for (ClusterQueueEntry entry : List.copyOf(clusterQueues.values())) {
      if (entry.object != null && usesFlavor(entry.object.spec(), name)) {
        checkHealth(entry);
        clusterQueueChanged(entry, now);
      }
    }
  }

  void check(String name, @Nullable AdmissionCheck check, Instant now) {
    AdmissionCheck previous = check == null ? checks.remove(name) : checks.put(name, check);
    boolean specChanged =
        previous == null || check == null || !previous.spec().equals(check.spec());
    for (ClusterQueueEntry entry : List.copyOf(clusterQueues.values())) {
      if (entry.object != null && usesCheck(entry.object.spec(), name)) {
        if (checkHealth(entry) || specChanged) {
          clusterQueueChanged(entry, now);
        }
      }
    }
  }

  /**
   * A namespace came or changed.
   *
   * @param labels null when it is gone
   */
  void namespace(String name, @Nullable Map<String, String> labels) {
    Map<String, String> previous =
        labels == null ? namespaces.remove(name) : namespaces.put(name, Map.copyOf(labels));
    if (labels != null && !labels.equals(previous)) {
      clusterQueues.values().forEach(entry -> entry.pending.unpark());
    }
  }

  // Scheduling.

  /**
   * Runs cycles until no queue has a head left that is worth a try.
   *
   * @return false if it stopped early so that events get their turn
   */
  boolean schedule(Instant now) {
    for (int cycle = 0; cycle < CYCLES_PER_TURN; cycle++) {
      List<SchedulingCycle.Head> heads = heads();
      if (heads.isEmpty()) {
        return true;
      }
      for (Decision decision : SchedulingCycle.run(snapshot(), heads)) {
        effects.attempted(decision);
        apply(decision, now);
      }
    }
    return false;
  }

  private List<SchedulingCycle.Head> heads() {
    List<SchedulingCycle.Head> heads = new ArrayList<>();
    for (ClusterQueueEntry queue : clusterQueues.values()) {
      if (queue.health.active()) {
        queue
            .pending
            .head()
            .ifPresent(head -> heads.add(new SchedulingCycle.Head(queue.name, head)));
      }
    }
    return heads;
  }

  private Snapshot snapshot() {
    Map<String, Snapshot.Queue> queues = new HashMap<>();
    for (ClusterQueueEntry queue : clusterQueues.values()) {
      if (queue.object != null && queue.health.active()) {
        queues.put(queue.name, new Snapshot.Queue(queue.object.spec(), queue.node));
      }
    }
    return new Snapshot(queues, flavors, namespaces);
  }

  private void apply(Decision decision, Instant now) {
    ObjectKey key = decision.workload().key();
    switch (decision) {
      case Decision.Reserve reserve -> {
        WorkloadEntry entry = workloads.get(key);
        if (entry != null) {
          entry.assumed = reserve;
          outbox.reserve(key, reserve);
          refresh(entry, now);
          effects.wake(key);
        }
      }
      case Decision.Inadmissible refused -> {
        PendingQueue pending = entryOf(refused.clusterQueue()).pending;
        if (refused.blocking()) {
          pending.parkAll();
        } else {
          pending.parkShape(refused.workload());
        }
        Outbox.Verdict verdict =
            new Outbox.Verdict(refused.reason(), refused.message(), now.plus(VERDICT_DELAY));
        effects.wakeAt(key, outbox.verdict(key, verdict));
        effects.queueChanged(ObjectKey.cluster(refused.clusterQueue()));
      }
    }
  }

  // What the shell asks.

  Optional<ClusterQueueEntry> clusterQueue(String name) {
    return Optional.ofNullable(clusterQueues.get(name));
  }

  Optional<LocalQueueEntry> localQueue(ObjectKey key) {
    return Optional.ofNullable(localQueues.get(key));
  }

  /** The health of the ClusterQueue that a LocalQueue leads to; empty if there is none. */
  Optional<Health> healthBehind(LocalQueueEntry queue) {
    return Optional.ofNullable(queue.object)
        .map(object -> object.spec().clusterQueue())
        .map(clusterQueues::get)
        .filter(entry -> entry.object != null)
        .map(entry -> entry.health);
  }

  // Keeping the parts in step.

  private void refresh(WorkloadEntry entry, Instant now) {
    hold(entry, entry.currentHolding().orElse(null));
    await(entry, waiting(entry, now).orElse(null));
  }

  private void hold(WorkloadEntry entry, @Nullable Holding next) {
    Holding previous = entry.holding;
    if (Objects.equals(previous, next)) {
      return;
    }
    entry.holding = next;
    if (previous != null) {
      ClusterQueueEntry queue = entryOf(previous.clusterQueue());
      queue.counts = queue.counts.minus(previous.usage(), previous.admitted());
      queue.node = queue.node.release(previous.usage());
      queue.holders.remove(entry.key);
      LocalQueueEntry local = entryOf(previous.localQueue());
      local.counts = local.counts.minus(previous.usage(), previous.admitted());
    }
    if (next != null) {
      ClusterQueueEntry queue = entryOf(next.clusterQueue());
      queue.counts = queue.counts.plus(next.usage(), next.admitted());
      queue.node = queue.node.reserve(next.usage());
      queue.holders.add(entry.key);
      LocalQueueEntry local = entryOf(next.localQueue());
      local.counts = local.counts.plus(next.usage(), next.admitted());
    }
    if (previous != null) {
      ClusterQueueEntry queue = entryOf(previous.clusterQueue());
      boolean freed =
          next == null
              || !next.clusterQueue().equals(previous.clusterQueue())
              || !next.usage().equals(previous.usage());
      if (freed) {
        queue.pending.unpark();
      }
      outbox.overcommitted(entry.key, false);
      checkOvercommitment(queue);
      effects.queueChanged(ObjectKey.cluster(previous.clusterQueue()));
      effects.queueChanged(previous.localQueue());
      forgetIfUnused(queue);
    }
    if (next != null) {
      effects.queueChanged(ObjectKey.cluster(next.clusterQueue()));
      effects.queueChanged(next.localQueue());
    }
  }

  private void await(WorkloadEntry entry, @Nullable Place next) {
    String previous = entry.waitsIn;
    String target = next == null ? null : next.clusterQueue();
    if (previous != null && !previous.equals(target)) {
      ClusterQueueEntry queue = entryOf(previous);
      queue.pending.remove(entry.key);
      effects.queueChanged(ObjectKey.cluster(previous));
      forgetIfUnused(queue);
    }
    if (next != null) {
      entryOf(next.clusterQueue()).pending.put(next.workload());
      if (!next.clusterQueue().equals(previous)) {
        effects.queueChanged(ObjectKey.cluster(next.clusterQueue()));
      }
    } else if (previous != null) {
      outbox.forgetVerdict(entry.key);
    }
    if ((previous == null) != (target == null) && entry.localQueue != null) {
      LocalQueueEntry local = entryOf(entry.localQueue);
      local.pending += target == null ? -1 : 1;
      effects.queueChanged(entry.localQueue);
    }
    entry.waitsIn = target;
  }

  /** Where a Workload waits. */
  private record Place(String clusterQueue, QueuedWorkload workload) {}

  private Optional<Place> waiting(WorkloadEntry entry, Instant now) {
    Workload workload = entry.latest;
    ObjectKey local = entry.localQueue;
    if (workload == null
        || local == null
        || entry.holding != null
        || Health.terminating(workload)
        || (entry.notBefore != null && now.isBefore(entry.notBefore))
        || workload.status().admissionChecks().stream()
            .anyMatch(check -> check.is(CheckState.REJECTED))) {
      return Optional.empty();
    }
    return entryOf(local)
        .target()
        .filter(target -> Phase.of(workload, requiredBy(target)) == Phase.QUEUED)
        .flatMap(
            target ->
                demands(entry, now)
                    .map(
                        demands ->
                            new Place(
                                target,
                                QueuedWorkload.of(
                                    entry.key,
                                    Uids.of(workload),
                                    local.name(),
                                    Objects.requireNonNullElse(workload.spec().priority(), 0),
                                    QueueOrder.queuedSince(workload),
                                    demands))));
  }

  /** What a Workload asks for; empty if nobody can tell, which is then said in its status. */
  private Optional<List<PodSetDemand>> demands(WorkloadEntry entry, Instant now) {
    try {
      return Optional.of(entry.demands(excludedPrefixes));
    } catch (RuntimeException e) {
      outbox.verdict(
          entry.key, new Outbox.Verdict("Misconfigured", "resources validation failed: " + e, now));
      effects.wake(entry.key);
      return Optional.empty();
    }
  }

  private Set<String> requiredBy(String clusterQueue) {
    ClusterQueueEntry entry = clusterQueues.get(clusterQueue);
    return entry == null || entry.object == null
        ? Set.of()
        : entry.object.spec().admissionChecks().stream()
            .map(AdmissionCheckStrategyRule::name)
            .collect(Collectors.toUnmodifiableSet());
  }

  private void moveTo(WorkloadEntry entry, @Nullable ObjectKey queue) {
    ObjectKey previous = entry.localQueue;
    if (Objects.equals(previous, queue)) {
      return;
    }
    if (previous != null) {
      await(entry, null);
      hold(entry, null);
      entryOf(previous).members.remove(entry.key);
    }
    entry.localQueue = queue;
    if (queue != null) {
      entryOf(queue).members.add(entry.key);
    }
  }

  /** Recomputes whether a ClusterQueue can admit; true if that has changed. */
  private boolean checkHealth(ClusterQueueEntry entry) {
    Health previous = entry.health;
    entry.health =
        entry.object == null
            ? ClusterQueueEntry.NOT_FOUND
            : Health.of(
                entry.object, flavors::containsKey, name -> Optional.ofNullable(checks.get(name)));
    return !entry.health.equals(previous);
  }

  private void clusterQueueChanged(ClusterQueueEntry entry, Instant now) {
    entry.pending.unpark();
    Set<ObjectKey> affected = new LinkedHashSet<>(entry.holders);
    for (LocalQueueEntry local : localQueues.values()) {
      if (local.object != null && entry.name.equals(local.object.spec().clusterQueue())) {
        affected.addAll(local.members);
        effects.queueChanged(local.key);
      }
    }
    for (ObjectKey key : affected) {
      reconsider(key, now);
      effects.wake(key);
    }
    effects.queueChanged(ObjectKey.cluster(entry.name));
  }

  /**
   * After an administrator has taken quota away: marks the youngest reservations whose Workloads
   * aren't admitted yet, as many as it takes for the rest to fit. What is admitted keeps running.
   */
  private void checkOvercommitment(ClusterQueueEntry entry) {
    boolean exceeded = entry.node.exceeded();
    if (!exceeded && !entry.overcommitted) {
      return;
    }
    entry.overcommitted = exceeded;
    List<WorkloadEntry> revocable =
        entry.holders.stream()
            .map(workloads::get)
            .filter(Objects::nonNull)
            .filter(holder -> holder.holding != null && !holder.holding.admitted())
            .sorted(Comparator.comparing(QueueOrder::reservedSince).reversed())
            .toList();
    QuotaNode node = entry.node;
    for (WorkloadEntry holder : revocable) {
      Holding holding = Objects.requireNonNull(holder.holding);
      QuotaNode current = node;
      boolean exceeds =
          holding.usage().asMap().keySet().stream().anyMatch(key -> current.available(key) < 0);
      if (exceeds) {
        node = node.release(holding.usage());
      }
      if (exceeds != outbox.overcommitted(holder.key)) {
        outbox.overcommitted(holder.key, exceeds);
        effects.wake(holder.key);
      }
    }
  }

  private ClusterQueueEntry entryOf(String clusterQueue) {
    return clusterQueues.computeIfAbsent(clusterQueue, ClusterQueueEntry::new);
  }

  private LocalQueueEntry entryOf(ObjectKey localQueue) {
    return localQueues.computeIfAbsent(localQueue, LocalQueueEntry::new);
  }

  private void forgetIfUnused(ClusterQueueEntry entry) {
    if (entry.forgettable()) {
      clusterQueues.remove(entry.name);
    }
  }

  private static @Nullable ObjectKey queueKey(Workload workload) {
    String name = workload.spec().queueName();
    return name == null || name.isEmpty()
        ? null
        : new ObjectKey(ObjectKey.of(workload).namespace(), name);
  }

  private static boolean usesFlavor(ClusterQueueSpec spec, String name) {
    return spec.resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .anyMatch(flavor -> flavor.name().equals(name));
  }

  private static boolean usesCheck(ClusterQueueSpec spec, String name) {
    return spec.admissionChecks().stream().anyMatch(rule -> rule.name().equals(name));
  }
}
