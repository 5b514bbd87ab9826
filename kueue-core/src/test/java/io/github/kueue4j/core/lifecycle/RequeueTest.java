// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.at;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.StopPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R6. */
class RequeueTest {

  private static WorkloadBuilder backoff() {
    return workload()
        .released(20)
        .heldFor("AdmissionCheck")
        .entry("a", CheckState.RETRY, 20, 60, 1)
        .requeueAt(80);
  }

  @Test
  void notBeforeTheDeadline() {
    Outcome.plan(backoff().situation(), 79.999)
        .nothing()
        .waitsFor(WaitReason.DEADLINE)
        .wakesAt(80.0);
  }

  @Test
  void atTheDeadlineEveryRetryIsCountedAndResetInOnePatch() {
    Outcome.plan(backoff().entry("b", CheckState.READY, 15, null, 3).situation(), 80)
        .by(Rule.REQUEUE)
        .phase(Phase.QUEUED)
        .entries("a=Pending@80#2 b=Pending@80")
        .requeueAt(null)
        .condition("Requeued", "True(BackoffFinished)@80");
  }

  @Test
  void pendingEntriesKeepTheirCount() {
    Outcome.plan(backoff().entry("b", CheckState.PENDING, 15, null, 3).situation(), 80)
        .entries("a=Pending@80#2 b=Pending@15#3");
  }

  @Test
  void theLastReasonIsKeptAndUpdatesAreRemoved() {
    AdmissionCheckState retry =
        new AdmissionCheckState(
            "a",
            CheckState.RETRY,
            at(20),
            "no GPUs",
            60,
            null,
            List.of(WorkloadBuilder.podSetUpdate()),
            null);
    AdmissionCheckState entry = Outcome.plan(backoff().entry(retry).situation(), 80).entry("a");
    assertThat(entry.message()).isEqualTo("Reset after the backoff. Previously: Retry: no GPUs");
    assertThat(entry.podSetUpdates()).isEmpty();
    assertThat(entry.requeueAfterSeconds()).isNull();
    assertThat(entry.retryCount()).isEqualTo(1);
  }

  @Test
  void messagesOfResetsAreNotNested() {
    AdmissionCheckState again =
        new AdmissionCheckState(
            "a",
            CheckState.RETRY,
            at(20),
            "Reset after the backoff. Previously: Retry: no GPUs",
            60,
            1,
            List.of(),
            null);
    assertThat(Outcome.plan(backoff().entry(again).situation(), 80).entry("a").message())
        .isEqualTo("Reset after the backoff. Previously: Retry: no GPUs");
  }

  @Test
  void aRetryWithoutADelayIsRequeuedAfterTheShortest() {
    Situation backoff =
        workload().heldFor("AdmissionCheck").retry("a", 20).requeueAt(21).situation();
    Outcome.plan(backoff, 20.9).nothing().wakesAt(21.0);
    Outcome.plan(backoff, 21).by(Rule.REQUEUE).entries("a=Pending@21#1");
  }

  @Test
  void aBackoffWithoutAnyRetryLeftEndsAtOnce() {
    Outcome.plan(workload().heldFor("AdmissionCheck").pending("a", 1).situation(), 20)
        .by(Rule.REQUEUE)
        .entries("a=Pending@1");
  }

  @Test
  void afterAPodsReadyTimeoutItAlsoWaitsForRequeueAt() {
    Situation timeout =
        workload()
            .heldFor("PodsReadyTimeout")
            .requeueState(2, 100.0)
            .retry("a", 20, 30)
            .situation();
    Outcome.plan(timeout, 99).nothing().wakesAt(100.0);
    Outcome outcome = Outcome.plan(timeout, 100).by(Rule.REQUEUE).requeueAt(null);
    assertThat(outcome.after().status().requeueState()).extracting("count").isEqualTo(2);
  }

  @Test
  void aStoppedQueueKeepsItsReasonSoTheWorkloadIsHeld() {
    Outcome.plan(
            workload()
                .heldFor("LocalQueueStopped")
                .retry("a", 20, 10)
                .requeueAt(30)
                .situation()
                .withQueues(
                    QueueSettings.stopped("lq", StopPolicy.HOLD), QueueSettings.running("cq")),
            30)
        .by(Rule.REQUEUE)
        .phase(Phase.HELD)
        .condition("Requeued", "False(LocalQueueStopped)@0")
        .entries("a=Pending@30#1");
  }

  @Test
  void theCountOfARequiredEntryOnlyGrows() {
    assertThat(
            Outcome.plan(
                    workload()
                        .heldFor("AdmissionCheck")
                        .entry("a", CheckState.RETRY, 20, null, Integer.MAX_VALUE)
                        .situation(),
                    21)
                .entry("a")
                .retryCount())
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void reportsTheLatenessAndEachRetry() {
    assertThat(Outcome.plan(backoff().situation(), 83).status().metrics())
        .containsExactly(
            new LifecycleMetric.Retried("a", 1),
            new LifecycleMetric.Requeued(Duration.ofSeconds(3)));
  }

  @Test
  void observationsOfResetEntriesEnd() {
    Situation backoff = backoff().situation();
    ObservedEntries applied = Outcome.plan(backoff, 80).status().applied();
    assertThat(applied.retries()).isEmpty();
  }
}
