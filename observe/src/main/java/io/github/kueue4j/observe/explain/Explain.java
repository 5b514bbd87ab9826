// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.CheckOrder;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.PodPhases;
import io.kubernetes.client.openapi.models.V1Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a Workload isn't running, by the one reason that has to be resolved first.
 *
 * <p>The reasons are tested in the order of the lifecycle: finished or deleted, deactivated,
 * delayed, waiting for checks, waiting for the Job, and last queues and quota. If no core is
 * running, that precedes every reason that waits for the core.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Explain {

  private Explain() {}

  /**
   * Explains a Workload or Job from the objects that were read.
   *
   * @param now the current time by the cluster's clock, as the deadlines in its objects
   */
  public static Explanation why(ExplainInput around, Instant now) {
    Workload workload = around.workload();
    ObservedJob job = around.job();
    List<Evidence> inVain = new ArrayList<>(job == null ? List.of() : job.inVain());
    Explanation found;
    if (workload == null) {
      found = JobWithoutWorkload.explain(around, Objects.requireNonNull(job), now);
    } else if (job != null && !mayBelong(workload, job)) {
      found = JobWithoutWorkload.taken(workload, job);
    } else if (job != null && !job.finished() && leftBehind(workload, job)) {
      found = JobWithoutWorkload.runsElsewhere(job, job.runsElsewhere().orElseThrow());
    } else {
      WorkloadView view = new WorkloadView(around, workload, now);
      found = byPhase(view);
      List<Evidence> known = found.evidence();
      view.observed().stream().filter(one -> !known.contains(one)).forEach(inVain::add);
      view.unheeded().ifPresent(inVain::add);
      inVain.addAll(view.inVain());
    }
    return CoreSteps.unlessDead(
        found.reason() == Reason.FINISHED ? found : found.and(inVain), around, now);
  }

  /**
   * The phase of a Workload, as an explanation starts from.
   *
   * @param queue the ClusterQueue whose quota it holds or waits for, with the checks that count;
   *     null if unknown: then those count that its status names
   */
  public static Phase phase(Workload workload, @Nullable ClusterQueue queue) {
    return Phase.of(workload, WorkloadView.required(queue, workload));
  }

  /**
   * The checks that a Workload waits for and that aren't asked yet, since they come after others
   * ({@link CheckOrder}), each with those of them that aren't Ready. They have no entry in its
   * status. Where AdmissionChecks may not be read, it isn't known which they come after.
   */
  public static SortedMap<String, SortedSet<String>> notAskedYet(ExplainInput around, Instant now) {
    Workload workload = around.workload();
    if (workload == null) {
      return Collections.emptySortedMap();
    }
    WorkloadView view = new WorkloadView(around, workload, now);
    boolean asks = view.phase() == Phase.RESERVED || CheckStage.asks(workload);
    return asks ? view.withheld() : Collections.emptySortedMap();
  }

  /**
   * The message that no core is running, as a clause; empty if one is, or that isn't known.
   *
   * @param lease of the core's leader election; null if there is none or it may not be read
   */
  public static Optional<String> coreNotRunning(@Nullable V1Lease lease, Instant now) {
    return CoreSteps.coreNotRunning(lease, now);
  }

  /** Whether the core has ended the Workload because it can't start the Job. */
  private static boolean leftBehind(Workload workload, ObservedJob job) {
    return workload.conditions().finished() && job.runsElsewhere().isPresent();
  }

  /** Whether the Workload represents the Job, or may: no other Job controls it. */
  private static boolean mayBelong(Workload workload, ObservedJob job) {
    return ExplainInputReader.controller(workload)
        .filter(owner -> !job.uid().equals(owner.getUid()))
        .isEmpty();
  }

  private static Explanation byPhase(WorkloadView workloadView) {
    Phase phase = workloadView.phase();
    if (phase != Phase.FINISHED && Health.terminating(workloadView.workload())) {
      return deleting(workloadView);
    }
    boolean rejected =
        workloadView.workload().status().admissionChecks().stream()
            .anyMatch(
                entry ->
                    entry.is(CheckState.REJECTED)
                        && !workloadView.observes(entry.name())
                        && !workloadView.overruled(entry)
                        && workloadView.answers(entry.name()).stream()
                            .noneMatch(answer -> answer.is(CheckState.RETRY)));
    if (phase != Phase.FINISHED && rejected) {
      return rejected(workloadView);
    }
    return switch (phase) {
      case FINISHED -> finished(workloadView);
      case DEACTIVATED -> deactivated(workloadView);
      case EVICTING -> stopping(workloadView);
      case ADMITTED -> AdmittedCase.explain(workloadView);
      case RESERVED -> ReservedCase.explain(workloadView);
      case BACKOFF -> WaitingCase.backoff(workloadView);
      case HELD -> WaitingCase.held(workloadView);
      case QUEUED -> QueuedCase.explain(workloadView);
    };
  }

  /** Whether pods of a Job that has stopped still run, and the quota is kept for them. */
  private static boolean keptForPods(WorkloadView workloadView) {
    Configuration configuration = workloadView.around().configuration();
    return (configuration == null || configuration.extensions().quotaRelease().afterPods())
        && workloadView.around().pods().stream().anyMatch(pod -> !PodPhases.ended(pod));
  }

  private static Explanation finished(WorkloadView workloadView) {
    String how =
        workloadView
            .conditions()
            .findTrue(WorkloadConditions.FINISHED)
            .map(Condition::reason)
            .orElse("");
    return workloadView
        .finding(Reason.FINISHED, "It has finished: " + how + ".")
        .seen(workloadView.seen(WorkloadConditions.FINISHED))
        .by(Actor.NONE, "To run it again, create a new Job.");
  }

  private static Explanation deleting(WorkloadView workloadView) {
    return workloadView
        .finding(
            Reason.DELETING,
            "It is being deleted; its finalizers are removed, and its quota is free, once its Job has"
                + " stopped and the pods have ended.")
        .seen(
            workloadView.seen(
                "metadata",
                "deletionTimestamp "
                    + workloadView.workload().metadata().getDeletionTimestamp()
                    + ", finalizers "
                    + workloadView.workload().metadata().getFinalizers()))
        .seen(workloadView.seenJob().stream().toList())
        .seen(PodProblems.seen(workloadView.around(), pod -> !PodPhases.ended(pod)))
        .by(Actor.NONE, "A Job that still exists gets a new Workload afterwards.");
  }

  private static Explanation rejected(WorkloadView workloadView) {
    return workloadView
        .finding(Reason.REJECTED, "An admission check rejected it, and that is final.")
        .seen(
            workloadView.workload().status().admissionChecks().stream()
                .filter(entry -> entry.is(CheckState.REJECTED))
                .map(workloadView::seen)
                .toList())
        .by(Actor.WORKLOAD_OWNER, activate(workloadView, "Remove the cause"));
  }

  private static Explanation deactivated(WorkloadView workloadView) {
    Condition cause =
        workloadView
            .conditions()
            .findFalse(WorkloadConditions.REQUEUED)
            .filter(requeued -> EvictionReasons.isDeactivation(requeued.reason()))
            .or(workloadView.conditions()::deactivationTarget)
            .orElse(null);
    List<Evidence> evidence =
        List.of(
            workloadView.seen("spec.active", "false"),
            cause == null
                ? workloadView.seen(WorkloadConditions.REQUEUED)
                : workloadView.seen(cause.type()));
    String reason = cause == null ? "" : cause.reason();
    if (reason.equals(EvictionReasons.DEACTIVATED_DUE_TO_ADMISSION_CHECK)) {
      return workloadView
          .finding(Reason.REJECTED, "An admission check rejected it: " + message(cause) + ".")
          .seen(evidence)
          .by(Actor.WORKLOAD_OWNER, activate(workloadView, "Remove the cause"));
    }
    boolean limit =
        EvictionReasons.isDeactivationByKueue(reason)
            || (cause != null && cause.type().equals(WorkloadConditions.DEACTIVATION_TARGET));
    return limit
        ? workloadView
            .finding(Reason.DEACTIVATED_BY_LIMIT, message(cause) + ".")
            .seen(evidence)
            .by(Actor.WORKLOAD_OWNER, activate(workloadView, "Remove the cause"))
        : workloadView
            .finding(Reason.DEACTIVATED_BY_USER, "A user deactivated it.")
            .seen(evidence)
            .by(Actor.WORKLOAD_OWNER, activate(workloadView, "If it is to run"));
  }

  private static String message(@Nullable Condition condition) {
    return condition == null ? "it was deactivated" : condition.message();
  }

  private static String activate(WorkloadView workloadView, String first) {
    return "%s, then activate it: kubectl patch workload %s -n %s --type merge -p '{\"spec\":{\"active\":true}}'"
        .formatted(first, workloadView.key().name(), workloadView.key().namespace());
  }

  /** Evicted, and its quota is still reserved. */
  private static Explanation stopping(WorkloadView workloadView) {
    List<Evidence> evidence =
        java.util.stream.Stream.concat(
                java.util.stream.Stream.of(workloadView.seen(WorkloadConditions.EVICTED)),
                workloadView.seenJob().stream())
            .toList();
    boolean stopped =
        workloadView.job().isEmpty() || workloadView.job().filter(ObservedJob::stopped).isPresent();
    if (stopped && !keptForPods(workloadView)) {
      return CoreSteps.due(
          workloadView,
          null,
          "releases its quota now that its " + workloadView.jobKind() + " has stopped",
          evidence);
    }
    if (workloadView.conditions().isTrue(WorkloadConditions.SUSPENSION_UNHEEDED)) {
      return workloadView
          .finding(
              Reason.JOB_STILL_STOPPING,
              "It was evicted, but its "
                  + workloadView.jobKind()
                  + (workloadView.stopRefused()
                      ? " can't be stopped, since the API server refuses that"
                      : " runs on although it was suspended")
                  + "; its quota stays reserved until its pods have ended.")
          .seen(evidence)
          .by(
              Actor.CLUSTER_OPERATOR,
              "Look at the condition "
                  + WorkloadConditions.SUSPENSION_UNHEEDED
                  + ", which has the server's words if a webhook or a right is in the way."
                  + " Otherwise maybe the installed version of the controller, or of the kind's definition,"
                  + " doesn't know the field that suspends it, or pods take long to end. The deletion"
                  + " of the object ends its pods, too.");
    }
    return workloadView
        .finding(
            Reason.JOB_STILL_STOPPING,
            "It was evicted, but its "
                + workloadView.jobKind()
                + " has pods that have not ended yet; its quota stays reserved"
                + " until they have.")
        .seen(evidence)
        .seen(PodProblems.seen(workloadView.around(), pod -> !PodPhases.ended(pod)))
        .wakes(workloadView.requeueAt())
        .by(
            Actor.CLUSTER_OPERATOR,
            "Pods end after their grace period. If one hangs, look at its node and its"
                + " finalizers.");
  }
}
