// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PhaseTest {

  static Stream<Arguments> table() {
    return Stream.of(
        Arguments.of("finished wins", workload().finished().inactive(), Phase.FINISHED),
        Arguments.of(
            "inactive wins over a reservation",
            workload().inactive().admitted(1),
            Phase.DEACTIVATED),
        Arguments.of(
            "reserved and evicted", workload().admitted(1).evicted("X", 2), Phase.EVICTING),
        Arguments.of(
            "evicted before admission", workload().reserved(1).evicted("X", 2), Phase.EVICTING),
        Arguments.of("reserved and admitted", workload().admitted(1), Phase.ADMITTED),
        Arguments.of("reserved", workload().reserved(1).retry("a", 2), Phase.RESERVED),
        Arguments.of("after a check", workload().heldFor("AdmissionCheck"), Phase.BACKOFF),
        Arguments.of("after pods", workload().heldFor("PodsReadyTimeout"), Phase.BACKOFF),
        Arguments.of("a required Retry", workload().retry("a", 1), Phase.BACKOFF),
        Arguments.of(
            "a required Retry under a stopped queue",
            workload().heldFor("LocalQueueStopped").retry("a", 1),
            Phase.BACKOFF),
        Arguments.of("a Retry not required", workload().retry("gone", 1), Phase.QUEUED),
        Arguments.of("a stopped queue", workload().heldFor("ClusterQueueStopped"), Phase.HELD),
        Arguments.of("deactivated before R9", workload().heldFor("Deactivated"), Phase.HELD),
        Arguments.of(
            "Evicted is history", workload().released(3).evicted("Preempted", 2), Phase.QUEUED),
        Arguments.of(
            "neither Requeued nor requeueAt make a queue",
            workload().requeued("BackoffFinished").requeueAt(1e6),
            Phase.QUEUED),
        Arguments.of("empty", workload(), Phase.QUEUED));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("table")
  void firstMatchWins(String name, WorkloadBuilder workload, Phase phase) {
    assertThat(Phase.of(workload.build(), Set.of("a", "b"))).as(name).isEqualTo(phase);
  }

  @org.junit.jupiter.api.Test
  void usageCountsWhileReservedWhateverActiveSaysUntilFinished() {
    assertThat(Phase.holdsQuota(workload().inactive().reserved(1).build())).isTrue();
    assertThat(Phase.holdsQuota(workload().reserved(1).finished().build())).isFalse();
    assertThat(Phase.holdsQuota(workload().build())).isFalse();
  }
}
