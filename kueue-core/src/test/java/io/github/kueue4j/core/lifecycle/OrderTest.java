// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.at;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.jobs.FinishedOwner;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks that are asked after others, in R1, R2 and R13. */
class OrderTest {
  private static final String WITHHELD = WorkloadConditions.WITHHELD_CHECKS;
  private static final CheckPolicy A = CheckPolicy.of("a");
  private static final CheckPolicy B_AFTER_A = CheckPolicy.of("b").withAfter(Set.of("a"));
  private static final List<CheckPolicy> IN_ORDER = List.of(A, B_AFTER_A);

  private static Situation ordered(WorkloadBuilder workload) {
    return workload.situation().withChecks(RequiredChecks.of(IN_ORDER));
  }

  private static Outcome reserve(Situation situation, double seconds) {
    return Outcome.of(
        Lifecycle.reserve(
            situation,
            WorkloadBuilder.ADMISSION,
            situation.checks().byQueue().values(),
            at(seconds)));
  }

  private static Situation with(Situation situation, String check, CheckState state, double since) {
    Workload workload = situation.workload();
    return situation.withWorkload(
        workload.withStatus(
            workload
                .status()
                .withAdmissionCheck(
                    workload
                        .status()
                        .admissionCheck(check)
                        .orElseThrow()
                        .withState(state)
                        .withLastTransitionTime(at(since)))));
  }

  private static String message(Outcome outcome) {
    return outcome.message(WITHHELD);
  }

  @Test
  void theSecondHasNoEntryBeforeTheFirstIsReady() {
    Situation queued = ordered(workload());
    Outcome reserved = reserve(queued, 10).by(Rule.RESERVE).entries("a=Pending@10");
    Situation asked = reserved.applied(queued);
    Outcome.plan(asked, 20).nothing().waitsFor(WaitReason.CHECKS);

    Situation ready = with(asked, "a", CheckState.READY, 20);
    Outcome second =
        Outcome.plan(ready, 21)
            .by(Rule.ADD_CHECK)
            .entries("a=Ready@20 b=Pending@21")
            .condition(WITHHELD, "absent");
    Situation both = second.applied(ready);
    Outcome.plan(both, 22).nothing();
    Outcome.plan(with(both, "b", CheckState.READY, 25), 26).by(Rule.ADMIT);
  }

  @Test
  void whatIsAskedStaysAskedWhenTheFirstIsPendingAgain() {
    Outcome.plan(ordered(workload().reserved(10).pending("a", 20).pending("b", 15)), 21)
        .nothing()
        .waitsFor(WaitReason.CHECKS);
    Outcome.plan(ordered(workload().reserved(10).pending("a", 20).ready("b", 19)), 21).nothing();
  }

  @Test
  void anOrderThatIsGivenMeanwhileTakesNothingBack() {
    Outcome.plan(ordered(workload().reserved(10).pending("a", 10).pending("b", 10)), 12).nothing();
  }

  @Test
  void anOrderThatIsTakenAwayHasTheSecondAskedAtOnce() {
    Situation queued = ordered(workload());
    Situation asked = reserve(queued, 10).applied(queued);
    Outcome.plan(asked.withChecks(RequiredChecks.of(List.of(A, CheckPolicy.of("b")))), 12)
        .by(Rule.ADD_CHECK)
        .entries("a=Pending@10 b=Pending@12")
        .condition(WITHHELD, "absent");
  }

  @Test
  void theCountIsKeptWhileTheCheckHasNoEntry() {
    Situation queued =
        ordered(workload().released(5).requeued("BackoffFinished").pending("b", 5, 2));
    Outcome reserved = reserve(queued, 10).entries("a=Pending@10");
    assertThat(message(reserved)).endsWith("b=2");
    Situation asked = reserved.applied(queued);

    Situation retried = with(asked, "a", CheckState.RETRY, 12);
    Outcome evicted = Outcome.plan(retried, 12).by(Rule.EVICT_FOR_RETRY).released();
    Situation waits = evicted.applied(retried);
    Outcome requeued = Outcome.plan(waits, 20).by(Rule.REQUEUE).entries("a=Pending@20#1");
    Situation again = requeued.applied(waits);
    Outcome second = reserve(again, 30).entries("a=Pending@30#1");
    assertThat(message(second)).endsWith("b=2");

    Situation ready = with(second.applied(again), "a", CheckState.READY, 31);
    Outcome.plan(ready, 32).by(Rule.ADD_CHECK).entries("a=Ready@31#1 b=Pending@32#2");
  }

