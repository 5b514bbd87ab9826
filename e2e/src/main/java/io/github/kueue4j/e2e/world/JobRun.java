// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.KueueJson;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobCondition;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1JobStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the Job controller and the kubelets would do next for one Job, as a function of the Job, its
 * pods and the time. Pods carry the index of their completion in {@link #INDEX}.
 *
 * @param delete pods to end now, because the Job is suspended or has failed too often
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
    V1JobStatus status = copyOfStatus(job);
    if (isFinished(status)) {
      return new JobRun(List.of(), List.of(), List.of(), status, Optional.empty());
    }
    List<V1Pod> active = pods.stream().filter(pod -> !Placement.hasEnded(pod)).toList();
    List<Integer> succeeded =
        pods.stream()
            .filter(pod -> Placement.isIn(pod, "Succeeded"))
            .map(JobRun::indexOf)
            .distinct()
            .toList();
    status.setSucceeded(succeeded.isEmpty() ? null : succeeded.size());
    int failed = failed(status, pods);
    status.setFailed(failed == 0 ? null : failed);
    if (Boolean.TRUE.equals(specOf(job).getSuspend())) {
      running(status, active);
      suspended(status, true, now);
      return new JobRun(active, List.of(), List.of(), status, Optional.empty());
    }
    return run(specOf(job), status, active, succeeded, now, runtime);
  }

  private static JobRun run(
      V1JobSpec spec,
      V1JobStatus status,
      List<V1Pod> active,
      List<Integer> succeeded,
      Instant now,
      Duration runtime) {
    if (suspended(status, false, now) || status.getStartTime() == null) {
      status.setStartTime(utc(now));
    }
    int completions = completions(spec);
    if (succeeded.size() >= completions) {
      complete(status, now);
      return new JobRun(List.of(), List.of(), List.of(), status, Optional.empty());
    }
    if (failed(status, List.of()) > backoffLimit(spec)) {
      fail(status, active.size(), now);
      return new JobRun(active, List.of(), List.of(), status, Optional.empty());
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
    running(status, active);
    Optional<Instant> wakeAt =
        working.stream().map(pod -> endOf(pod, runtime, now)).min(Instant::compareTo);
    return new JobRun(List.of(), done, start, status, wakeAt);
  }

  private static void running(V1JobStatus status, List<V1Pod> active) {
    status.setActive(active.isEmpty() ? null : active.size());
    status.setReady((int) active.stream().filter(JobRun::isReady).count());
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
  private static int failed(V1JobStatus status, List<V1Pod> pods) {
    int counted = Objects.requireNonNullElse(status.getFailed(), 0);
    return Math.max(
        counted, (int) pods.stream().filter(pod -> Placement.isIn(pod, "Failed")).count());
  }

  private static void fail(V1JobStatus status, int stillActive, Instant now) {
    status.setActive(stillActive == 0 ? null : stillActive);
    status.setReady(0);
    String message = "Job has reached the specified backoff limit";
    set(status, "FailureTarget", true, "BackoffLimitExceeded", message, now);
    if (stillActive == 0) {
      set(status, "Failed", true, "BackoffLimitExceeded", message, now);
    }
  }

  private static void complete(V1JobStatus status, Instant now) {
    status.setActive(null);
    status.setReady(0);
    status.setCompletionTime(utc(now));
    String message = "Reached expected number of succeeded pods";
    set(status, "SuccessCriteriaMet", true, "CompletionsReached", message, now);
    set(status, "Complete", true, "CompletionsReached", message, now);
  }

  /** Returns whether the condition flipped from suspended to resumed. */
  private static boolean suspended(V1JobStatus status, boolean suspended, Instant now) {
    boolean was = find(status, "Suspended").filter(JobRun::isTrue).isPresent();
    if (suspended) {
      set(status, "Suspended", true, "JobSuspended", "Job suspended", now);
      return false;
    }
    if (was) {
      set(status, "Suspended", false, "JobResumed", "Job resumed", now);
    }
    return was;
  }

  private static void set(
      V1JobStatus status, String type, boolean value, String reason, String message, Instant now) {
    String text = value ? "True" : "False";
    Optional<V1JobCondition> existing = find(status, type);
    if (existing.filter(condition -> condition.getStatus().equals(text)).isPresent()) {
      return;
    }
    List<V1JobCondition> conditions =
        new ArrayList<>(Objects.requireNonNullElse(status.getConditions(), List.of()));
    conditions.removeIf(condition -> condition.getType().equals(type));
    conditions.add(
        new V1JobCondition()
            .type(type)
            .status(text)
            .reason(reason)
            .message(message)
            .lastProbeTime(utc(now))
            .lastTransitionTime(utc(now)));
    status.setConditions(conditions);
  }

  private static Optional<V1JobCondition> find(V1JobStatus status, String type) {
    return Objects.requireNonNullElse(status.getConditions(), List.<V1JobCondition>of()).stream()
        .filter(condition -> condition.getType().equals(type))
        .findFirst();
  }

  private static boolean isTrue(V1JobCondition condition) {
    return condition.getStatus().equals("True");
  }

  private static boolean isFinished(V1JobStatus status) {
    return find(status, "Complete")
        .or(() -> find(status, "Failed"))
        .filter(JobRun::isTrue)
        .isPresent();
  }

  private static Instant endOf(V1Pod pod, Duration runtime, Instant now) {
    @Nullable OffsetDateTime started =
        pod.getStatus() == null ? null : pod.getStatus().getStartTime();
    return (started == null ? now : started.toInstant()).plus(runtime);
  }

  private static int indexOf(V1Pod pod) {
    Map<String, String> labels =
        Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
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

  private static V1JobStatus copyOfStatus(V1Job job) {
    return job.getStatus() == null
        ? new V1JobStatus()
        : KueueJson.fromTree(KueueJson.toTree(job.getStatus()), V1JobStatus.class);
  }

  private static OffsetDateTime utc(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC);
  }
}
