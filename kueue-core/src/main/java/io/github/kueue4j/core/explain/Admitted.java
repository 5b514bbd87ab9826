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

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.WorkloadConditions;
import io.kubernetes.client.openapi.models.V1Job;
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
    V1Job job = look.around().job();
    if (job == null) {
      return look.finding(
              Reason.RUNNING,
              "It is admitted and may run. It belongs to no Job of batch/v1, so its pods can't be"
                  + " seen from here.")
          .seen(evidence)
          .by(Party.NOBODY, "Whoever created the Workload runs it.");
    }
    evidence.add(Look.seenJob(job));
    if (Jobs.suspended(job)) {
      return notStarted(look, evidence);
    }
    if (Jobs.active(job) == 0) {
      return look.finding(
              Reason.PODS_NOT_CREATED, "It is admitted and its Job is started, but has no pods.")
          .seen(evidence)
          .by(
              Party.CLUSTER_OPERATOR,
              "See the events of the Job: a ResourceQuota, a LimitRange or an admission webhook may"
                  + " refuse its pods, or the Job controller doesn't run.");
    }
    boolean unready =
        Jobs.unready(job) > 0
            || (job.getStatus() != null
                && job.getStatus().getReady() == null
                && !look.around().pods().isEmpty()
                && look.around().pods().stream().noneMatch(Jobs::ready));
    if (unready) {
      return look.finding(
              Reason.PODS_NOT_READY,
              "It is admitted and its Job is started, but not all pods are ready.")
          .seen(evidence)
          .seen(Jobs.pods(look.around(), pod -> !Jobs.ready(pod)))
          .by(
              Party.WORKLOAD_OWNER,
              "See the pods and their events: images, volumes, and whether nodes have room for them.");
    }
    return look.finding(Reason.RUNNING, "It is running.")
        .seen(evidence)
        .by(Party.NOBODY, "Nothing to do.");
  }

  private static Explanation notStarted(Look look, List<Evidence> evidence) {
    Instant admitted =
        look.condition(WorkloadConditions.ADMITTED)
            .map(Condition::lastTransitionTime)
            .orElse(look.now());
    boolean overdue = admitted.plus(Look.PATIENCE).isBefore(look.now());
    return look.finding(
            Reason.JOB_NOT_STARTED,
            "It was admitted " + look.relative(admitted) + ", but its Job is still suspended.")
        .seen(evidence)
        .wakes(overdue ? null : look.now())
        .by(
            overdue ? Party.CORE_OPERATOR : Party.NOBODY,
            overdue
                ? "See that a core is running, and what its log says about the Job: its start may"
                    + " have been refused."
                : "The core starts it in a moment.");
  }
}