  @Test
  void anEntryThatSomebodyElseHasMadeTakesTheCountThatIsRemembered() {
    Situation queued = ordered(workload().released(5).pending("b", 5, 2));
    Situation asked = reserve(queued, 10).applied(queued);
    Workload workload = asked.workload();
    Situation meddled =
        asked.withWorkload(
            workload.withStatus(
                workload.status().withAdmissionCheck(AdmissionCheckState.pending("b", at(11)))));
    Outcome.plan(meddled, 12)
        .by(Rule.ADD_CHECK)
        .entries("a=Pending@10 b=Pending@11#2")
        .condition(WITHHELD, "absent");
  }

  @Test
  void checksAreWithheldAndForgottenAsTheQueueIsEdited() {
    Situation queued = workload().situation().withChecks(RequiredChecks.of(List.of(A)));
    Situation asked =
        Outcome.of(Lifecycle.reserve(queued, WorkloadBuilder.ADMISSION, List.of(A), at(10)))
            .applied(queued)
            .withChecks(RequiredChecks.of(IN_ORDER));
    Outcome added = Outcome.plan(asked, 12).by(Rule.ADD_CHECK).entries("a=Pending@10");
    assertThat(message(added)).endsWith("b=0");
    Situation withheld = added.applied(asked);
    Outcome.plan(withheld, 13).nothing();
    Outcome.plan(withheld.withChecks(RequiredChecks.of(List.of(A))), 14)
        .by(Rule.ADD_CHECK)
        .entries("a=Pending@10")
        .condition(WITHHELD, "absent");
    // What it came after is no longer asked.
    Outcome.plan(withheld.withChecks(RequiredChecks.of(List.of(B_AFTER_A))), 14)
        .by(Rule.ADD_CHECK)
        .entries("b=Pending@14")
        .condition(WITHHELD, "absent");
  }

  @Test
  void theEndForgetsWhatIsWithheld() {
    Situation queued = ordered(workload());
    Situation asked = reserve(queued, 10).applied(queued);
    Outcome.of(Lifecycle.finish(asked, new FinishedOwner("Succeeded", "done"), at(12)))
        .by(Rule.FINISH)
        .condition(WITHHELD, "absent");
  }

  @Test
  void threeInALineAreAskedOneByOne() {
    Situation queued =
        workload()
            .situation()
            .withChecks(
                RequiredChecks.of(
                    List.of(A, B_AFTER_A, CheckPolicy.of("c").withAfter(Set.of("b")))));
    Situation first = reserve(queued, 10).entries("a=Pending@10").applied(queued);
    Situation one = with(first, "a", CheckState.READY, 11);
    Outcome second = Outcome.plan(one, 12).by(Rule.ADD_CHECK).entries("a=Ready@11 b=Pending@12");
    assertThat(message(second)).endsWith(": c=0");
    Situation two = with(second.applied(one), "b", CheckState.READY, 13);
    Outcome third =
        Outcome.plan(two, 14).by(Rule.ADD_CHECK).entries("a=Ready@11 b=Ready@13 c=Pending@14");
    Situation all = with(third.applied(two), "c", CheckState.READY, 15);
    Outcome.plan(all, 16).by(Rule.ADMIT).condition(WITHHELD, "absent");
  }

  @Test
  void aCountThatIsRememberedComesBackWithR1WhenTheOrderIsGone() {
    Situation queued = ordered(workload().released(5).pending("b", 5, 2));
    Situation asked = reserve(queued, 10).applied(queued);
    Situation retried = with(asked, "a", CheckState.RETRY, 12);
    Situation waits = Outcome.plan(retried, 12).applied(retried);
    Situation requeued =
        Outcome.plan(waits, 20)
            .applied(waits)
            .withChecks(RequiredChecks.of(List.of(A, CheckPolicy.of("b"))));
    reserve(requeued, 30).entries("a=Pending@30#1 b=Pending@30#2").condition(WITHHELD, "absent");
  }

