// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.PodsReadiness;
import io.github.kueue4j.core.lifecycle.PodsReadyPolicy;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.RunningLimits;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.jobs.PodPhases;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Explains an admitted Workload: the Job has to be started, to get its pods ready, or to finish.
 */
final class AdmittedCase {
  /** How long a Job's controller may take to write that its pods have ended. */
  private static final Duration STATUS_LAG = Duration.ofSeconds(5);

  private AdmittedCase() {}

  static Explanation explain(WorkloadView workloadView) {
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(workloadView.seen(WorkloadConditions.ADMITTED));
    workloadView
        .conditions()
        .find(WorkloadConditions.PODS_READY)
        .ifPresent(condition -> evidence.add(workloadView.seen(WorkloadConditions.PODS_READY)));
    RunningLimits limits = limits(workloadView);
    if (limits.executionTime() != null) {
      evidence.add(
          workloadView.seen(
              "spec.maximumExecutionTimeSeconds",
              String.valueOf(workloadView.workload().spec().maximumExecutionTimeSeconds())));
    }
    ObservedJob job = workloadView.around().job();
    if (job == null) {
      return workloadView
          .finding(
              Reason.RUNNING,
              "It is admitted and may run. It belongs to no Job of a kind that is known here,"
                  + " so its pods can't be seen."
                  + untilReady(workloadView, limits)
                  + untilTimeIsOver(workloadView, limits))
          .seen(evidence)
          .wakes(limits.earliest())
          .by(Actor.NONE, "The creator of the Workload starts its pods.");
    }
    evidence.add(job.seen());
    if (job.suspended()) {
      return notStarted(workloadView, job, evidence);
    }
    if (job.finishedIf() != null && !job.podsRun() && podsHaveEnded(workloadView)) {
      return notFinished(workloadView, job, evidence);
    }
    if (withoutPods(workloadView, job)) {
      return workloadView
          .finding(
              Reason.PODS_NOT_CREATED,
              "It is admitted and its "
                  + job.kind()
                  + " has been started, but has no pods."
                  + untilReady(workloadView, limits))
          .seen(evidence)
          .wakes(limits.earliest())
          .by(
              Actor.CLUSTER_OPERATOR,
              "See the events of the "
                  + job.kind()
                  + ": a ResourceQuota, a LimitRange or an admission webhook may refuse its"
                  + " pods, or its controller doesn't run.");
    }
    if (unready(workloadView, job)) {
      return notReady(workloadView, job, evidence, limits);
    }
    return workloadView
        .finding(
            Reason.RUNNING,
            (unseen(workloadView, job)
                    ? "It is admitted and its "
                        + job.kind()
                        + " has been started; its pods can't be seen from here."
                    : "It is running.")
                + untilTimeIsOver(workloadView, limits))
        .seen(evidence)
        .wakes(limits.executionTime())
        .by(Actor.NONE, "Nothing to do.");
  }

  /** Whether its pods may run, but neither its status nor the rights here let them be seen. */
  private static boolean unseen(WorkloadView workloadView, ObservedJob job) {
    return !job.podsRun() && !job.podsReady() && !workloadView.around().mayRead(CoreTypes.POD);
  }

  /** Whether all pods have ended, so long ago that the Job's status could say so. */
  private static boolean podsHaveEnded(WorkloadView workloadView) {
    List<V1Pod> pods = workloadView.around().pods();
    return !pods.isEmpty()
        && pods.stream()
            .allMatch(
                pod ->
                    PodPhases.ended(pod)
                        && PodProblems.endedAt(pod)
                            .map(at -> at.plus(STATUS_LAG).isBefore(workloadView.now()))
                            .orElse(true));
  }

  /** Its kind's declaration may be wrong, so that its end isn't seen and its quota stays in use. */
  private static Explanation notFinished(
      WorkloadView workloadView, ObservedJob job, List<Evidence> evidence) {
    return workloadView
        .finding(
            Reason.JOB_NOT_FINISHED,
            "All pods that can be seen of its "
                + job.kind()
                + " have ended. It may have ended, too, but the declaration of its kind doesn't"
                + " have it so (finished: "
                + job.finishedIf()
                + ").")
        .seen(evidence)
        .seen(PodProblems.seen(workloadView.around(), pod -> true))
        .by(
            Actor.CLUSTER_OPERATOR,
            "Read the status of the "
                + job.kind()
                + ": if it says that it has ended, correct finished in the declaration (kueue4j kind"
                + " check shows what that makes of an object); otherwise ask its controller's events."
                + " Its quota is free when it is deleted.");
  }

