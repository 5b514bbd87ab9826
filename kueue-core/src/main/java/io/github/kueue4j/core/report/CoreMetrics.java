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

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Fact;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.ClusterQueueReport;
import io.github.kueue4j.core.state.CohortReport;
import io.github.kueue4j.core.state.LocalQueueReport;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.QueueCounts;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/** The core's meters, under the names that dashboards for the API's other implementation know. */
@API(status = API.Status.INTERNAL)
public final class CoreMetrics {
  /** 1 s, then 2.5 s doubled again and again. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private static final Duration[] WAITS = bounds(14);

  static final Duration[] LONG_WAITS = bounds(16);

  /** Delays of checks reach from a second to the bound of a day, and beyond it where configured. */
  private static final Duration[] DELAYS = bounds(18);

  private static final Duration[] LATENCIES =
      IntStream.of(5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  /** Doubled from 10 ms on. */
  private static final Duration[] CREATION =
      IntStream.range(0, 11).mapToObj(i -> Duration.ofMillis(10L << i)).toArray(Duration[]::new);

  private static final Duration[] LATENESS = {
    Duration.ofMillis(10),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(30),
    Duration.ofMinutes(5)
  };

  private final MeterRegistry registry;
  private final InstantSource clock;
  private final Measured measured;
  private final QueueLabels labels;
  private final Tags role;
  private final QueueGauges gauges;
  private final WorkloadMeters workloads;

  /** Of the last cycle; belongs to the State's thread, like the gauges. */
  private final Map<String, Integer> preemptionSkips = new HashMap<>();

  /** Custom labels that the gauges of a queue had last; belongs to the same thread. */
  private final Map<Tags, Tags> said = new HashMap<>();

  /**
   * The meters in a registry.
   *
   * @param labels what the metrics take from their objects
   * @param role of this replica
   */
  public CoreMetrics(
      MeterRegistry registry,
      InstantSource clock,
      Measured measured,
      QueueLabels labels,
      String role) {
    this.registry = registry;
    this.clock = clock;
    this.measured = measured;
    this.labels = labels;
    this.role = Tags.of("replica_role", role);
    this.gauges = new QueueGauges(registry, this.role);
    this.workloads = new WorkloadMeters(registry, this.role, labels);
  }

  /** What is measured of single Workloads. */
  public WorkloadMeters workloads() {
    return workloads;
  }

  /** A Workload was looked at by the scheduler. */
  public void attempted(Decision decision) {
    overlap(decision)
        .ifPresent(
            outcome ->
                counter(
                        "kueue.preemption.target.recomputations",
                        clusterQueueTags(decision.clusterQueue()).and("result", outcome))
                    .increment());
  }

  /** What became of a preemptor whose targets are preempted for another one of its cycle. */
  private static Optional<String> overlap(Decision decision) {
    return switch (decision) {
      case Decision.Preempt preempt when preempt.recomputed() -> Optional.of("new_targets");
      case Decision.Skipped skipped when skipped.why() == Decision.Skip.FITS_AFTER_OTHERS ->
          Optional.of("deferred_fit");
      case Decision.Skipped skipped when skipped.why() == Decision.Skip.TARGETS_TAKEN ->
          Optional.of("skipped");
      case Decision.Reserve reserve -> Optional.empty();
      case Decision.Preempt preempt -> Optional.empty();
      case Decision.Skipped skipped -> Optional.empty();
      case Decision.Inadmissible refused -> Optional.empty();
    };
  }

  /** A cycle that had candidates has ended; whoever got nothing in it is counted by queue. */
  public void cycled(List<Decision> decisions, Duration latency) {
    boolean success = decisions.stream().anyMatch(Decision.Reserve.class::isInstance);
    Tags result = role.and("result", success ? "success" : "inadmissible");
    counter("kueue.admission.attempts", result).increment();
    timer("kueue.admission.attempt.duration", result, LATENCIES).record(latency);
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

  /** One turn of the scheduler. */
  public void cycle(Duration duration) {
    Timer.builder("kueue4j.scheduling.turn.duration")
        .tags(role)
        .register(registry)
        .record(duration);
  }

  /** A Workload was evicted to make room for another. */
  public void preempted(String preemptingClusterQueue, String reason) {
    counter(
            "kueue.preempted.workloads",
            role.and("preempting_cluster_queue", preemptingClusterQueue, "reason", reason)
                .and(labels.ofClusterQueue(preemptingClusterQueue)))
        .increment();
  }

  /**
   * A Workload was created for a Job. One that was changed after its creation had to be stopped
   * first, or was long without a queue, which would say nothing about the core.
   */
  public void workloadCreated(ResourceType<?> kind, KubernetesObject job) {
    V1ObjectMeta metadata = job.getMetadata();
    if (metadata == null
        || metadata.getCreationTimestamp() == null
        || !Long.valueOf(1).equals(metadata.getGeneration())) {
      return;
    }
    Duration latency =
        Duration.between(metadata.getCreationTimestamp().toInstant(), clock.instant());
    timer("kueue.workload.creation.latency", role.and("job_kind", kind.kind()), CREATION)
        .record(measurable(latency));
  }

  public void finished(Workload workload) {
    String clusterQueue =
        workload.status().admission() == null ? "" : workload.status().admission().clusterQueue();
    count("finished.workloads", clusterQueue, workload, Tags.empty());
    Optional<Condition> admitted = condition(workload, WorkloadConditions.ADMITTED);
    Optional<Condition> finished = condition(workload, WorkloadConditions.FINISHED);
    if (admitted.filter(Condition::isTrue).isPresent() && finished.isPresent()) {
      Duration ran =
          Duration.between(
              admitted.get().lastTransitionTime(), finished.get().lastTransitionTime());
      time("execution.time", clusterQueue, workload, ran, LONG_WAITS, LONG_WAITS);
    }
  }

  private static Optional<Condition> condition(Workload workload, String type) {
    return Conditions.find(workload.status().conditions(), type);
  }

  /**
   * Counts what a written plan says.
   *
   * @param before the Workload before, which still knows since when it waited
   */
  public void count(Fact fact, Workload before, Workload after) {
    switch (fact) {
      case Fact.QuotaReserved reserved -> {
        count("quota.reserved.workloads", reserved.clusterQueue(), after, Tags.empty());
        time("quota.reserved.wait.time", reserved.clusterQueue(), before, waited(before), WAITS);
      }
      case Fact.Admitted admitted -> {
        String queue = admitted.clusterQueue();
        count("admitted.workloads", queue, after, Tags.empty());
        if (measured.cohorts()) {
          for (String cohort : labels.cohortsAbove(queue)) {
            Tags below =
                Tags.of("cohort", cohort, "priority_class", priorityClass(after))
                    .and(labels.ofCohort(cohort));
            counter("kueue.cohort.subtree.admitted.workloads", role.and(below)).increment();
          }
        }
        time("admission.wait.time", queue, before, waited(before), LONG_WAITS);
        time("admission.checks.wait.time", queue, before, admitted.sinceReservation(), WAITS);
      }
      case Fact.Evicted evicted -> {
        Tags why =
            Tags.of("reason", evicted.reason(), "underlying_cause", evicted.underlyingCause());
        count("evicted.workloads", evicted.clusterQueue(), after, why);
        if (evicted.first()) {
          counter(
                  "kueue.evicted.workloads.once",
                  clusterQueueTags(evicted.clusterQueue(), after).and(why))
              .increment();
        }
      }
      case Fact.PodsReady ready -> {
        String queue = ready.clusterQueue();
        time("ready.wait.time", queue, before, waited(before), WAITS);
        time("admitted.until.ready.wait.time", queue, before, ready.sinceAdmission(), WAITS);
      }
      case Fact.EvictedWhileReady evicted ->
          timer(
                  "kueue.pods.ready.to.evicted.time",
                  clusterQueueTags(evicted.clusterQueue())
                      .and(
                          "reason",
                          evicted.reason(),
                          "underlying_cause",
                          evicted.underlyingCause()),
                  WAITS)
              .record(measurable(evicted.sinceReady()));
      case Fact.QuotaReleased released ->
          Timer.builder("kueue.workload.eviction.latency")
              .tags(clusterQueueTags(released.clusterQueue()).and("reason", released.reason()))
              .serviceLevelObjectives(WAITS)
              .register(registry)
              .record(measurable(released.sinceEviction()));
      case Fact.Retried retried -> {
        Tags check = role.and("check", retried.check());
        counter("kueue4j.check.retries", check).increment();
        if (retried.delay() != null) {
          timer("kueue4j.check.retry.delay", check, DELAYS).record(measurable(retried.delay()));
        }
      }
      case Fact.Requeued requeued ->
          Timer.builder("kueue4j.requeue.lateness")
              .tags(role)
              .serviceLevelObjectives(LATENESS)
              .register(registry)
              .record(measurable(requeued.lateness()));
      case Fact.CheckTimedOut timedOut ->
          counter("kueue4j.check.timeouts", role.and("check", timedOut.check())).increment();
      case Fact.CheckRejected rejected ->
          counter("kueue4j.check.rejections", role.and("check", rejected.check())).increment();
    }
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

  private Duration waited(Workload workload) {
    Instant since = QueueOrder.waitingSince(workload);
    Duration waited = Duration.between(since, clock.instant());
    return waited.isNegative() ? Duration.ZERO : waited;
  }

  private void count(String name, String clusterQueue, Workload workload, Tags more) {
    counter("kueue." + name, clusterQueueTags(clusterQueue, workload).and(more)).increment();
    ObjectKey localQueue = localQueue(workload);
    if (labels.measured(localQueue)) {
      counter("kueue.local.queue." + name, localQueueTags(localQueue, workload).and(more))
          .increment();
    }
  }

  /**
   * A time between two dates of an object, of which people may have written one: never negative,
   * and short enough to be counted in nanoseconds.
   */
  static Duration measurable(Duration time) {
    if (time.isNegative()) {
      return Duration.ZERO;
    }
    return time.compareTo(LONGEST) > 0 ? LONGEST : time;
  }

  private void time(
      String name, String clusterQueue, Workload workload, Duration time, Duration[] bounds) {
    time(name, clusterQueue, workload, time, bounds, WAITS);
  }

  private void time(
      String name,
      String clusterQueue,
      Workload workload,
      Duration time,
      Duration[] bounds,
      Duration[] localBounds) {
    timer("kueue." + name, clusterQueueTags(clusterQueue, workload), bounds)
        .record(measurable(time));
    ObjectKey localQueue = localQueue(workload);
    if (labels.measured(localQueue)) {
      timer("kueue.local.queue." + name, localQueueTags(localQueue, workload), localBounds)
          .record(measurable(time));
    }
  }

  private Counter counter(String name, Tags tags) {
    return registry.counter(name, tags);
  }

  private Timer timer(String name, Tags tags, Duration[] bounds) {
    return Timer.builder(name).tags(tags).serviceLevelObjectives(bounds).register(registry);
  }

  private Tags clusterQueueTags(String clusterQueue, Workload workload) {
    return clusterQueueTags(clusterQueue)
        .and("priority_class", priorityClass(workload))
        .and(labels.ofWorkload(workload));
  }

  private Tags clusterQueueTags(String clusterQueue) {
    return role.and("cluster_queue", clusterQueue).and(labels.ofClusterQueue(clusterQueue));
  }

  private static ObjectKey localQueue(Workload workload) {
    return new ObjectKey(
        ObjectKey.of(workload).namespace(),
        Objects.requireNonNullElse(workload.spec().queueName(), ""));
  }

  private Tags localQueueTags(ObjectKey queue, Workload workload) {
    return role.and(
            "name",
            queue.name(),
            "namespace",
            queue.namespace(),
            "priority_class",
            priorityClass(workload))
        .and(labels.ofLocalQueue(queue))
        .and(labels.ofWorkload(workload));
  }

  private static String priorityClass(Workload workload) {
    return workload.spec().priorityClassRef() == null
        ? ""
        : workload.spec().priorityClassRef().name();
  }

  private static Duration[] bounds(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> i == 0 ? Duration.ofSeconds(1) : Duration.ofMillis(2500L << (i - 1)))
        .toArray(Duration[]::new);
  }
}