  @Test
  void successAndDeactivationForgetTheCount() {
    Situation queued = ordered(workload().released(5).pending("b", 5, 2));
    Situation asked = reserve(queued, 10).applied(queued);
    Workload inactive = asked.workload().withSpec(asked.workload().spec().withActive(false));
    Outcome.plan(asked.withWorkload(inactive), 12)
        .by(Rule.DEACTIVATE)
        .condition(WITHHELD, "absent");
    Situation unasked = asked.withChecks(RequiredChecks.none());
    Situation forgotten =
        Outcome.plan(unasked, 12).by(Rule.ADD_CHECK).condition(WITHHELD, "absent").applied(unasked);
    Outcome.plan(forgotten, 12).by(Rule.ADMIT);
  }

  @Test
  void whatTheAssignmentDoesNotRequireIsNotWaitedFor() {
    Situation queued = ordered(workload());
    Outcome.of(Lifecycle.reserve(queued, WorkloadBuilder.ADMISSION, List.of(B_AFTER_A), at(10)))
        .by(Rule.RESERVE)
        .entries("b=Pending@10")
        .condition(WITHHELD, "absent");
  }

  @Test
  void whatOnlyObservesHoldsUpNothingButPassesOnWhatItComesAfter() {
    RequiredChecks three =
        RequiredChecks.of(List.of(A, B_AFTER_A, CheckPolicy.of("c").withAfter(Set.of("b"))));
    Situation enforced = workload().situation().withChecks(three);
    reserve(enforced, 10).entries("a=Pending@10");
    Situation observed = enforced.withChecks(three.observing(Set.of("b")));
    Situation asked = reserve(observed, 10).entries("a=Pending@10").applied(observed);
    Situation ready = with(asked, "a", CheckState.READY, 12);
    Outcome.plan(ready, 13).by(Rule.ADD_CHECK).entries("a=Ready@12 b=Pending@13 c=Pending@13");
    Situation first = enforced.withChecks(three.observing(Set.of("a", "b")));
    reserve(first, 10).entries("a=Pending@10 b=Pending@10 c=Pending@10");
  }

  @Test
  void aRecordIsNoReady() {
    String record = new ObservedAnswer(CheckState.RETRY, "", "").text();
    Situation situation = ordered(workload().reserved(10).ready("a", 12));
    Workload workload = situation.workload();
    Situation recorded =
        situation.withWorkload(
            workload.withStatus(
                workload
                    .status()
                    .withAdmissionCheck(
                        workload.status().admissionCheck("a").orElseThrow().withMessage(record))));
    Outcome.plan(recorded, 13).by(Rule.OBSERVE).entries("a=Pending@13");
  }

  @Test
  void inACircleAllAreAsked() {
    RequiredChecks circle =
        RequiredChecks.of(
            List.of(
                A.withAfter(Set.of("b")), B_AFTER_A, CheckPolicy.of("c").withAfter(Set.of("a"))));
    Situation queued = workload().situation().withChecks(circle);
    Outcome reserved = reserve(queued, 10).entries("a=Pending@10 b=Pending@10");
    Situation asked = reserved.applied(queued);
    Situation one = with(asked, "a", CheckState.READY, 12);
    Outcome.plan(one, 13).nothing();
    Outcome.plan(with(one, "b", CheckState.READY, 13), 14)
        .by(Rule.ADD_CHECK)
        .entries("a=Ready@12 b=Ready@13 c=Pending@14");
  }

  @Test
  void thePendingTimeoutCountsFromWhenTheCheckIsAsked() {
    Situation queued =
        workload()
            .situation()
            .withChecks(
                RequiredChecks.of(
                    List.of(A, B_AFTER_A.withPendingTimeout(Duration.ofSeconds(30)))));
    Situation asked = reserve(queued, 10).applied(queued);
    Outcome.plan(asked, 1000).nothing().wakesAt(null);
    Situation ready = with(asked, "a", CheckState.READY, 1000);
    Situation both = Outcome.plan(ready, 1000).by(Rule.ADD_CHECK).applied(ready);
    Outcome.plan(both, 1029).nothing().wakesAt(1030.0);
    Outcome.plan(both, 1030).by(Rule.PENDING_TIMEOUT);
  }

  private static Situation beforeQuota(WorkloadBuilder workload) {
    return workload
        .situation()
        .withChecks(
            RequiredChecks.of(IN_ORDER)
                .askingBeforeQuota(Map.of("a", Duration.ofMinutes(1), "b", Duration.ofHours(1))));
  }

  private static Outcome ask(Situation situation, double seconds) {
    return Outcome.of(Lifecycle.ask(situation, at(seconds)));
  }

