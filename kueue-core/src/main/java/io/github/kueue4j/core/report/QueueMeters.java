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
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.ClusterQueueReport;
import io.github.kueue4j.core.state.CohortReport;
import io.github.kueue4j.core.state.LocalQueueReport;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.status.Health;
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
 * What queues and Cohorts hold, and the life of all series that bear their names: they go with the
 * queue, and with the custom labels that it had. Belongs to the State's thread.
 */
@API(status = API.Status.INTERNAL)
public final class QueueMeters {
  private final MeterRegistry registry;
  private final Measured measured;
  private final QueueLabels labels;
  private final QueueGauges gauges;
  private final WorkloadMeters workloads;

  /** Of the last cycle. */
  private final Map<String, Integer> preemptionSkips = new HashMap<>();

  /** Custom labels that the gauges of a queue had last. */
  private final Map<Tags, Tags> said = new HashMap<>();

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

  /** A cycle has ended: whoever preempts and got nothing in it is counted by queue. */
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
   * What a queue holds now.
   *
   * @param queue a LocalQueue if it has a namespace
   */
  public void queue(State state, ObjectKey queue) {
    if (queue.namespace().isEmpty()) {
      state
          .clusterQueue(queue.name())
          .ifPresentOrElse(
              report -> clusterQueue(queue.name(), report),
              () -> {
                preemptionSkips.remove(queue.name());
                forget(Tags.of("cluster_queue", queue.name()));
              });
    } else if (labels.localQueues().isPresent()) {
      Tags owner = Tags.of("name", queue.name(), "namespace", queue.namespace());
      state
          .localQueue(queue)
          .filter(report -> labels.measured(queue))
          .ifPresentOrElse(
              report -> localQueue(owner, labelled(owner, labels.ofLocalQueue(queue)), report),
              () -> forget(owner));
    }
  }

  /** The queue is gone. What its counters said before is over, should it come again. */
  private void forget(Tags owner) {
    if (said.remove(owner) != null) {
      retire(owner);
    }
  }

  /** Takes every series away that has all of these labels. */
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

  /** A queue with its custom labels; what was shown with other ones goes. */
  private Tags labelled(Tags owner, Tags custom) {
    Tags before = said.put(owner, custom);
    if (before != null && !before.equals(custom)) {
      gauges.remove(owner);
      retire(owner.and(before));
      workloads.relabelled(owner, before, custom);
    }
    return owner.and(custom);
  }

  /**
   * What a ClusterQueue has and holds, by flavor and resource.
   *
   * @param report empty if there is no such queue any more
   */
  public void resources(State state, String clusterQueue, Optional<ClusterQueueReport> report) {
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
                          state.pendingRequests(clusterQueue),
                          measured.fairSharing()))
              .orElse(List.of()));
    }
  }

  /**
   * What is below a Cohort.
   *
   * @param report empty if nobody names it any more
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
    gauges.set("kueue.pending.workloads", tags.and("status", "inadmissible"), queue.inadmissible());
    gauges.set(
        "kueue.pending.workloads", tags.and("status", "active"), pending - queue.inadmissible());
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
        "kueue.local.queue.pending.workloads", tags.and("status", "active"), counts.pending());
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
