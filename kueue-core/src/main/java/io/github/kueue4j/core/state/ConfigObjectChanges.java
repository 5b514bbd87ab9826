// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.status.Health;
import io.kubernetes.client.openapi.models.V1LimitRange;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Takes in changes of the objects that decide which Workloads get quota: queues, Cohorts, flavors,
 * checks, limits, namespaces. A view of the {@link State} that belongs to its thread.
 */
@API(status = API.Status.INTERNAL)
public final class ConfigObjectChanges {
  private final QueueIndex queues;
  private final Catalog catalog;
  private final Quotas quotas;
  private final Ledger ledger;
  private final FairUsage usage;
  private final State.Effects effects;

  ConfigObjectChanges(SchedulingBooks books, Ledger ledger) {
    this.queues = books.queues();
    this.catalog = books.catalog();
    this.quotas = books.quotas();
    this.ledger = ledger;
    this.usage = books.usage();
    this.effects = books.effects();
  }

  /** A ClusterQueue came, changed or went; null when it is gone. */
  public void clusterQueue(String name, @Nullable ClusterQueue queue, Instant now) {
    ClusterQueueEntry entry = queues.clusterQueueOf(name);
    ClusterQueue previous = entry.object;
    boolean relevant =
        previous == null
            || queue == null
            || !previous.spec().equals(queue.spec())
            || Health.terminating(previous) != Health.terminating(queue);
    List<ClusterQueueEntry> relatives = relevant ? quotas.relatives(name) : List.of();
    Set<String> cohorts =
        relevant
            ? new LinkedHashSet<>(quotas.cohortsAround(NodeId.queue(name)))
            : new LinkedHashSet<>();
    entry.object = queue;
    if (queue == null) {
      usage.forget(ObjectKey.cluster(name), now);
    }
    if (relevant) {
      quotas.specsChanged();
      checkHealth(entry);
      clusterQueueChanged(entry, now);
      ledger.overcommitment().check(entry, now);
      // The queues that it shared quota with before may have less now.
      quotaChanged(relatives, now);
      quotaChanged(quotas.relatives(name), now);
      cohorts.addAll(quotas.cohortsAround(NodeId.queue(name)));
      cohorts.forEach(effects::cohortChanged);
    }
    queues.forgetIfUnused(entry);
  }

  /** A Cohort came, changed or went; null when it is gone. Its members need not change. */
  public void cohort(String name, @Nullable Cohort cohort, Instant now) {
    List<ClusterQueueEntry> before = quotas.family(name);
    Set<String> cohorts = new LinkedHashSet<>(quotas.cohortsAround(NodeId.cohort(name)));
    if (!catalog.cohort(name, cohort)) {
      return;
    }
    quotas.specsChanged();
    SequencedSet<ClusterQueueEntry> affected = new LinkedHashSet<>(before);
    affected.addAll(quotas.family(name));
    for (ClusterQueueEntry entry : affected) {
      if (entry.object != null && checkHealth(entry)) {
        clusterQueueChanged(entry, now);
      }
    }
    quotaChanged(affected, now);
    cohorts.addAll(quotas.cohortsAround(NodeId.cohort(name)));
    cohorts.add(name);
    cohorts.forEach(effects::cohortChanged);
  }

  /** The quota of these queues has changed. */
  private void quotaChanged(Collection<ClusterQueueEntry> affected, Instant now) {
    for (ClusterQueueEntry entry : affected) {
      entry.pending.retryAll();
      ledger.overcommitment().check(entry, now);
      effects.queueChanged(ObjectKey.cluster(entry.name));
    }
  }

  /** A LocalQueue came, changed or went; null when it is gone. */
  public void localQueue(ObjectKey key, @Nullable LocalQueue queue, Instant now) {
    LocalQueueEntry entry = queues.localQueueOf(key);
    LocalQueue previous = entry.object;
    boolean relevant =
        previous == null
            || queue == null
            || !previous.spec().equals(queue.spec())
            || Health.terminating(previous) != Health.terminating(queue);
    entry.object = queue;
    if (queue == null) {
      usage.forget(key, now);
    }
    if (relevant) {
      for (ObjectKey member : List.copyOf(entry.members)) {
        reconsider(member, now);
        effects.wake(member);
      }
      effects.queueChanged(key);
    }
    queues.forgetIfUnused(entry);
  }

  /** A ResourceFlavor came, changed or went; null when it is gone. */
  public void flavor(String name, @Nullable ResourceFlavor flavor, Instant now) {
    if (!catalog.flavor(name, flavor)) {
      return;
    }
    for (ClusterQueueEntry entry : queues.clusterQueues()) {
      if (entry.object != null && usesFlavor(entry.object.spec(), name)) {
        checkHealth(entry);
        clusterQueueChanged(entry, now);
      }
    }
  }

  /** An AdmissionCheck came, changed or went; null when it is gone. */
  public void check(String name, @Nullable AdmissionCheck check, Instant now) {
    boolean specChanged = catalog.check(name, check);
    for (ClusterQueueEntry entry : queues.clusterQueues()) {
      if (entry.object != null && usesCheck(entry.object.spec(), name)) {
        if (checkHealth(entry) || specChanged) {
          clusterQueueChanged(entry, now);
        }
        if (specChanged) {
          // Whether the check defers preemption decides which quota a reservation can count on.
          ledger.overcommitment().check(entry, now);
        }
      }
    }
  }

  /** A LimitRange came, changed or went; null when it is gone. */
  public void limitRange(ObjectKey key, @Nullable V1LimitRange range, Instant now) {
    if (catalog.limitRange(key, range)) {
      for (WorkloadEntry entry : List.copyOf(queues.workloads())) {
        if (entry.key.namespace().equals(key.namespace())) {
          entry.forgetDemands();
          ledger.refresh(entry, now);
        }
      }
    }
  }

  /**
   * A RuntimeClass came, changed or went.
   *
   * @param overhead what it adds to every pod; empty when it is gone
   */
  public void runtimeClass(String name, Map<String, Quantity> overhead, Instant now) {
    if (catalog.runtimeClass(name, overhead)) {
      for (WorkloadEntry entry : List.copyOf(queues.workloads())) {
        entry.forgetDemands();
        ledger.refresh(entry, now);
      }
    }
  }

  /**
   * A namespace came, changed or went.
   *
   * @param labels null when it is gone
   */
  public void namespace(String name, @Nullable Map<String, String> labels) {
    if (catalog.namespace(name, labels)) {
      queues.clusterQueues().forEach(entry -> entry.pending.retryAll());
    }
  }

  /** Recomputes whether a ClusterQueue can admit; true if that has changed. */
  private boolean checkHealth(ClusterQueueEntry entry) {
    Health previous = entry.health;
    entry.health = catalog.healthOf(entry);
    return !entry.health.equals(previous);
  }

  private void clusterQueueChanged(ClusterQueueEntry entry, Instant now) {
    if (entry.pending.blockingHeads().isEmpty()) {
      entry.pending.retryAll();
    } else {
      // Quota that was kept for Workloads of this queue may be free for other queues now.
      quotas.unpark(entry.name);
    }
    Set<ObjectKey> affected = new LinkedHashSet<>(entry.holders.keySet());
    for (LocalQueueEntry local : queues.localQueues()) {
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

  private void reconsider(ObjectKey key, Instant now) {
    queues.workload(key).ifPresent(entry -> ledger.refresh(entry, now));
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
