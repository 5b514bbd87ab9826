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
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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

  /**
   * A ClusterQueue came, changed or went; null when it is gone. Its annotations decide nothing: our
   * extensions of it are fields of its spec.
   */
  public void clusterQueue(String name, @Nullable ClusterQueue queue, Instant now) {
    ClusterQueueEntry entry = queues.clusterQueueOf(name);
    ClusterQueue previous = entry.object;
    boolean relevant =
        previous == null
            || queue == null
            || !previous.spec().equals(queue.spec())
            || Health.terminating(previous) != Health.terminating(queue);
    if (relevant) {
      quotas.specChanges(NodeId.queue(name));
    }
    entry.object = queue;
    if (queue == null) {
      usage.forget(ObjectKey.cluster(name), now);
    }
    if (relevant) {
      checkHealth(entry);
      clusterQueueChanged(entry, now);
    }
    queues.forgetIfUnused(entry);
  }

  /** A Cohort came, changed or went; null when it is gone. Its members need not change. */
  public void cohort(String name, @Nullable Cohort cohort, Instant now) {
    if (catalog.cohort(name, cohort)) {
      quotas.specChanges(NodeId.cohort(name));
    }
  }

  /**
   * Draws the consequences of all changes of quota since this was called last: for the queues that
   * share it, or shared it before.
   */
  void settle(Instant now) {
    Quotas.Changes changes = quotas.takeChanges();
    if (changes == null) {
      return;
    }
    for (ClusterQueueEntry entry : changes.queues()) {
      // The Cohorts above may form a cycle now, or no longer do.
      if (entry.object != null && checkHealth(entry)) {
        clusterQueueChanged(entry, now);
      }
    }
    Set<NodeId> checked = new HashSet<>();
    for (ClusterQueueEntry entry : changes.queues()) {
      entry.pending.retryAll();
      if (checked.add(quotas.tree().rootOf(entry.name))) {
        ledger.overcommitment().check(entry, now);
      }
      // The admission scope above them may be another one, and so what has an effect.
      queues.localQueuesOf(entry.name).forEach(local -> effects.queueChanged(local.key));
      effects.queueChanged(ObjectKey.cluster(entry.name));
    }
    changes.cohorts().forEach(effects::cohortChanged);
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
    queues.replace(entry, queue);
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
      } else if (entry.object != null && checkHealth(entry)) {
        // A Cohort above has, or had, quota of a flavor that was missing.
        effects.queueChanged(ObjectKey.cluster(entry.name));
      }
    }
  }

  /** An AdmissionCheck came, changed or went; null when it is gone. */
  public void check(String name, @Nullable AdmissionCheck check, Instant now) {
    boolean specChanged = catalog.check(name, check);
    for (ClusterQueueEntry entry : queues.clusterQueues()) {
      if (entry.object != null && catalog.names(entry.object.spec(), name)) {
        boolean asked = specChanged && usesCheck(entry.object.spec(), name);
        if (checkHealth(entry) || asked) {
          clusterQueueChanged(entry, now);
        }
        if (asked) {
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

  /**
   * Recomputes whether a ClusterQueue can admit, and which of its checks are asked before quota.
   *
   * @return whether the former has changed
   */
  private boolean checkHealth(ClusterQueueEntry entry) {
    Health previous = entry.health;
    entry.health = catalog.healthOf(entry);
    entry.beforeQuota =
        entry.object == null ? Set.of() : Set.copyOf(catalog.beforeQuota(entry.object.spec()));
    return !entry.health.equals(previous);
  }

  private void clusterQueueChanged(ClusterQueueEntry entry, Instant now) {
    if (entry.pending.blockingHeads().isEmpty()) {
      entry.pending.retryAll();
    } else {
      // Quota that was kept for Workloads of this queue may be free for other queues now.
      quotas.tryAgain(entry.name);
    }
    Set<ObjectKey> affected = new LinkedHashSet<>(entry.holders.keySet());
    for (LocalQueueEntry local : queues.localQueuesOf(entry.name)) {
      affected.addAll(local.members);
      effects.queueChanged(local.key);
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
