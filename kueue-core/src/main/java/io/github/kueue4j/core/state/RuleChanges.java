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
import org.jspecify.annotations.Nullable;

/**
 * Takes in changes of the objects by whose rules Workloads get quota (see {@link State}): queues,
 * Cohorts, flavors, checks, limits; belongs to the State's thread.
 */
final class RuleChanges {
  private final QueueIndex queues;
  private final Catalog catalog;
  private final Quotas quotas;
  private final Ledger ledger;
  private final FairUsage usage;
  private final Reports reports;
  private final State.Effects effects;

  RuleChanges(
      QueueIndex queues,
      Catalog catalog,
      Quotas quotas,
      Ledger ledger,
      FairUsage usage,
      Reports reports,
      State.Effects effects) {
    this.queues = queues;
    this.catalog = catalog;
    this.quotas = quotas;
    this.ledger = ledger;
    this.usage = usage;
    this.reports = reports;
    this.effects = effects;
  }

  void clusterQueue(String name, @Nullable ClusterQueue queue, Instant now) {
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
            ? new LinkedHashSet<>(reports.cohortsAround(NodeId.queue(name)))
            : new LinkedHashSet<>();
    entry.object = queue;
    if (queue == null) {
      usage.forget(ObjectKey.cluster(name), now);
    }
    if (relevant) {
      quotas.specsChanged();
      checkHealth(entry);
      clusterQueueChanged(entry, now);
      ledger.checkOvercommitment(entry, now);
      // Those that it shared quota with before may have less now.
      quotaChanged(relatives, now);
      quotaChanged(quotas.relatives(name), now);
      cohorts.addAll(reports.cohortsAround(NodeId.queue(name)));
      cohorts.forEach(effects::cohortChanged);
    }
    queues.forgetIfUnused(entry);
  }

  void cohort(String name, @Nullable Cohort cohort, Instant now) {
    List<ClusterQueueEntry> before = quotas.family(name);
    Set<String> cohorts = new LinkedHashSet<>(reports.cohortsAround(NodeId.cohort(name)));
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
    cohorts.addAll(reports.cohortsAround(NodeId.cohort(name)));
    cohorts.add(name);
    cohorts.forEach(effects::cohortChanged);
  }

  /** There is more or less quota than before for these. */
  private void quotaChanged(Collection<ClusterQueueEntry> affected, Instant now) {
    for (ClusterQueueEntry entry : affected) {
      entry.pending.unpark();
      ledger.checkOvercommitment(entry, now);
      effects.queueChanged(ObjectKey.cluster(entry.name));
    }
  }

  void localQueue(ObjectKey key, @Nullable LocalQueue queue, Instant now) {
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

  void flavor(String name, @Nullable ResourceFlavor flavor, Instant now) {
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

  void check(String name, @Nullable AdmissionCheck check, Instant now) {
    boolean specChanged = catalog.check(name, check);
    for (ClusterQueueEntry entry : queues.clusterQueues()) {
      if (entry.object != null && usesCheck(entry.object.spec(), name)) {
        if (checkHealth(entry) || specChanged) {
          clusterQueueChanged(entry, now);
        }
        if (specChanged) {
          // Whether it defers preemption decides whose quota a reservation can count on.
          ledger.checkOvercommitment(entry, now);
        }
      }
    }
  }

  void limitRange(ObjectKey key, @Nullable V1LimitRange range, Instant now) {
    if (catalog.limitRange(key, range)) {
      for (WorkloadEntry entry : List.copyOf(queues.workloads())) {
        if (entry.key.namespace().equals(key.namespace())) {
          entry.forgetDemands();
          ledger.refresh(entry, now);
        }
      }
    }
  }

  void runtimeClass(String name, Map<String, Quantity> overhead, Instant now) {
    if (catalog.runtimeClass(name, overhead)) {
      for (WorkloadEntry entry : List.copyOf(queues.workloads())) {
        entry.forgetDemands();
        ledger.refresh(entry, now);
      }
    }
  }

  void namespace(String name, @Nullable Map<String, String> labels) {
    if (catalog.namespace(name, labels)) {
      queues.clusterQueues().forEach(entry -> entry.pending.unpark());
    }
  }

  /** Recomputes whether a ClusterQueue can admit; true if that has changed. */
  private boolean checkHealth(ClusterQueueEntry entry) {
    Health previous = entry.health;
    entry.health = catalog.healthOf(entry);
    return !entry.health.equals(previous);
  }

  private void clusterQueueChanged(ClusterQueueEntry entry, Instant now) {
    if (entry.pending.standing().isEmpty()) {
      entry.pending.unpark();
    } else {
      // The quota that was kept for its first ones may be kept no longer.
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
