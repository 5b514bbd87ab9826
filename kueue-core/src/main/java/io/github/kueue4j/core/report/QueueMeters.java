// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.QueueReports;
import io.github.kueue4j.core.status.ClusterQueueReport;
import io.github.kueue4j.core.status.CohortReport;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.LocalQueueReport;
import io.github.kueue4j.core.status.QueueCounts;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Gauges of what queues and Cohorts hold. Removes all series of a queue when the queue is deleted
 * or its custom labels change. Belongs to the State's thread.
 */
@API(status = API.Status.INTERNAL)
public final class QueueMeters {
  private final MeterRegistry registry;
  private final Measured measured;
  private final QueueLabels labels;
  private final QueueGauges gauges;
  private final WorkloadMeters workloads;

  /** Preemptors that were skipped in the last cycle, by ClusterQueue. */
  private final Map<String, Integer> preemptionSkips = new HashMap<>();

  /** The custom labels that the gauges of a queue had last. */
  private final Map<Tags, Tags> lastLabels = new HashMap<>();

  QueueMeters(
      MeterRegistry registry,
      Tags role,
      Measured measured,
      QueueLabels labels,
      WorkloadMeters workloads) {
    this.registry = registry;
    this.measured = measured;
    this.labels = labels;
    this.gauges = new QueueGauges(registry, role);
    this.workloads = workloads;
  }