  private static Explanation notReady(
      WorkloadView workloadView, ObservedJob job, List<Evidence> evidence, RunningLimits limits) {
    boolean none = workloadView.around().pods().isEmpty() && job.progress().active() == 0;
    boolean readable = workloadView.around().mayRead(CoreTypes.POD);
    boolean unplaced = workloadView.around().pods().stream().anyMatch(PodProblems::unplaced);
    return workloadView
        .finding(
            Reason.PODS_NOT_READY,
            "It is admitted and its "
                + job.kind()
                + " has been started, but "
                + (unplaced ? "no node takes all of its pods." : "not all pods are ready.")
                + untilReady(workloadView, limits))
        .seen(evidence)
        .seen(PodProblems.seen(workloadView.around(), pod -> !PodProblems.ready(pod)))
        .wakes(limits.earliest())
        .by(
            unplaced ? Actor.CLUSTER_OPERATOR : Actor.WORKLOAD_OWNER,
            unplaced
                ? "See whether the nodes of the assigned flavors are ready and have room: the"
                    + " quota promises more than they take."
                : "See the pods and their events: images, volumes, and whether nodes have room for"
                    + " them."
                    + (none && readable
                        ? " None is seen: the events of the " + job.kind() + " tell why."
                        : "")
                    + (readable ? "" : " They can't be seen from here."));
  }

  /**
   * Whether no pod of the Job is known. The statuses of some kinds tell of pods only when all are
   * ready, or never, so that the pods themselves count as well.
   */
  private static boolean withoutPods(WorkloadView workloadView, ObservedJob job) {
    List<V1Pod> pods = workloadView.around().pods();
    boolean countsPods = !job.progress().counted().isEmpty();
    return !job.podsRun()
        && !job.podsReady()
        && (countsPods
            ? pods.stream().allMatch(PodPhases::ended)
            : pods.isEmpty() && workloadView.around().mayRead(CoreTypes.POD));
  }

  /**
   * Whether pods aren't ready, by the condition PodsReady, the Job's counts or the pods themselves.
   */
  private static boolean unready(WorkloadView workloadView, ObservedJob job) {
    List<V1Pod> pods = workloadView.around().pods();
    boolean noneReady = pods.stream().noneMatch(PodProblems::ready);
    boolean uncounted = job.progress().active() == 0 && !job.podsReady();
    return job.progress().unready() > 0
        || (!job.podsReady() && workloadView.conditions().isFalse(WorkloadConditions.PODS_READY))
        || (noneReady && !pods.isEmpty() && (job.progress().ready() == null || uncounted))
        || (pods.isEmpty() && uncounted && workloadView.around().mayRead(CoreTypes.POD));
  }

  private static RunningLimits limits(WorkloadView workloadView) {
    Configuration configuration = workloadView.around().configuration();
    ClusterQueue queue = workloadView.around().clusterQueue();
    PodsReadyPolicy policy =
        configuration == null
            ? null
            : configuration.podsReady().in(queue == null ? null : queue.spec()).orElse(null);
    PodsReadiness.Pods pods =
        workloadView
            .job()
            .map(job -> job.podsReady() ? PodsReadiness.Pods.READY : PodsReadiness.Pods.NOT_READY)
            .orElse(PodsReadiness.Pods.UNKNOWN);
    return Lifecycle.limits(
        Situation.of(workloadView.workload(), RequiredChecks.none())
            .withReadiness(new PodsReadiness(policy, pods)),
        workloadView.now());
  }

  private static String untilReady(WorkloadView workloadView, RunningLimits limits) {
    if (limits.podsReady() != null) {
      return " Its pods have until %s (%s) to be ready; then it is evicted to be tried again, or deactivated at its limit of tries."
          .formatted(limits.podsReady(), workloadView.relative(limits.podsReady()));
    }
    return workloadView.around().configuration() == null
            && workloadView.conditions().isFalse(WorkloadConditions.PODS_READY)
        ? " It is evicted if they aren't ready in time; the timeout is waitForPodsReady in the"
            + " core's configuration, which can't be read from here."
        : "";
  }

  private static String untilTimeIsOver(WorkloadView workloadView, RunningLimits limits) {
    return limits.executionTime() == null
        ? ""
        : " It has until "
            + limits.executionTime()
            + " ("
            + workloadView.relative(limits.executionTime())
            + ") to finish; then its maximum execution time is over, and it is deactivated.";
  }

  private static Explanation notStarted(
      WorkloadView workloadView, ObservedJob job, List<Evidence> evidence) {
    Instant admitted =
        workloadView.conditions().changedAt(WorkloadConditions.ADMITTED).orElse(workloadView.now());
    boolean overdue = admitted.plus(WorkloadView.PATIENCE).isBefore(workloadView.now());
    if (job.unknownPods() != null) {
      return workloadView
          .finding(
              Reason.JOB_NOT_STARTED,
              "It was admitted, but its %s can't be started yet: %s."
                  .formatted(job.kind(), job.unknownPods()))
          .seen(evidence)
          .by(Actor.CLUSTER_OPERATOR, QueuedCase.lookAtController(job.kind()));
    }
    return workloadView
        .finding(
            Reason.JOB_NOT_STARTED,
            "It was admitted %s, but its %s is still suspended%s."
                .formatted(workloadView.relative(admitted), job.kind(), job.unseen()))
        .seen(evidence)
        .wakes(overdue ? null : workloadView.now())
        .by(
            overdue ? Actor.CORE_OPERATOR : Actor.NONE,
            overdue
                ? "Check that a core is running, and what its log and the events of the "
                    + job.kind()
                    + " say: the API server may refuse its start (StartRefused)."
                : "The core is about to start it.");
  }
}