  @Test
  void theOrderHoldsBeforeQuotaToo() {
    Situation queued = beforeQuota(workload());
    Outcome asks = ask(queued, 10).by(Rule.ASK).entries("a=Pending@10");
    assertThat(asks.message(WorkloadConditions.QUOTA_RESERVED)).contains("AdmissionCheck a ");
    Situation asked = asks.applied(queued);
    ask(asked, 11).nothing().waitsFor(WaitReason.CHECKS);
    Situation ready = with(asked, "a", CheckState.READY, 12);
    reserve(ready, 12).nothing();
    Outcome next = ask(ready, 12).by(Rule.ASK).entries("a=Ready@12 b=Pending@12");
    assertThat(next.message(WorkloadConditions.QUOTA_RESERVED)).contains("AdmissionCheck b ");
    Situation both = with(next.applied(ready), "b", CheckState.READY, 13);
    reserve(both, 14).by(Rule.RESERVE).entries("a=Pending@14");
  }

  @Test
  void anOrderThatIsTakenAwayBeforeQuotaHasTheSecondAskedAtOnceWithItsCount() {
    Situation queued =
        beforeQuota(workload().released(5).requeued("BackoffFinished").pending("b", 5, 2));
    Outcome asks = ask(queued, 10).entries("a=Pending@10");
    assertThat(message(asks)).endsWith("b=2");
    Situation asked = asks.applied(queued);
    Situation unordered =
        asked.withChecks(
            RequiredChecks.of(List.of(A, CheckPolicy.of("b")))
                .askingBeforeQuota(Map.of("a", Duration.ofMinutes(1), "b", Duration.ofHours(1))));
    ask(unordered, 12)
        .by(Rule.ASK)
        .entries("a=Pending@10 b=Pending@12#2")
        .condition(WITHHELD, "absent");
  }

  @Test
  void anEntryThatSomebodyElseHasMadeBeforeQuotaTakesTheCount() {
    Situation queued =
        beforeQuota(workload().released(5).requeued("BackoffFinished").pending("b", 5, 2));
    Situation asked = ask(queued, 10).applied(queued);
    Workload workload = asked.workload();
    Situation meddled =
        asked.withWorkload(
            workload.withStatus(
                workload.status().withAdmissionCheck(AdmissionCheckState.pending("b", at(11)))));
    ask(meddled, 12)
        .by(Rule.ASK)
        .entries("a=Pending@10 b=Pending@11#2")
        .condition(WITHHELD, "absent");
  }

  @Test
  void aRetryBeforeQuotaHasBothAskedInOrderAnew() {
    Situation queued = beforeQuota(workload().released(5).ready("a", 6).pending("b", 6, 1));
    Situation retried = with(queued, "b", CheckState.RETRY, 7);
    Situation held = Outcome.plan(retried, 7).by(Rule.STRAY_RETRY).applied(retried);
    Situation requeued = Outcome.plan(held, 10).by(Rule.REQUEUE).applied(held);
    Outcome asks = ask(requeued, 10).by(Rule.ASK).entries("a=Pending@11");
    assertThat(message(asks)).endsWith("b=2");
    Situation asked = asks.applied(requeued);
    ask(with(asked, "a", CheckState.READY, 12), 12).entries("a=Ready@12 b=Pending@12#2");
  }

  @Test
  void whenTheSpecHasChangedBothAreAskedInOrderAnew() {
    Situation queued = beforeQuota(workload());
    Situation asked = ask(queued, 10).applied(queued);
    Situation ready = with(asked, "a", CheckState.READY, 12);
    Situation both = ask(ready, 12).applied(ready);
    Workload changed = both.workload();
    Situation other = both.withWorkload(generation(changed, 8));
    Outcome.plan(other, 12).by(Rule.ASK).entries("a=Pending@13");
    Situation again = Outcome.plan(other, 12).applied(other);
    Outcome.plan(again, 12).nothing();
    // Not of the date of the former question.
    ask(with(again, "a", CheckState.READY, 12), 12).entries("a=Ready@12 b=Pending@13");
  }

  private static Workload generation(Workload workload, long generation) {
    return workload.withMetadata(
        new V1ObjectMeta()
            .namespace("ns")
            .name("wl")
            .uid(workload.metadata().getUid())
            .generation(generation));
  }
}