  /** A cycle has ended: counts the preemptors that were skipped in it by queue. */
  void cycled(List<Decision> decisions) {
    Map<String, Integer> skips = new HashMap<>();
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Skipped skipped && skipped.preemptor()) {
        skips.merge(decision.clusterQueue(), 1, Integer::sum);
      }
    }
    Map<String, Integer> changed = new HashMap<>(skips);
    preemptionSkips.keySet().forEach(before -> changed.putIfAbsent(before, 0));
    changed.forEach(this::showSkips);
    preemptionSkips.clear();
    preemptionSkips.putAll(skips);
  }

  private void showSkips(String clusterQueue, int skips) {
    gauges.set(
        "kueue.admission.cycle.preemption.skips",
        Tags.of("cluster_queue", clusterQueue).and(labels.ofClusterQueue(clusterQueue)),
        skips);
  }

  /**
   * Updates the gauges of a queue.
   *
   * @param queue a LocalQueue if it has a namespace
   */
  public void queue(QueueReports reports, ObjectKey queue) {
    if (queue.namespace().isEmpty()) {
      reports
          .clusterQueue(queue.name())
          .ifPresentOrElse(
              report -> clusterQueue(queue.name(), report),
              () -> {
                preemptionSkips.remove(queue.name());
                forget(Tags.of("cluster_queue", queue.name()));
              });
    } else if (labels.localQueues().isPresent()) {
      Tags owner = Tags.of("name", queue.name(), "namespace", queue.namespace());
      reports
          .localQueue(queue)
          .filter(report -> labels.measured(queue))
          .ifPresentOrElse(
              report -> localQueue(owner, labelled(owner, labels.ofLocalQueue(queue)), report),
              () -> forget(owner));
    }
  }

  /** The queue was deleted; should it come again, its counters start at zero. */
  private void forget(Tags owner) {
    if (lastLabels.remove(owner) != null) {
      retire(owner);
    }
  }

  /** Removes every series that has all of these labels. */
  private void retire(Tags labels) {
    gauges.remove(labels);
    retireCounts(labels);
    labels.stream()
        .filter(label -> label.getKey().equals("cluster_queue"))
        .findFirst()
        .ifPresent(queue -> retireCounts(labels(labels, queue, "preempting_" + queue.getKey())));
  }

  private static Tags labels(Tags labels, Tag renamed, String key) {
    return Tags.of(labels.stream().filter(label -> !label.equals(renamed)).toList())
        .and(key, renamed.getValue());
  }

  private void retireCounts(Tags labels) {
    List<Tag> wanted = labels.stream().toList();
    for (Meter meter : registry.getMeters()) {
      Meter.Type type = meter.getId().getType();
      if ((type == Meter.Type.COUNTER || type == Meter.Type.TIMER)
          && meter.getId().getTags().containsAll(wanted)) {
        registry.remove(meter);
      }
    }
  }

  /** The labels of a queue with its custom ones; series with former custom labels are removed. */
  private Tags labelled(Tags owner, Tags custom) {
    Tags before = lastLabels.put(owner, custom);
    if (before != null && !before.equals(custom)) {
      gauges.remove(owner);
      retire(owner.and(before));
      workloads.relabelled(owner, before, custom);
    }
    return owner.and(custom);
  }

  /**
   * Updates the gauges of a ClusterQueue's quota, by flavor and resource.
   *
   * @param report empty if there is no such queue any more
   */
  public void resources(
      QueueReports reports, String clusterQueue, Optional<ClusterQueueReport> report) {
    if (measured.resources()) {
      gauges.show(
          Tags.of("cluster_queue", clusterQueue),
          report
              .map(
                  queue ->
                      ResourceMeters.of(
                          Tags.of("cluster_queue", clusterQueue)
                              .and(labels.ofClusterQueue(clusterQueue)),
                          queue,
                          reports.pendingRequests(clusterQueue),
                          measured.fairSharing()))
              .orElse(List.of()));
    }
  }

  /**
   * Updates the gauges of everything below a Cohort.
   *
   * @param report empty if no object names it any more
   */
  public void cohort(String cohort, Optional<CohortReport> report) {
    if (measured.cohorts()) {
      gauges.show(
          Tags.of("cohort", cohort),
          report
              .map(
                  found ->
                      ResourceMeters.of(
                          labelled(Tags.of("cohort", cohort), labels.ofCohort(cohort)),
                          found,
                          measured.fairSharing()))
              .orElse(List.of()));
    }
  }

  private void clusterQueue(String name, ClusterQueueReport queue) {
    Tags tags = labelled(Tags.of("cluster_queue", name), labels.ofClusterQueue(name));
    int pending = queue.counts().pending();
    int backoff = queue.counts().backoff();
    gauges.set("kueue.pending.workloads", tags.and("status", "inadmissible"), queue.inadmissible());
    gauges.set("kueue.pending.workloads", tags.and("status", "backoff"), backoff);
    gauges.set(
        "kueue.pending.workloads",
        tags.and("status", "active"),
        pending - backoff - queue.inadmissible());
    gauges.set("kueue.reserving.active.workloads", tags, queue.counts().reserving());
    gauges.set("kueue.admitted.active.workloads", tags, queue.counts().admitted());
    showSkips(name, preemptionSkips.getOrDefault(name, 0));
    boolean active = queue.health().active();
    boolean terminating = Health.terminating(queue.queue());
    Map<String, Boolean> status =
        Map.of("active", active, "terminating", terminating, "pending", !active && !terminating);
    status.forEach(
        (state, holds) ->
            gauges.set("kueue.cluster.queue.status", tags.and("status", state), holds ? 1 : 0));
  }

  private void localQueue(Tags owner, Tags tags, LocalQueueReport queue) {
    QueueCounts counts = queue.counts();
    gauges.set(
        "kueue.local.queue.pending.workloads",
        tags.and("status", "active"),
        counts.pending() - counts.backoff());
    gauges.set(
        "kueue.local.queue.pending.workloads", tags.and("status", "backoff"), counts.backoff());
    gauges.set("kueue.local.queue.reserving.active.workloads", tags, counts.reserving());
    gauges.set("kueue.local.queue.admitted.active.workloads", tags, counts.admitted());
    boolean active = queue.health().active();
    gauges.set("kueue.local.queue.status", tags.and("active", "True"), active ? 1 : 0);
    gauges.set("kueue.local.queue.status", tags.and("active", "False"), active ? 0 : 1);
    gauges.show(owner, ResourceMeters.of(tags, queue));
    String clusterQueue = queue.queue().spec().clusterQueue();
    if (queue.usage() != null && clusterQueue != null) {
      gauges.set(
          "kueue.local.queue.admission.fair.sharing.usage",
          tags.and("cluster_queue", clusterQueue),
          queue.usage().compared());
    }
  }
}
