// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadConditionsTest {

  private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

  private static WorkloadConditions of(Condition... conditions) {
    return Workload.named("ns", "job")
        .withStatus(WorkloadStatus.empty().withConditions(List.of(conditions)))
        .conditions();
  }

  private static WorkloadConditions heldFor(String reason) {
    return of(Condition.isFalse(WorkloadConditions.REQUEUED, reason, "", T0));
  }

  @Test
  void aNewWorkloadHasNoFacts() {
    WorkloadConditions none = of();

    assertThat(none.finished() || none.reserved() || none.admitted()).isFalse();
    assertThat(none.evicted() || none.preempted() || none.holdsQuota()).isFalse();
    assertThat(none.heldFor()).isEmpty();
    assertThat(none.notReserved()).isEmpty();
    assertThat(none.deactivationTarget()).isEmpty();
    assertThat(none.changedAt(WorkloadConditions.QUOTA_RESERVED)).isEmpty();
  }

  @Test
  void quotaIsHeldFromTheReservationUntilTheWorkloadIsFinished() {
    Condition reserved = Condition.isTrue(WorkloadConditions.QUOTA_RESERVED, "Reserved", "", T0);
    Condition evicted = Condition.isTrue(WorkloadConditions.EVICTED, "Preempted", "", T0);
    Condition finished = Condition.isTrue(WorkloadConditions.FINISHED, "Succeeded", "", T0);

    assertThat(of(reserved).holdsQuota()).isTrue();
    assertThat(of(reserved, evicted).holdsQuota()).isTrue();
    assertThat(of(reserved, finished).holdsQuota()).isFalse();
    assertThat(of(reserved, finished).reserved()).isTrue();
    assertThat(of(evicted).holdsQuota()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    // reason, delay, checks, pods ready, stopped queue, deactivation
    "AdmissionCheck, true, true, false, false, false",
    "PodsReadyTimeout, true, false, true, false, false",
    "ClusterQueueStopped, false, false, false, true, false",
    "LocalQueueStopped, false, false, false, true, false",
    "Deactivated, false, false, false, false, true",
    "DeactivatedDueToAdmissionCheck, false, false, false, false, true",
    "DeactivatedDueToRequeuingLimitExceeded, false, false, false, false, true",
    "SomethingNewer, false, false, false, false, false",
  })
  void theReasonOfRequeuedFalseSaysWhatHoldsIt(
      String reason,
      boolean delay,
      boolean checks,
      boolean podsReady,
      boolean stoppedQueue,
      boolean deactivation) {
    WorkloadConditions held = heldFor(reason);

    assertThat(held.heldFor()).contains(reason);
    assertThat(held.heldForDelay()).isEqualTo(delay);
    assertThat(held.heldForChecks()).isEqualTo(checks);
    assertThat(held.heldForPodsReady()).isEqualTo(podsReady);
    assertThat(held.heldForStoppedQueue()).isEqualTo(stoppedQueue);
    assertThat(held.heldForDeactivation()).isEqualTo(deactivation);
  }

  @Test
  void requeuedTrueHoldsNothingWhateverItsReason() {
    WorkloadConditions requeued =
        of(Condition.isTrue(WorkloadConditions.REQUEUED, "AdmissionCheck", "", T0));

    assertThat(requeued.heldFor()).isEmpty();
    assertThat(requeued.heldForChecks()).isFalse();
  }

  @Test
  void unknownIsNeitherTrueNorFalse() {
    WorkloadConditions unknown =
        of(new Condition(WorkloadConditions.QUOTA_RESERVED, Condition.UNKNOWN, "", "", T0, null));

    assertThat(unknown.reserved()).isFalse();
    assertThat(unknown.notReserved()).isEmpty();
    assertThat(unknown.changedAt(WorkloadConditions.QUOTA_RESERVED)).contains(T0);
    assertThat(unknown.trueSince(WorkloadConditions.QUOTA_RESERVED)).isEmpty();
  }

  @Test
  void deactivationsByKueueAreToldFromThoseByUsers() {
    assertThat(EvictionReasons.isDeactivation("Deactivated")).isTrue();
    assertThat(EvictionReasons.isDeactivationByKueue("Deactivated")).isFalse();
    assertThat(
            EvictionReasons.isDeactivationByKueue(
                EvictionReasons.DEACTIVATED_DUE_TO_ADMISSION_CHECK))
        .isTrue();
    assertThat(EvictionReasons.isDeactivation("Preempted")).isFalse();
  }
}
