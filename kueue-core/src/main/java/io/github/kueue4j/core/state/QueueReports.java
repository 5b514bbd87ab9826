// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.state.StateSnapshot.QueueWithWaiting;
import io.github.kueue4j.core.status.ClusterQueueReport;
import io.github.kueue4j.core.status.CohortReport;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.LocalQueueReport;
import io.github.kueue4j.core.status.QueueCounts;
import io.github.kueue4j.core.status.SwitchedOff;
import io.github.kueue4j.jobs.Keys;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The reports of the State about queues and Cohorts, for statuses, metrics and finalizers: a
 * read-only view that belongs to the State's thread. Other threads read it through {@link
 * StateLoop#ask}.
 */
@API(status = API.Status.INTERNAL)
public final class QueueReports {
  private final QueueIndex queues;
  private final Quotas quotas;
  private final FairUsage usage;
  private final SwitchedOff switchedOff;
  private final Catalog catalog;

  QueueReports(SchedulingBooks books) {
    this.catalog = books.catalog();
    this.queues = books.queues();
    this.quotas = books.quotas();
    this.usage = books.usage();
    this.switchedOff = books.settings().switchedOff();
  }

  /** The report about a ClusterQueue; empty if there is no such object. */
  public Optional<ClusterQueueReport> clusterQueue(String name) {
    return queues.clusterQueue(name).flatMap(this::clusterQueue);
  }

  private Optional<ClusterQueueReport> clusterQueue(ClusterQueueEntry entry) {
    ClusterQueue object = entry.object;
    if (object == null) {
      return Optional.empty();
    }
    NodeId node = NodeId.queue(entry.name);
    QuotaTree tree = quotas.tree();
    return Optional.of(
        new ClusterQueueReport(
            object,
            entry.reportedHealth(),
            entry.currentCounts(),
            entry.health.active() ? entry.pending.inadmissible() : entry.pending.size(),
            tree.dominantShare(node),
            tree.parent(node).map(NodeId::name).orElse(""),
            usage.report(ObjectKey.cluster(entry.name))));
  }

  /**
   * Where a Workload waits.
   *
   * @param clusterQueue its ClusterQueue
   * @param place in the order in which that serves, from 1
   * @param of how many wait there
   * @param reason of the QuotaReserved=False condition that holds for it although it wasn't tried
   *     itself; empty if none does
   * @param message of the same condition
   */
  @API(status = API.Status.INTERNAL)
  public record Waits(String clusterQueue, int place, int of, String reason, String message) {}

  /** Where a Workload waits for quota; empty if it doesn't. */
  public Optional<Waits> waits(ObjectKey workload, Instant now) {
    return queues
        .workload(workload)
        .flatMap(entry -> Optional.ofNullable(entry.waitsIn))
        .flatMap(queues::clusterQueue)
        .flatMap(
            queue ->
                Optional.ofNullable(queue.pending.get(workload))
                    .map(waiting -> waits(queue, waiting, now)));
  }

  private Waits waits(ClusterQueueEntry queue, QueuedWorkload waiting, Instant now) {
    List<QueuedWorkload> order =
        queue.pending.waiting().inOrder(localQueue -> usage.of(localQueue, now));
    PendingReason inherited = queue.reasons.of(waiting);
    return new Waits(
        queue.name,
        order.indexOf(waiting) + 1,
        order.size(),
        inherited == null ? "" : inherited.reason(),
        inherited == null ? "" : inherited.message());
  }

  /** The sum of the requests of all Workloads that wait in a ClusterQueue, by resource. */
  public Amounts<String> pendingRequests(String clusterQueue) {
    return queues
        .clusterQueue(clusterQueue)
        .map(entry -> entry.pending.requests())
        .orElse(Amounts.none());
  }

  /** Whether any Workload holds quota of a ClusterQueue, even if there is no such object. */
  public boolean quotaHeldIn(String clusterQueue) {
    return queues.clusterQueue(clusterQueue).filter(entry -> !entry.holders.isEmpty()).isPresent();
  }

