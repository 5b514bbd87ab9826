// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.BeforeQuota;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.queue.AdmissionGates;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.DemandCalculator;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.queue.WorkloadPriority;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.JobWorkload;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a Workload waits for quota now, and in which ClusterQueue. Belongs to the State's
 * thread.
 */
final class QueueEligibility {
  private final SchedulingBooks books;
  private final QueueIndex queues;
  private final DemandCalculator demandCalculator;

  QueueEligibility(SchedulingBooks books) {
    this.books = books;
    this.queues = books.queues();
    this.demandCalculator =
        new DemandCalculator(
            books.settings().resources(), books.catalog()::limits, books.catalog()::overhead);
  }

  /** The place of a Workload that could get quota. */
  sealed interface QueuePlace {}

  /**
   * It waits for quota.
   *
   * @param clusterQueue where it waits
   * @param workload as it takes part in scheduling
   */
  record Waiting(String clusterQueue, QueuedWorkload workload) implements QueuePlace {}

  /** It doesn't wait, since what it asks for can't be computed. */
  record Misconfigured(String problem) implements QueuePlace {}

  /** Where a Workload waits, or why it can't; empty if it need not. */
  Optional<QueuePlace> of(WorkloadEntry entry) {
    Workload workload = entry.latest;
    ObjectKey local = entry.localQueue;
    if (workload == null || local == null || entry.holding != null || excluded(entry)) {
      return Optional.empty();
    }
    return queues
        .localQueueOf(local)
        .target()
        .filter(target -> Phase.of(workload, requiredChecks(target)) == Phase.QUEUED)
        .filter(target -> BeforeQuota.open(workload, beforeQuota(target)))
        .map(target -> placeOf(entry, workload, local, target));
  }

  /**
   * The ClusterQueue that a Workload goes back to after its backoff, or in which it waits for
   * checks before quota; empty if it does neither.
   */
  Optional<String> backsOffIn(WorkloadEntry entry) {
    Workload workload = entry.latest;
    ObjectKey local = entry.localQueue;
    if (workload == null || local == null || Health.terminating(workload)) {
      return Optional.empty();
    }
    return queues
        .localQueueOf(local)
        .target()
        .filter(
            target ->
                switch (Phase.of(workload, requiredChecks(target))) {
                  case BACKOFF -> true;
                  case QUEUED -> awaitsChecks(entry, workload, target);
                  default -> false;
                });
  }

  private boolean awaitsChecks(WorkloadEntry entry, Workload workload, String clusterQueue) {
    return !BeforeQuota.open(workload, beforeQuota(clusterQueue))
        && entry.holding == null
        && !excluded(entry);
  }

  private boolean excluded(WorkloadEntry entry) {
    Workload workload = Objects.requireNonNull(entry.latest, "latest");
    return Health.terminating(workload)
        || (books.settings().gates().admissionGates() && AdmissionGates.of(workload).isPresent())
        || JobWorkload.awaitsPods(workload)
        // The worker is about to write that it has finished.
        || (books.settings().gates().finishesOrphans() && JobWorkload.orphaned(workload))
        || (entry.notBefore != null && books.steady().instant().isBefore(entry.notBefore))
        || workload.status().admissionChecks().stream()
            .anyMatch(check -> check.is(CheckState.REJECTED));
  }

  private QueuedWorkload queued(
      WorkloadEntry entry,
      Workload workload,
      ObjectKey localQueue,
      String clusterQueue,
      List<PodSetDemand> asked) {
    QueuedWorkload queued =
        QueuedWorkload.of(
                entry.key,
                Uids.of(workload),
                localQueue.name(),
                WorkloadPriority.of(workload, books.settings().gates().priorityBoost()).effective(),
                QueueOrder.queuedSince(workload, books.keepsPlace(clusterQueue)),
                asked)
            .firstSeenIn(entry.firstVersion);
    return entry.livelockGuard.restrict(queued, books.steady().instant());
  }

  private QueuePlace placeOf(
      WorkloadEntry entry, Workload workload, ObjectKey localQueue, String clusterQueue) {
    List<PodSetDemand> declared;
    try {
      List<PodSetDemand> asked = entry.demands(demandCalculator);
      Optional<String> problem = demandCalculator.problem(workload);
      if (problem.isPresent()) {
        return new Misconfigured(problem.get());
      }
      declared = demandCalculator.declared(asked, queues.specOf(clusterQueue).orElse(null));
    } catch (RuntimeException e) {
      return new Misconfigured("resources validation failed: " + e);
    }
    return new Waiting(clusterQueue, queued(entry, workload, localQueue, clusterQueue, declared));
  }

  private Set<String> beforeQuota(String clusterQueue) {
    return queues.clusterQueue(clusterQueue).map(queue -> queue.beforeQuota).orElse(Set.of());
  }

  private Set<String> requiredChecks(String clusterQueue) {
    return queues
        .specOf(clusterQueue)
        .<Set<String>>map(CheckStrategy::ofAnyFlavor)
        .orElse(Set.of());
  }
}
