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
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.QueueFacts;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.queue.AdmissionGates;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.status.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** Why a Workload doesn't get as far as the scheduler. */
final class QueueVerdict {
  private static final String MISCONFIGURED = "Misconfigured";
  private static final String SUSPENDED = "Suspended";

  /** Queues and Workloads are often created together: don't complain about the order. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private QueueVerdict() {}

  /** The verdict; empty if the Workload waits in a queue, or not at all. */
  static Optional<Outbox.Verdict> of(
      Situation situation, Optional<String> gates, Predicate<String> clusterQueueActive) {
    Phase phase = situation.phase();
    if (phase != Phase.QUEUED && phase != Phase.HELD) {
      return Optional.empty();
    }
    if (gates.isPresent()) {
      return verdict(situation, AdmissionGates.REASON, "Admission is gated by: " + gates.get());
    }
    QueueFacts local = situation.localQueue();
    QueueFacts cluster = situation.clusterQueue();
    if (!local.exists()) {
      return local.name().isEmpty()
          ? Optional.empty()
          : verdict(situation, MISCONFIGURED, "LocalQueue " + local.name() + " doesn't exist");
    }
    if (Health.stopped(local.stopPolicy()) || local.terminating()) {
      return verdict(situation, SUSPENDED, "LocalQueue " + local.name() + " is inactive");
    }
    if (!cluster.exists()) {
      return verdict(situation, MISCONFIGURED, "ClusterQueue " + cluster.name() + " doesn't exist");
    }
    if (!clusterQueueActive.test(cluster.name())) {
      return verdict(situation, SUSPENDED, "ClusterQueue " + cluster.name() + " is inactive");
    }
    if (phase == Phase.QUEUED && saysGated(situation)) {
      return verdict(situation, "PendingEvaluation", AdmissionGates.CLEARED);
    }
    return phase == Phase.QUEUED && outdated(situation)
        ? verdict(
            situation,
            "PendingEvaluation",
            "Workload is pending evaluation in the scheduling queue")
        : Optional.empty();
  }

  private static boolean saysGated(Situation situation) {
    return Conditions.find(
            situation.workload().status().conditions(), WorkloadConditions.QUOTA_RESERVED)
        .filter(Condition::isFalse)
        .filter(condition -> condition.reason().equals(AdmissionGates.REASON))
        .isPresent();
  }

  /** Whether the Workload still says that its queue doesn't work. */
  private static boolean outdated(Situation situation) {
    return Conditions.find(
            situation.workload().status().conditions(), WorkloadConditions.QUOTA_RESERVED)
        .filter(Condition::isFalse)
        .filter(
            condition ->
                condition.reason().equals(MISCONFIGURED) || condition.reason().equals(SUSPENDED))
        .map(Condition::message)
        .filter(message -> message.startsWith("LocalQueue ") || message.startsWith("ClusterQueue "))
        .isPresent();
  }

  private static Optional<Outbox.Verdict> verdict(
      Situation situation, String reason, String message) {
    Instant notBefore = QueueOrder.createdAt(situation.workload()).plus(GRACE);
    return Optional.of(new Outbox.Verdict(reason, message, notBefore));
  }
}
