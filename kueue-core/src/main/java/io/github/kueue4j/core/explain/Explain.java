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

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.status.Health;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Says why a Workload isn't running: the one reason that has to go first.
 *
 * <p>The order is that of the lifecycle: what is over, what was taken out, what waits for time,
 * what waits for checks, what waits for the Job, and only then queues and quota. A core that has
 * died outweighs everything that it would have to do.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Explain {
  private static final String DUE_TO_CHECK = "DeactivatedDueToAdmissionCheck";
  private static final String DUE_TO = "DeactivatedDueTo";

  private Explain() {}

  /**
   * Explains what was read.
   *
   * @param now the cluster's time, which the deadlines in its objects are compared with
   */
  public static Explanation why(Surroundings around, Instant now) {
    Workload workload = around.workload();
    JobSeen job = around.job();
    Explanation found;
    if (workload == null) {
      found = JobWithoutWorkload.explain(around, Objects.requireNonNull(job), now);
    } else if (job != null && !belongs(workload, job)) {
      found = JobWithoutWorkload.taken(workload, job);
    } else {
      found = byPhase(new Look(around, workload, now));
    }
    return CoreSteps.unlessDead(found, around, now);
  }

  /** Whether the Workload stands for the Job, or will: nobody else controls it. */
  private static boolean belongs(Workload workload, JobSeen job) {
    return SurroundingsReader.controller(workload)
        .filter(owner -> !job.uid().equals(owner.getUid()))
        .isEmpty();
  }

  private static Explanation byPhase(Look look) {
    Phase phase = look.phase();
    if (phase != Phase.FINISHED && Health.terminating(look.workload())) {
      return deleting(look);
    }
    boolean rejected =
        look.workload().status().admissionChecks().stream()
            .anyMatch(entry -> entry.is(CheckState.REJECTED));
    if (phase != Phase.FINISHED && rejected) {
      return rejected(look);
    }
    return switch (phase) {
      case FINISHED -> finished(look);
      case DEACTIVATED -> deactivated(look);
      case EVICTING -> stopping(look);
      case ADMITTED -> Admitted.explain(look);
      case RESERVED -> Reserved.explain(look);
      case BACKOFF -> Waiting.backoff(look);
      case HELD -> Waiting.held(look);
      case QUEUED -> Queued.explain(look);
    };
  }

  private static Explanation finished(Look look) {
    String how = look.reasonOf(WorkloadConditions.FINISHED, Condition.TRUE);
    return look.finding(Reason.FINISHED, "It has finished: " + how + ".")
        .seen(look.seen(WorkloadConditions.FINISHED))
        .by(Party.NOBODY, "To run it again, create a new Job.");
  }

  private static Explanation deleting(Look look) {
    return look.finding(
            Reason.DELETING, "It is being deleted; its finalizers go once its Job has stopped.")
        .seen(
            look.seen(
                "metadata",
                "deletionTimestamp "
                    + look.workload().metadata().getDeletionTimestamp()
                    + ", finalizers "
                    + look.workload().metadata().getFinalizers()))
        .seen(look.seenJob().stream().toList())
        .by(Party.NOBODY, "A Job that still exists gets a new Workload afterwards.");
  }

  private static Explanation rejected(Look look) {
    return look.finding(Reason.REJECTED, "An admission check rejected it, and that is final.")
        .seen(
            look.workload().status().admissionChecks().stream()
                .filter(entry -> entry.is(CheckState.REJECTED))
                .map(look::seen)
                .toList())
        .by(Party.WORKLOAD_OWNER, activate(look, "Remove the cause"));
  }

  private static Explanation deactivated(Look look) {
    Condition cause =
        Optional.of(WorkloadConditions.REQUEUED)
            .flatMap(look::condition)
            .filter(condition -> condition.reason().startsWith("Deactivated"))
            .or(
                () ->
                    look.condition(WorkloadConditions.DEACTIVATION_TARGET)
                        .filter(Condition::isTrue))
            .orElse(null);
    List<Evidence> evidence =
        List.of(
            look.seen("spec.active", "false"),
            cause == null ? look.seen(WorkloadConditions.REQUEUED) : look.seen(cause.type()));
    String reason = cause == null ? "" : cause.reason();
    if (reason.equals(DUE_TO_CHECK)) {
      return look.finding(
              Reason.REJECTED, "An admission check rejected it: " + message(cause) + ".")
          .seen(evidence)
          .by(Party.WORKLOAD_OWNER, activate(look, "Remove the cause"));
    }
    boolean limit =
        reason.startsWith(DUE_TO)
            || (cause != null && cause.type().equals(WorkloadConditions.DEACTIVATION_TARGET));
    return limit
        ? look.finding(Reason.DEACTIVATED_BY_LIMIT, message(cause) + ".")
            .seen(evidence)
            .by(Party.WORKLOAD_OWNER, activate(look, "Remove the cause"))
        : look.finding(Reason.DEACTIVATED_BY_USER, "Somebody deactivated it.")
            .seen(evidence)
            .by(Party.WORKLOAD_OWNER, activate(look, "If it shall run"));
  }

  private static String message(@org.jspecify.annotations.Nullable Condition condition) {
    return condition == null ? "it was deactivated" : condition.message();
  }

  private static String activate(Look look, String first) {
    return first
        + ", then activate it: kubectl patch workload "
        + look.key().name()
        + " -n "
        + look.key().namespace()
        + " --type merge -p '{\"spec\":{\"active\":true}}'";
  }

  /** Evicted, and quota still reserved. */
  private static Explanation stopping(Look look) {
    List<Evidence> evidence =
        java.util.stream.Stream.concat(
                java.util.stream.Stream.of(look.seen(WorkloadConditions.EVICTED)),
                look.seenJob().stream())
            .toList();
    boolean gone = look.job().isEmpty() || look.job().filter(JobSeen::stopped).isPresent();
    if (gone) {
      return CoreSteps.due(
          look,
          null,
          "gives its quota back now that its " + look.jobKind() + " has stopped",
          evidence);
    }
    return look.finding(
            Reason.JOB_STILL_STOPPING,
            "It was evicted, but its "
                + look.jobKind()
                + " has pods that have not ended yet; its quota stays reserved"
                + " until they have.")
        .seen(evidence)
        .seen(Pods.seen(look.around(), pod -> true))
        .wakes(look.requeueAt())
        .by(
            Party.CLUSTER_OPERATOR,
            "Pods end after their grace period. If one hangs, look at its node and its finalizers.");
  }
}
