// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.ADMISSION;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.at;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.StopPolicy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** R1. */
class ReserveTest {
  private static final List<CheckPolicy> BOTH = List.of(CheckPolicy.of("a"), CheckPolicy.of("b"));

  private static Outcome reserve(Situation situation, double seconds) {
    return Outcome.of(Lifecycle.reserve(situation, ADMISSION, BOTH, at(seconds)));
  }

  @Test
  void reservesWithTheRequiredEntriesPendingSinceTheReservation() {
    reserve(workload().situation(), 5.7)
        .by(Rule.RESERVE)
        .phase(Phase.RESERVED)
        .condition("QuotaReserved", "True(QuotaReserved)@5")
        .condition("Admitted", "False(UnsatisfiedAdmissionChecks)@5")
        .entries("a=Pending@5 b=Pending@5")
        .stillReserved();
  }

  @Test
  void itsTimeIsAtLeastASecondAfterThePreviousReservation() {
    reserve(workload().released(5).situation(), 5.2)
        .condition("QuotaReserved", "True(QuotaReserved)@6")
        .entries("a=Pending@6 b=Pending@6");
    reserve(workload().released(3600).situation(), 5)
        .condition("QuotaReserved", "True(QuotaReserved)@3601");
  }

  @Test
  void evictedAndPreemptedBecomeFalseAndKeepTheirMessage() {
    Outcome outcome =
        reserve(
            workload()
                .evicted("Preempted", 1)
                .condition("Preempted", true, "InClusterQueue", 1)
                .situation(),
            5);
    outcome
        .condition("Evicted", "False(QuotaReserved)@5")
        .condition("Preempted", "False(QuotaReserved)@5");
    assertThat(outcome.message("Evicted")).isEqualTo("Previously: Evicted for Preempted");
  }

  @Test
  void pendingEntriesKeepTheirCountReadyOnesLoseIt() {
    reserve(
            workload()
                .entry("a", CheckState.PENDING, 1, null, 3)
                .entry("b", CheckState.READY, 1, 5, 4)
                .situation(),
            5)
        .entries("a=Pending@5#3 b=Pending@5");
  }

  @Test
  void entriesAreExactlyTheRequiredOnesOfTheAssignedFlavors() {
    Plan plan =
        Lifecycle.reserve(
            workload().pending("a", 1).pending("old", 1).situation(),
            ADMISSION,
            List.of(CheckPolicy.of("b")),
            at(5));
    Outcome.of(plan).by(Rule.RESERVE).entries("b=Pending@5");
  }

  @Test
  void podSetUpdatesOfAnEarlierReservationAreForgotten() {
    AdmissionCheckState ready =
        new AdmissionCheckState(
            "a",
            CheckState.READY,
            at(1),
            "found a node",
            null,
            null,
            List.of(WorkloadBuilder.podSetUpdate()),
            null);
    AdmissionCheckState entry =
        reserve(workload().entry(ready).situation(), 5).by(Rule.RESERVE).entry("a");
    assertThat(entry.podSetUpdates()).isEmpty();
    assertThat(entry.message())
        .isEqualTo("Reset for a new reservation. Previously: Ready: found a node");
  }

  @Test
  void requeueAtIsRemovedTheCountOfPodsReadyStays() {
    Outcome outcome = reserve(workload().requeueState(2, 3.0).situation(), 5).requeueAt(null);
    assertThat(outcome.after().status().requeueState()).extracting("count").isEqualTo(2);
    assertThat(reserve(workload().requeueAt(3).situation(), 5).after().status().requeueState())
        .isNull();
  }

  @Test
  void withNoneRequiredItIsAdmittedInTheSamePatch() {
    Plan plan = Lifecycle.reserve(workload().situation(), ADMISSION, List.of(), at(5));
    Outcome.of(plan)
        .by(Rule.RESERVE)
        .phase(Phase.ADMITTED)
        .condition("Admitted", "True(Admitted)@5");
  }

  @Test
  void aStaleAdmittedConditionDoesNotAdmitTheNewReservation() {
    Outcome outcome = reserve(workload().condition("Admitted", true, "Admitted", 1).situation(), 5);
    // The contradiction is repaired first, and then the checks run as usual.
    outcome.by(Rule.REPAIR);
    Situation mended = outcome.applied(workload().situation());
    reserve(mended, 5).by(Rule.RESERVE).phase(Phase.RESERVED);
  }

  @Test
  void notWhileAnEntryIsInRetryOrRejected() {
    assertThat(reserve(workload().retry("a", 1, 60).situation(), 5).plan().rule())
        .isEqualTo(Rule.STRAY_RETRY);
    assertThat(reserve(workload().rejected("gone", 1).situation(), 5).plan().rule())
        .isEqualTo(Rule.REJECT);
  }

  @Test
  void aRetryThatIsNoLongerRequiredDoesNotBlock() {
    reserve(workload().retry("gone", 1, 60).situation(), 5)
        .by(Rule.RESERVE)
        .entries("a=Pending@5 b=Pending@5");
  }

  @Test
  void onlyIfBothQueuesRun() {
    Situation queued = workload().situation();
    QueueSettings lq = QueueSettings.running("lq");
    QueueSettings cq = QueueSettings.running("cq");
    Stream.of(
            queued.withQueues(QueueSettings.stopped("lq", StopPolicy.HOLD), cq),
            queued.withQueues(lq, QueueSettings.stopped("cq", StopPolicy.HOLD_AND_DRAIN)),
            queued.withQueues(QueueSettings.missing("lq"), cq),
            queued.withQueues(lq, QueueSettings.missing("cq")),
            queued.withQueues(lq, QueueSettings.terminating("cq")))
        .forEach(situation -> reserve(situation, 5).nothing().waitsFor(WaitReason.QUEUE));
  }

  @Test
  void onlyAQueuedWorkload() {
    reserve(workload().heldFor("ClusterQueueStopped").situation(), 5).by(Rule.QUEUE_RESTART);
    reserve(workload().inactive().situation(), 5).by(Rule.DEACTIVATE);
    reserve(workload().finished().situation(), 5).nothing();
    reserve(workload().admitted(1).situation(), 5).nothing();
    reserve(workload().target("RequeuingLimitExceeded", "too often").situation(), 5)
        .by(Rule.DEACTIVATE);
  }

  @Test
  void moreChecksThanTheStatusCanHoldAreRefused() {
    List<CheckPolicy> nine =
        Stream.of("1", "2", "3", "4", "5", "6", "7", "8", "9").map(CheckPolicy::of).toList();
    Outcome.of(Lifecycle.reserve(workload().situation(), ADMISSION, nine, at(5))).nothing();
  }
}
