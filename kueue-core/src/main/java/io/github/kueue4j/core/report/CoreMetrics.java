// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.LifecycleMetric;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.jobs.JobKinds;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * The core's meters, with the names that dashboards for the API's other implementation use.
 *
 * <p>Some names stand here in parts: {@code count} and {@code time} put {@code kueue.} before a
 * name, and {@code kueue.local.queue.} for LocalQueues, and the registry makes underscores of dots
 * and adds the unit. So search for {@code evicted.workloads} to find {@code
 * kueue_evicted_workloads_total}.
 *
 * <p>Thread-safe. On the State's thread run {@link #attempted}, {@link #cycled} and {@link #cycle},
 * on the workers of Workloads {@link #count}, {@link #finished}, {@link #preempted} and {@link
 * #workloadCreated}, and on the delivery thread of AdmissionChecks {@link #read}.
 */
@API(status = API.Status.INTERNAL)
public final class CoreMetrics {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** 1 s, then 2.5 s and its doublings. */
  private static final Duration[] WAITS = bounds(14);

  static final Duration[] LONG_WAITS = bounds(16);

  private static final Duration[] LATENCIES =
      IntStream.of(5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  /** 10 ms and its doublings. */
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

  /** Workloads name classes as they like; no cluster needs as many. */
  private static final int MOST_PRIORITY_CLASSES = 100;

  private final MeterRegistry registry;
  private final InstantSource clock;
  private final Measured measured;
  private final QueueLabels labels;
  private final Tags role;
  private final QueueMeters queues;
  private final BoundedValues priorityClasses = new BoundedValues(MOST_PRIORITY_CLASSES);
  private final WorkloadMeters workloads;

  /**
   * The meters in a registry.
   *
   * @param labels which custom labels the metrics have
   * @param kinds of the Jobs that own Workloads
   * @param role of this replica
   */
  public CoreMetrics(
      MeterRegistry registry,
      InstantSource clock,
      Measured measured,
      QueueLabels labels,
      JobKinds kinds,
      String role) {
    this.registry = registry;
    this.clock = clock;
    this.measured = measured;
    this.labels = labels;
    this.role = Tags.of("replica_role", role);
    this.workloads = new WorkloadMeters(registry, this.role, labels, kinds);
    this.queues = new QueueMeters(registry, this.role, measured, labels, workloads);
  }

  /** The meters of queues and Cohorts. */
  public QueueMeters queues() {
    return queues;
  }

  /** The meters of the phases of Workloads and the states of their checks. */
  public WorkloadMeters workloads() {
    return workloads;
  }

  /**
   * An AdmissionCheck was read: its timeouts are counted from zero, so that the first one is an
   * increase.
   */
  public void read(AdmissionCheck check) {
    timeouts(ObjectKey.of(check).name()).increment(0);
  }

  private Counter timeouts(String check) {
    return counter("kueue4j.check.timeouts", role.and("check", check));
  }

  /** The scheduler has tried a Workload. */
  public void attempted(Decision decision) {
    overlap(decision)
        .ifPresent(
            outcome ->
                counter(
                        "kueue.preemption.target.recomputations",
                        clusterQueueTags(decision.clusterQueue()).and("result", outcome))
                    .increment());
  }

  /** The outcome for a preemptor whose targets are preempted for another head of its cycle. */
  private static Optional<String> overlap(Decision decision) {
    return switch (decision) {
      case Decision.Preempt preempt when preempt.recomputed() -> Optional.of("new_targets");
      case Decision.Skipped skipped when skipped.why() == Decision.Skip.FITS_AFTER_OTHERS ->
          Optional.of("deferred_fit");
      case Decision.Skipped skipped when skipped.why() == Decision.Skip.TARGETS_TAKEN ->
          Optional.of("skipped");
      case Decision.ReserveQuota reserveQuota -> Optional.empty();
      case Decision.Preempt preempt -> Optional.empty();
      case Decision.Skipped skipped -> Optional.empty();
      case Decision.Inadmissible refused -> Optional.empty();
    };
  }

  /** A cycle that had candidates has ended. */
  public void cycled(List<Decision> decisions, Duration latency) {
    boolean success = decisions.stream().anyMatch(Decision.ReserveQuota.class::isInstance);
    Tags result = role.and("result", success ? "success" : "inadmissible");
    counter("kueue.admission.attempts", result).increment();
    timer("kueue.admission.attempt.duration", result, LATENCIES).record(latency);
    queues.cycled(decisions);
  }

  /** The scheduler has run: one turn of several cycles. */
  public void cycle(Duration duration) {
    Timer.builder("kueue4j.scheduling.turn.duration")
        .tags(role)
        .register(registry)
        .record(duration);
  }

  /** A Workload was evicted for a preemptor. */
  public void preempted(String preemptingClusterQueue, String reason) {
    counter(
            "kueue.preempted.workloads",
            role.and("preempting_cluster_queue", preemptingClusterQueue, "reason", reason)
                .and(labels.ofClusterQueue(preemptingClusterQueue)))
        .increment();
  }

  /**
   * A Workload was created for a Job. A Job that was changed after its creation isn't measured: it
   * had to be stopped first, or was given a queue late, which says nothing about the core.
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

  /** A Job runs on although it was suspended. */
  public void suspensionUnheeded(String framework) {
    counter("kueue4j.unheeded.suspensions", role.and("framework", framework)).increment();
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
    return workload.conditions().find(type);
  }

  /**
   * Counts a fact of a written plan.
   *
   * @param before the Workload before the write, which still shows since when it waited
   */
  public void count(LifecycleMetric lifecycleMetric, Workload before, Workload after) {
    switch (lifecycleMetric) {
      case LifecycleMetric.QuotaReserved reserved -> {
        count("quota.reserved.workloads", reserved.clusterQueue(), after, Tags.empty());
        time("quota.reserved.wait.time", reserved.clusterQueue(), before, waited(before), WAITS);
      }
      case LifecycleMetric.Admitted admitted -> {
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
      case LifecycleMetric.Evicted evicted -> {
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
      case LifecycleMetric.PodsReady ready -> {
        String queue = ready.clusterQueue();
        time("ready.wait.time", queue, before, waited(before), WAITS);
        time("admitted.until.ready.wait.time", queue, before, ready.sinceAdmission(), WAITS);
      }
      case LifecycleMetric.EvictedWhileReady evicted ->
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
      case LifecycleMetric.QuotaReleased released ->
          Timer.builder("kueue.workload.eviction.latency")
              .tags(clusterQueueTags(released.clusterQueue()).and("reason", released.reason()))
              .serviceLevelObjectives(WAITS)
              .register(registry)
              .record(measurable(released.sinceEviction()));
      case LifecycleMetric.Retried retried ->
          counter("kueue4j.check.retries", role.and("check", retried.check())).increment();
      case LifecycleMetric.Requeued requeued ->
          Timer.builder("kueue4j.requeue.lateness")
              .tags(role)
              .serviceLevelObjectives(LATENESS)
              .register(registry)
              .record(measurable(requeued.lateness()));
      case LifecycleMetric.CheckTimedOut timedOut -> timeouts(timedOut.check()).increment();
      case LifecycleMetric.CheckRejected rejected ->
          counter("kueue4j.check.rejections", role.and("check", rejected.check())).increment();
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
   * The time between two dates of an object, limited to what a timer accepts: not negative, and
   * short enough to be counted in nanoseconds. Users may write any date into an object.
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

  private String priorityClass(Workload workload) {
    return workload.spec().priorityClassRef() == null
        ? ""
        : priorityClasses.of(workload.spec().priorityClassRef().name());
  }

  static Duration[] bounds(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> i == 0 ? Duration.ofSeconds(1) : Duration.ofMillis(2500L << (i - 1)))
        .toArray(Duration[]::new);
  }
}
