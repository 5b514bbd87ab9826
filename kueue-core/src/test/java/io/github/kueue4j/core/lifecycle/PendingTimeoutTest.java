// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R10, with R3. */
class PendingTimeoutTest {
  private static final CheckPolicy TIMED =
      CheckPolicy.of("a").withPendingTimeout(Duration.ofSeconds(30));

  private static Situation timed(WorkloadBuilder workload) {
    return workload.situation().withChecks(RequiredChecks.of(List.of(TIMED, CheckPolicy.of("b"))));
  }

  @Test
  void wakesWhenTheTimeoutElapses() {
    Outcome.plan(timed(workload().reserved(10).pending("a", 10).pending("b", 10)), 39.9)
        .nothing()
        .wakesAt(40.0);
  }

  @Test
  void aPendingEntryBeyondItsTimeoutBecomesARetryAndEvictsInOnePatch() {
    Outcome outcome =
        Outcome.plan(timed(workload().reserved(10).pending("a", 10).pending("b", 10)), 40);
    outcome
        .by(Rule.PENDING_TIMEOUT)
        .released()
        .phase(Phase.BACKOFF)
        .entries("a=Retry@40 b=Pending@10")
        .condition("Evicted", "True(AdmissionCheck)@40")
        .condition("Requeued", "False(AdmissionCheck)@40");
    assertThat(outcome.message("Evicted"))
        .isEqualTo(
            "Evicted due to AdmissionCheck in Retry state: \"a\" (No answer within the check's"
                + " pending timeout of 30s)");
    assertThat(outcome.status().metrics()).contains(new LifecycleMetric.CheckTimedOut("a"));
    assertThat(outcome.eventReasons()).contains("AdmissionCheckTimeout");
  }

  @Test
  void itIsDelayedByTheChecksRetryPolicy() {
    Situation situation = delayed();
    Outcome.plan(situation, 40).by(Rule.PENDING_TIMEOUT).entries("a=Retry@40+20#1").requeueAt(60.0);
  }

  @Test
  void countsFromTheReservationIfTheEntryIsOlder() {
    Outcome.plan(timed(workload().reserved(100).pending("a", 10).pending("b", 10)), 50)
        .nothing()
        .wakesAt(80.0);
    Outcome.plan(timed(workload().reserved(100).pending("a", 10).pending("b", 10)), 129)
        .nothing()
        .wakesAt(130.0);
  }

  @Test
  void anEntryDatedIntoTheFutureCountsFromFirstSight() {
    Situation future = timed(workload().reserved(10).pending("a", 86_400).pending("b", 10));
    Outcome first = Outcome.plan(future, 20).nothing().wakesAt(50.0);
    Situation later = first.applied(future);
    Outcome second = Outcome.plan(later, 49).nothing().wakesAt(50.0);
    Outcome.plan(second.applied(later), 50).by(Rule.PENDING_TIMEOUT);
  }

  @Test
  void notForAReadyEntryNorForAnAdmittedWorkload() {
    Outcome.plan(timed(workload().reserved(10).ready("a", 10).pending("b", 10)), 400)
        .nothing()
        .wakesAt(null);
    Outcome.plan(timed(workload().admitted(10).pending("a", 10).pending("b", 10)), 400).nothing();
  }

  @Test
  void aNewReservationStartsTheTimeoutAnew() {
    Situation first = timed(workload().reserved(10).pending("a", 10).pending("b", 10));
    Situation seen = Outcome.plan(first, 20).applied(first);
    Situation second =
        seen.withWorkload(workload().reserved(60).pending("a", 60).pending("b", 60).build());
    Outcome.plan(second, 61).nothing().wakesAt(90.0);
  }

  /** The time of the attempt is recorded, and each may be the one that was written. */
  @Test
  void everyAttemptWithoutAnAnswerIsKnownAgain() {
    Situation pending = delayed();
    Plan.PatchStatus first = Outcome.plan(pending, 40).requeueAt(60.0).status();
    Situation unanswered = pending.withObservedEntries(first.observed().orApplied(first.applied()));
    Plan.PatchStatus second = Outcome.plan(unanswered, 45).requeueAt(65.0).status();
    Situation both = pending.withObservedEntries(second.observed().orApplied(second.applied()));

    Outcome.plan(both.withWorkload(first.after()), 50).nothing().wakesAt(60.0);
    Outcome.plan(both.withWorkload(second.after()), 50).nothing().wakesAt(65.0);
  }

  @Test
  void notEveryAttemptOfADayIsKept() {
    Situation unanswered = delayed();
    for (int attempt = 0; attempt < 288; attempt++) {
      Plan.PatchStatus plan = Outcome.plan(unanswered, 40 + 300 * attempt).status();
      unanswered = unanswered.withObservedEntries(plan.observed().orApplied(plan.applied()));
    }

    assertThat(unanswered.observedEntries().unconfirmed().get("a")).hasSize(64);
    assertThat(unanswered.observedEntries().retry("a", WorkloadBuilder.at(40 + 300 * 287)))
        .as("the last one")
        .isNotNull();
  }

  private static Situation delayed() {
    return workload()
        .reserved(10)
        .pending("a", 10, 1)
        .situation()
        .withChecks(
            RequiredChecks.of(
                List.of(
                    TIMED.withRetry(
                        RetryPolicy.backoff(Duration.ofSeconds(10), 2, Duration.ofHours(1))))));
  }
}
