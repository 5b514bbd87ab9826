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
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.PodsReadiness;
import io.github.kueue4j.core.lifecycle.PodsReadyPolicy;
import io.github.kueue4j.core.lifecycle.QueueFacts;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.RunningLimits;
import io.github.kueue4j.core.lifecycle.Situation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Admitted: from here on it is the Job's turn. */
final class Admitted {
  private Admitted() {}

  static Explanation explain(Look look) {
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(look.seen(WorkloadConditions.ADMITTED));
    look.condition(WorkloadConditions.PODS_READY)
        .ifPresent(condition -> evidence.add(look.seen(WorkloadConditions.PODS_READY)));
    RunningLimits limits = limits(look);
    if (limits.executionTime() != null) {
      evidence.add(
          look.seen(
              "spec.maximumExecutionTimeSeconds",
              String.valueOf(look.workload().spec().maximumExecutionTimeSeconds())));
    }
    JobSeen job = look.around().job();
    if (job == null) {
      return look.finding(
              Reason.RUNNING,
              "It is admitted and may run. It belongs to no Job of a kind that is known here, so its"
                  + " pods can't be seen."
                  + untilReady(look, limits)
                  + untilTimeIsOver(look, limits))
          .seen(evidence)
          .wakes(limits.earliest())
          .by(Party.NOBODY, "Whoever created the Workload runs it.");
    }
    evidence.add(job.seen());
    if (job.suspended()) {
      return notStarted(look, job, evidence);
    }
    if (job.progress().active() == 0 && !job.podsReady()) {
      return look.finding(
              Reason.PODS_NOT_CREATED,
              "It is admitted and its "
                  + job.kind()
                  + " is started, but has no pods."
                  + untilReady(look, limits))
          .seen(evidence)
          .wakes(limits.earliest())
          .by(
              Party.CLUSTER_OPERATOR,
              "See the events of the "
                  + job.kind()
                  + ": a ResourceQuota, a LimitRange or an admission webhook may refuse its pods, or"
                  + " its controller doesn't run.");
    }
    if (unready(look, job)) {
      return look.finding(
              Reason.PODS_NOT_READY,
              "It is admitted and its "
                  + job.kind()
                  + " is started, but not all pods are ready."
                  + untilReady(look, limits))
          .seen(evidence)
          .seen(Pods.seen(look.around(), pod -> !Pods.ready(pod)))
          .wakes(limits.earliest())
          .by(
              Party.WORKLOAD_OWNER,
              "See the pods and their events: images, volumes, and whether nodes have room for them.");
    }
    return look.finding(Reason.RUNNING, "It is running." + untilTimeIsOver(look, limits))
        .seen(evidence)
        .wakes(limits.executionTime())
        .by(Party.NOBODY, "Nothing to do.");
  }

  /** Neither counts nor pods need tell, while the core goes by its own condition. */
  private static boolean unready(Look look, JobSeen job) {
    return job.progress().unready() > 0
        || (!job.podsReady()
            && look.condition(WorkloadConditions.PODS_READY).filter(Condition::isFalse).isPresent())
        || (job.progress().ready() == null
            && !look.around().pods().isEmpty()
            && look.around().pods().stream().noneMatch(Pods::ready));
  }

  private static RunningLimits limits(Look look) {
    Configuration configuration = look.around().configuration();
    ClusterQueue queue = look.around().clusterQueue();
    PodsReadyPolicy policy =
        configuration == null
            ? null
            : configuration.podsReady().in(queue == null ? null : queue.spec()).orElse(null);
    PodsReadiness.Pods pods =
        look.job()
            .map(job -> job.podsReady() ? PodsReadiness.Pods.READY : PodsReadiness.Pods.NOT_READY)
            .orElse(PodsReadiness.Pods.UNKNOWN);
    return Lifecycle.limits(
        Situation.of(
                look.workload(),
                QueueFacts.running(""),
                QueueFacts.running(""),
                RequiredChecks.none())
            .withReadiness(new PodsReadiness(policy, pods)),
        look.now());
  }

  private static String untilReady(Look look, RunningLimits limits) {
    if (limits.podsReady() != null) {
      return " Its pods have until "
          + limits.podsReady()
          + " ("
          + look.relative(limits.podsReady())
          + ") to be ready; then it is evicted to be tried again, or deactivated at its limit of"
          + " tries.";
    }
    return look.around().configuration() == null
            && look.condition(WorkloadConditions.PODS_READY).filter(Condition::isFalse).isPresent()
        ? " It is evicted if they aren't ready in time; how long that is, waitForPodsReady in the"
            + " core's configuration says, which can't be read from here."
        : "";
  }

  private static String untilTimeIsOver(Look look, RunningLimits limits) {
    return limits.executionTime() == null
        ? ""
        : " It has until "
            + limits.executionTime()
            + " ("
            + look.relative(limits.executionTime())
            + ") to finish; then its maximum execution time is over, and it is deactivated.";
  }

  private static Explanation notStarted(Look look, JobSeen job, List<Evidence> evidence) {
    Instant admitted =
        look.condition(WorkloadConditions.ADMITTED)
            .map(Condition::lastTransitionTime)
            .orElse(look.now());
    boolean overdue = admitted.plus(Look.PATIENCE).isBefore(look.now());
    return look.finding(
            Reason.JOB_NOT_STARTED,
            "It was admitted "
                + look.relative(admitted)
                + ", but its "
                + job.kind()
                + " is still suspended.")
        .seen(evidence)
        .wakes(overdue ? null : look.now())
        .by(
            overdue ? Party.CORE_OPERATOR : Party.NOBODY,
            overdue
                ? "See that a core is running, and what its log says about the "
                    + job.kind()
                    + ": its start may have been refused."
                : "The core starts it in a moment.");
  }
}
