// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.QueueSettings;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.queue.AdmissionGates;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.PodGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Why a Workload isn't in a queue of the scheduler; of those that are, the State says it ({@code
 * state.PendingReason}).
 */
final class QueuePendingReason {
  private static final String SUSPENDED = "Suspended";

  private static final String NO_QUEUE =
      "Workload names no LocalQueue: set spec.queueName, or the label kueue.x-k8s.io/queue-name of"
          + " its Job";

  private static final String GROUP_INCOMPLETE = "PodGroupIncomplete";

  private static final String GROUP_AWAITS_PODS =
      "Pods of the group are missing; it is queued once they are created";

  private static final String AWAITS_PODS = "AwaitsPods";

  private static final String PENDING_EVALUATION = "PendingEvaluation";

  private static final String IN_QUEUE = "Workload is pending evaluation in the scheduling queue";

  private static final Duration AFTER_ANSWER = Duration.ofSeconds(5);

  /** Queues and Workloads are often created together, in any order. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private QueuePendingReason() {}

  /** The reason; empty if the Workload is in a queue, or doesn't wait for quota. */
  static Optional<Outbox.DuePendingReason> of(
      Situation situation, Optional<String> gates, Function<String, Optional<Health>> inactive) {
    return keptOut(situation, gates, inactive).or(() -> reworded(situation));
  }

  /** The obstacle that keeps the Workload out of the queue, other than checks before quota. */
  static Optional<Outbox.DuePendingReason> keptOut(
      Situation situation, Optional<String> gates, Function<String, Optional<Health>> inactive) {
    Phase phase = situation.phase();
    if (phase != Phase.QUEUED && phase != Phase.HELD) {
      return Optional.empty();
    }
    if (gates.isPresent()) {
      return because(situation, AdmissionGates.REASON, "Admission is gated by: " + gates.get());
    }
    Optional<String> awaited = JobWorkload.awaitedPods(situation.workload());
    if (awaited.isPresent()) {
      return PodGroup.has(situation.workload())
          ? because(situation, GROUP_INCOMPLETE, GROUP_AWAITS_PODS)
          : because(situation, AWAITS_PODS, "It can't be queued yet: " + awaited.get());
    }
    QueueSettings local = situation.localQueue();
    QueueSettings cluster = situation.clusterQueue();
    if (!local.exists()) {
      return local.name().isEmpty()
          ? because(situation, WorkloadConditions.MISCONFIGURED, NO_QUEUE)
          : because(
              situation,
              WorkloadConditions.MISCONFIGURED,
              "LocalQueue " + local.name() + " doesn't exist");
    }
    if (Health.stopped(local.stopPolicy()) || local.terminating()) {
      return because(situation, SUSPENDED, "LocalQueue " + local.name() + " is inactive");
    }
    if (!cluster.exists()) {
      return because(
          situation,
          WorkloadConditions.MISCONFIGURED,
          "ClusterQueue " + cluster.name() + " doesn't exist");
    }
    Optional<Health> cause = inactive.apply(cluster.name());
    if (cause.isPresent()) {
      return because(
          situation,
          cause.get().misconfigured() ? WorkloadConditions.MISCONFIGURED : SUSPENDED,
          "ClusterQueue " + cluster.name() + " is inactive. " + cause.get().message());
    }
    return Optional.empty();
  }

  /** The reason in place of one that is over; empty if that isn't needed. */
  private static Optional<Outbox.DuePendingReason> reworded(Situation situation) {
    if (situation.phase() != Phase.QUEUED) {
      return Optional.empty();
    }
    if (saysGated(situation)) {
      return because(situation, PENDING_EVALUATION, AdmissionGates.CLEARED);
    }
    if (saysChecks(situation)) {
      return Optional.of(
          new Outbox.DuePendingReason(PENDING_EVALUATION, IN_QUEUE, lastAnswer(situation)));
    }
    return outdated(situation)
        ? because(situation, PENDING_EVALUATION, IN_QUEUE)
        : Optional.empty();
  }

  private static boolean saysChecks(Situation situation) {
    return situation
        .workload()
        .conditions()
        .notReserved()
        .filter(condition -> condition.reason().equals(CheckStage.WAITING_FOR_CHECKS))
        .isPresent();
  }

  /** Quota often follows the last check's answer at once: that needs no other words in between. */
  private static Instant lastAnswer(Situation situation) {
    return situation.workload().status().admissionChecks().stream()
        .map(AdmissionCheckState::lastTransitionTime)
        .max(Comparator.naturalOrder())
        .orElse(Instant.EPOCH)
        .plus(AFTER_ANSWER);
  }

  private static boolean saysGated(Situation situation) {
    return situation
        .workload()
        .conditions()
        .notReserved()
        .filter(condition -> condition.reason().equals(AdmissionGates.REASON))
        .isPresent();
  }

  /** Whether the Workload's status still says that it isn't in a queue that works. */
  private static boolean outdated(Situation situation) {
    return situation
        .workload()
        .conditions()
        .notReserved()
        .filter(
            condition ->
                List.of(WorkloadConditions.MISCONFIGURED, SUSPENDED, GROUP_INCOMPLETE, AWAITS_PODS)
                    .contains(condition.reason()))
        .filter(
            condition ->
                condition.reason().equals(AWAITS_PODS)
                    || condition.message().startsWith("LocalQueue ")
                    || condition.message().startsWith("ClusterQueue ")
                    || condition.message().equals(NO_QUEUE)
                    || condition.message().equals(GROUP_AWAITS_PODS))
        .isPresent();
  }

  private static Optional<Outbox.DuePendingReason> because(
      Situation situation, String reason, String message) {
    Instant notBefore = QueueOrder.createdAt(situation.workload()).plus(GRACE);
    return Optional.of(new Outbox.DuePendingReason(reason, message, notBefore));
  }
}