  /**
   * Whether a ClusterQueue is being deleted and nothing but the core's finalizer keeps it, which
   * the core removes.
   */
  public boolean disappears(String clusterQueue) {
    return !quotaHeldIn(clusterQueue)
        && queues
            .clusterQueue(clusterQueue)
            .map(entry -> entry.object)
            .filter(Health::terminating)
            .filter(
                object ->
                    Objects.requireNonNullElse(object.metadata().getFinalizers(), List.<String>of())
                        .stream()
                        .allMatch(Keys.FINALIZER::equals))
            .isPresent();
  }

  /** The report about a LocalQueue; empty if there is no such object. */
  public Optional<LocalQueueReport> localQueue(ObjectKey key) {
    return queues.localQueue(key).flatMap(this::localQueue);
  }

  private Optional<LocalQueueReport> localQueue(LocalQueueEntry entry) {
    LocalQueue object = entry.object;
    return object == null
        ? Optional.empty()
        : Optional.of(
            new LocalQueueReport(
                object,
                Health.of(object, queues.healthBehind(entry).orElse(null))
                    .with(ineffective(entry, object)),
                entry.currentCounts(),
                Optional.ofNullable(object.spec().clusterQueue())
                    .flatMap(queues::specOf)
                    .orElse(null),
                usage.report(entry.key)));
  }

  /**
   * The parts of a LocalQueue, whose ClusterQueue is active if this counts, that have no effect.
   */
  private List<String> ineffective(LocalQueueEntry entry, LocalQueue object) {
    boolean ordered =
        entry.target().flatMap(queues::clusterQueue).flatMap(usage::scopeOf).isPresent();
    return switchedOff.of(object, ordered);
  }

  /** The report about a Cohort; empty if there is no such object and no member names it. */
  public Optional<CohortReport> cohort(String name) {
    NodeId node = NodeId.cohort(name);
    QuotaTree tree = quotas.tree();
    if (!tree.knows(node)) {
      return Optional.empty();
    }
    Amounts<FlavorResource> reservation = Amounts.none();
    int admitted = 0;
    for (String below : tree.queuesUnder(node)) {
      QueueCounts counts =
          queues.clusterQueue(below).map(entry -> entry.counts).orElse(QueueCounts.none());
      reservation = reservation.plus(counts.reservation());
      admitted += counts.admitted();
    }
    return Optional.of(
        new CohortReport(
            tree.dominantShare(node),
            tree.subtreeQuota(node),
            reservation,
            admitted,
            usage.sampledBelow(node)));
  }

  /** The Cohorts above a ClusterQueue, its own first and the root last. */
  public List<String> cohortsAbove(String clusterQueue) {
    return quotas.tree().ancestors(clusterQueue).stream().map(NodeId::name).toList();
  }

  /** The quota tree with its usage. */
  public QuotaTree quota() {
    return quotas.tree();
  }

  /** Everything at this moment, as values that other threads may read. */
  public StateSnapshot snapshot() {
    SortedMap<String, QueueWithWaiting> clusterQueues = new TreeMap<>();
    for (ClusterQueueEntry entry : queues.clusterQueues()) {
      clusterQueue(entry)
          .ifPresent(
              report ->
                  clusterQueues.put(
                      entry.name, new QueueWithWaiting(report, entry.pending.waiting())));
    }
    SortedMap<String, CohortReport> cohorts = new TreeMap<>();
    for (String name : quotas.tree().cohorts()) {
      cohort(name).ifPresent(report -> cohorts.put(name, report));
    }
    Map<ObjectKey, Workload> workloads = HashMap.newHashMap(queues.workloads().size());
    for (WorkloadEntry entry : queues.workloads()) {
      if (entry.latest != null) {
        workloads.put(entry.key, entry.latest);
      }
    }
    return new StateSnapshot(
        quotas.tree(),
        clusterQueues,
        queues.localQueues().stream().flatMap(entry -> localQueue(entry).stream()).toList(),
        cohorts,
        catalog.cohorts(),
        workloads);
  }
}
