// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.Metadata;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The next steps of the Job controller and the kubelets for one Job, as a function of the Job, its
 * pods and the time. Pods carry the index of their completion in {@link #INDEX}.
 *
 * @param delete pods to tell to end, because the Job is suspended or has failed too often; until
 *     they have ended they count as terminating
 * @param succeed pods whose time has run out
 * @param start completion indexes that need a pod
 * @param status the Job's status as it follows from the pods, before {@code start} is carried out
 * @param wakeAt when to look again without a change, if ever
 */
record JobRun(
    List<V1Pod> delete,
    List<V1Pod> succeed,
    List<Integer> start,
    V1JobStatus status,
    Optional<Instant> wakeAt) {
  /** Label of a pod: which of the Job's completions it works on. */
  static final String INDEX = "simulation.kueue4j.io/index";

  /** Annotation of a Job: how long its pods run, instead of the world's default; such as 25m. */
  static final String RUNTIME = "simulation.kueue4j.io/runtime";

  JobRun {
    delete = List.copyOf(delete);
    succeed = List.copyOf(succeed);
    start = List.copyOf(start);
  }

  /**
   * Decides.
   *
   * @param pods the Job's pods, in any phase
   * @param runtime how long each pod runs once it has started
   */
  static JobRun decide(V1Job job, List<V1Pod> pods, Instant now, Duration runtime) {
    JobProgress progress = JobProgress.of(job);
    if (progress.hasEnded()) {
      return still(progress, List.of());
    }
    Map<Boolean, List<V1Pod>> alive =
        pods.stream()
            .filter(pod -> !Placement.hasEnded(pod))
            .collect(Collectors.partitioningBy(Kubelets::isTerminating));
    List<V1Pod> active = Objects.requireNonNull(alive.get(false));
    int terminating = Objects.requireNonNull(alive.get(true)).size();
    List<Integer> succeeded =
        pods.stream()
            .filter(pod -> Placement.isIn(pod, "Succeeded"))
            .map(JobRun::indexOf)
            .distinct()
            .toList();
    progress.ended(succeeded.size(), failed(progress, pods));
    if (Boolean.TRUE.equals(specOf(job).getSuspend())) {
      return still(
          progress.pods(0, 0).terminating(terminating + active.size()).suspend(now), active);
    }
    return run(
        specOf(job),
        progress.resume(now).terminating(terminating),
        active,
        terminating,
        succeeded,
        now,
        runtime);
  }

  /** Nothing more happens by itself, but that these pods end. */
  private static JobRun still(JobProgress progress, List<V1Pod> delete) {
    return new JobRun(delete, List.of(), List.of(), progress.status(), Optional.empty());
  }

  private static JobRun run(
      V1JobSpec spec,
      JobProgress progress,
      List<V1Pod> active,
      int terminating,
      List<Integer> succeeded,
      Instant now,
      Duration runtime) {
    int completions = completions(spec);
    if (succeeded.size() >= completions) {
      // It is complete once the last pod is gone that was told to end.
      return still(terminating == 0 ? progress.complete(now) : progress.pods(0, 0), List.of());
    }
    if (progress.failed() > backoffLimit(spec)) {
      return still(progress.fail(terminating + active.size(), now), active);
    }
    List<V1Pod> working = active.stream().filter(pod -> !Placement.isIn(pod, "Pending")).toList();
    List<V1Pod> done =
        working.stream().filter(pod -> !endOf(pod, runtime, now).isAfter(now)).toList();
    List<Integer> taken = new ArrayList<>(succeeded);
    active.forEach(pod -> taken.add(indexOf(pod)));
    int room = Math.max(0, Math.min(parallelism(spec), completions) - active.size());
    List<Integer> start =
        IntStream.range(0, completions)
            .boxed()
            .filter(index -> !taken.contains(index))
            .limit(room)
            .toList();
    Optional<Instant> wakeAt =
        working.stream().map(pod -> endOf(pod, runtime, now)).min(Instant::compareTo);
    return new JobRun(List.of(), done, start, running(progress, active).status(), wakeAt);
  }

  private static JobProgress running(JobProgress progress, List<V1Pod> active) {
    return progress.pods(active.size(), (int) active.stream().filter(JobRun::isReady).count());
  }

  static boolean isReady(V1Pod pod) {
    return pod.getStatus() != null
        && Objects.requireNonNullElse(pod.getStatus().getConditions(), List.<V1PodCondition>of())
            .stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("Ready") && condition.getStatus().equals("True"));
  }

  /** Counts the failed pods; those that have been deleted stay counted. */
  private static int failed(JobProgress progress, List<V1Pod> pods) {
    return Math.max(
        progress.failed(),
        (int) pods.stream().filter(pod -> Placement.isIn(pod, "Failed")).count());
  }

  private static Instant endOf(V1Pod pod, Duration runtime, Instant now) {
    @Nullable OffsetDateTime started =
        pod.getStatus() == null ? null : pod.getStatus().getStartTime();
    return (started == null ? now : started.toInstant()).plus(runtime);
  }

  private static int indexOf(V1Pod pod) {
    Map<String, String> labels = Metadata.labels(pod);
    return Integer.parseInt(labels.getOrDefault(INDEX, "0"));
  }

  private static V1JobSpec specOf(V1Job job) {
    return Objects.requireNonNullElseGet(job.getSpec(), V1JobSpec::new);
  }

  private static int parallelism(V1JobSpec spec) {
    return Objects.requireNonNullElse(spec.getParallelism(), 1);
  }

  private static int backoffLimit(V1JobSpec spec) {
    return Objects.requireNonNullElse(spec.getBackoffLimit(), 6);
  }

  private static int completions(V1JobSpec spec) {
    return spec.getCompletions() == null ? Math.max(1, parallelism(spec)) : spec.getCompletions();
  }
}
