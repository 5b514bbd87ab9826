// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.at;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.seenBefore;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks of which one is enough: a and b are alternatives, c is always needed. */
class AlternativesTest {
  private static final CheckPolicy A = CheckPolicy.of("a").withAnyOf("g");
  private static final CheckPolicy B = CheckPolicy.of("b").withAnyOf("g");
  private static final CheckPolicy C = CheckPolicy.of("c");

  private static Situation grouped(WorkloadBuilder workload, CheckPolicy... checks) {
    return workload
        .situation()
        .withChecks(RequiredChecks.of(List.of(checks)))
        .withObservedEntries(seenBefore());
  }

  private static Situation oneOfTwo(WorkloadBuilder workload) {
    return grouped(workload, A, B);
  }

  @Test
  void oneReadyAdmitsAndTheOthersLoseTheirEntries() {
    Outcome.plan(oneOfTwo(workload().reserved(10).pending("a", 10).ready("b", 12)), 13)
        .by(Rule.ADMIT)
        .entries("b=Ready@12");
    Outcome.plan(oneOfTwo(workload().reserved(10).ready("a", 11).retry("b", 12, 60)), 13)
        .by(Rule.ADMIT)
        .entries("a=Ready@11");
    Outcome.plan(oneOfTwo(workload().reserved(10).rejected("a", 11).ready("b", 12)), 13)
        .by(Rule.ADMIT)
        .entries("b=Ready@12");
  }

  @Test
  void ofSeveralReadyTheFirstByNameCounts() {
    Situation both = oneOfTwo(workload().reserved(10).ready("b", 11).ready("a", 12));
    assertThat(both.agreed()).extracting(AdmissionCheckState::name).containsExactly("a");
    Outcome.plan(both, 13).by(Rule.ADMIT).entries("a=Ready@12");
  }

  /** What they add to the pods may contradict the flavor's, and then nothing can run. */
  @Test
  void asLongAsAnythingIsWaitedForNoneOfThemIsChosen() {
    WorkloadBuilder waits = workload().reserved(10).pending("a", 10).ready("b", 11);
    assertThat(grouped(waits.pending("c", 10), A, B, C).agreed()).isEmpty();
    assertThat(oneOfTwo(waits).withVictimsHoldQuota(true).agreed()).isEmpty();
    assertThat(oneOfTwo(waits).agreed()).extracting(AdmissionCheckState::name).containsExactly("b");
  }

  @Test
  void aRecordIsNoAnswerAndNeitherIsTheReadyOfACheckThatObserves() {
    Situation observed =
        grouped(workload().reserved(10).ready("a", 11).pending("b", 10), A, B)
            .withChecks(RequiredChecks.of(List.of(A, B)).observing(Set.of("a")));
    Outcome.plan(observed, 12).nothing().waitsFor(WaitReason.CHECKS);
  }

  @Test
  void whatIsNeededAsWellIsWaitedFor() {
    Outcome.plan(
            grouped(
                workload().reserved(10).ready("a", 11).pending("b", 10).pending("c", 10), A, B, C),
            12)
        .nothing()
        .waitsFor(WaitReason.CHECKS);
  }

  @Test
  void aRetryOrRejectedIsNoneWhileAnAlternativeIsPending() {
    Outcome.plan(oneOfTwo(workload().reserved(10).retry("a", 12, 60).pending("b", 10)), 13)
        .nothing()
        .waitsFor(WaitReason.CHECKS);
    Outcome.plan(oneOfTwo(workload().reserved(10).rejected("a", 12).pending("b", 10)), 13)
        .nothing()
        .waitsFor(WaitReason.CHECKS);
  }

  @Test
  void theEarliestDelayCountsOnceAllHaveRefused() {
    Situation refused = oneOfTwo(workload().reserved(10).retry("a", 12, 60).retry("b", 12, 30));
    Outcome evicted =
        Outcome.plan(refused, 12)
            .by(Rule.EVICT_FOR_RETRY)
            .released()
            .requeueAt(42.0)
            .entries("a=Retry@12+60 b=Retry@12+30");
    assertThat(evicted.message(WorkloadConditions.REQUEUED))
        .contains("\"a\" (a is Retry); \"b\" (b is Retry). Requeued not before")
        .contains("delayed by \"b\" until")
        .doesNotContain("\"a\" until");
    Situation waits = evicted.applied(refused);
    Outcome.plan(waits, 41).nothing().wakesAt(42.0);
    Outcome.plan(waits.withObservedEntries(ObservedEntries.none()), 41).nothing().wakesAt(42.0);
    Outcome.plan(waits, 42).by(Rule.REQUEUE).entries("a=Pending@42#1 b=Pending@42#1");
  }

  @Test
  void withACheckThatIsNeededTheLaterOfTheTwoCounts() {
    Outcome.plan(
            grouped(
                workload().reserved(10).retry("a", 12, 60).retry("b", 12, 30).retry("c", 12, 45),
                A,
                B,
                C),
            12)
        .by(Rule.EVICT_FOR_RETRY)
        .requeueAt(57.0);
  }

  @Test
  void rejectedAndRetryTogetherAreARetryAndRejectedOfAllIsFinal() {
    Situation refused = oneOfTwo(workload().reserved(10).rejected("a", 11).retry("b", 12, 30));
    Outcome evicted =
        Outcome.plan(refused, 12)
            .by(Rule.EVICT_FOR_RETRY)
            .released()
            .requeueAt(42.0)
            .entries("a=Rejected@11 b=Retry@12+30");
    Outcome.plan(evicted.applied(refused), 42)
        .by(Rule.REQUEUE)
        .entries("a=Pending@42 b=Pending@42#1");
    Outcome.plan(oneOfTwo(workload().reserved(10).rejected("a", 11).rejected("b", 12)), 12)
        .by(Rule.REJECT);
  }

  @Test
  void delaysCountFromTheLastRefusal() {
    CheckPolicy late =
        B.withPendingTimeout(Duration.ofSeconds(600))
            .withRetry(RetryPolicy.fixed(Duration.ofSeconds(90)));
    Situation first = grouped(workload().reserved(10).retry("a", 11, 60).pending("b", 10), A, late);
    Situation waits = Outcome.plan(first, 11).nothing().applied(first);
    Outcome evicted =
        Outcome.plan(waits, 610)
            .by(Rule.PENDING_TIMEOUT)
            .released()
            .requeueAt(670.0)
            .entries("a=Retry@610+60 b=Retry@610+90");
    Situation backoff = evicted.applied(waits);
    Outcome.plan(backoff, 669).nothing().wakesAt(670.0);
    Outcome.plan(backoff.withObservedEntries(ObservedEntries.none()), 669).nothing().wakesAt(670.0);
    Outcome.plan(
            oneOfTwo(workload().reserved(10).retry("a", 11, 60).rejected("b", 610))
                .withObservedEntries(waits.observedEntries()),
            611)
        .by(Rule.EVICT_FOR_RETRY)
        .requeueAt(670.0);
  }

  /** Otherwise one that asks for another try again and again would delay them all. */
  @Test
  void withoutAReservationEachDelayIsItsOwn() {
    Situation refused = oneOfTwo(workload().reserved(10).retry("a", 12, 60).retry("b", 12, 30));
    Situation waits = Outcome.plan(refused, 12).requeueAt(42.0).applied(refused);
    Situation again =
        waits.withWorkload(
            waits
                .workload()
                .withStatus(
                    waits
                        .workload()
                        .status()
                        .withAdmissionChecks(
                            Entries.map(
                                waits.workload().status().admissionChecks(),
                                entry ->
                                    entry.name().equals("b")
                                        ? entry.withLastTransitionTime(at(40))
                                        : entry))));
    Outcome.plan(again, 40).by(Rule.LATE_UPDATE).requeueAt(70.0);
    Outcome.plan(
            Outcome.plan(again, 40).applied(again).withObservedEntries(ObservedEntries.none()), 71)
        .by(Rule.REQUEUE);
  }

  @Test
  void theEndOfTheReservationSetsAsideWhatAnAlternativeOverrules() {
    Situation reserved =
        grouped(
            workload().reserved(10).retry("a", 11, 60).pending("b", 10).retry("c", 12, 5), A, B, C);
    Outcome evicted =
        Outcome.plan(reserved, 12)
            .by(Rule.EVICT_FOR_RETRY)
            .released()
            .requeueAt(17.0)
            .entries("c=Retry@12+5");
    assertThat(evicted.status().applied().retries()).containsOnlyKeys("c");
    Situation requeued = evicted.applied(reserved);
    requeued = Outcome.plan(requeued, 17).by(Rule.REQUEUE).applied(requeued);
    reserve(requeued).entries("a=Pending@13#1 b=Pending@13 c=Pending@13#1");
  }

  /** An alternative that has its entry since a client made it, or since it was enforced later. */
  @Test
  void aDelayAfterTheAdmissionOutlastsTheEndOfTheReservation() {
    Situation runs =
        oneOfTwo(workload().admitted(10).retry("a", 20, 3600).pending("b", 15))
            .withOwner(Owner.RUNNING);
    Outcome evicted =
        Outcome.plan(runs, 20).by(Rule.EVICT_FOR_RETRY).stillReserved().requeueAt(3620.0);
    Situation stopped = evicted.applied(runs).withOwner(Owner.STOPPED);
    Outcome released = Outcome.plan(stopped, 30).by(Rule.RELEASE).entries("a=Retry@20+3600");
    Outcome.plan(released.applied(stopped), 31).nothing().wakesAt(3620.0);
  }

  @Test
  void aLateAnswerThatAnAlternativeOverrulesIsSetAside() {
    Situation waits =
        oneOfTwo(
            workload().released(10).requeued("BackoffFinished").retry("a", 12).pending("b", 10));
    Outcome aside = Outcome.plan(waits, 13).by(Rule.SET_ASIDE).entries("");
    Outcome.plan(aside.applied(waits), 14).nothing().waitsFor(WaitReason.QUOTA);
    reserve(aside.applied(waits)).entries("a=Pending@11#1 b=Pending@11");
    Outcome.plan(oneOfTwo(workload().released(10).rejected("a", 12).pending("b", 10)), 13)
        .by(Rule.SET_ASIDE)
        .entries("");
  }

  @Test
  void afterTheAdmissionOnlyTheAnswerCountsThatItWasAdmittedWith() {
    Outcome.plan(oneOfTwo(workload().admitted(10).retry("b", 20, 60)), 20)
        .by(Rule.EVICT_FOR_RETRY)
        .stillReserved()
        .requeueAt(80.0);
    // A client has made the entry of the other anew.
    Outcome.plan(oneOfTwo(workload().admitted(10).pending("a", 12).retry("b", 20, 60)), 20)
        .by(Rule.EVICT_FOR_RETRY)
        .requeueAt(80.0);
    Outcome.plan(oneOfTwo(workload().admitted(10).retry("a", 12).ready("b", 11)), 20).nothing();
    Outcome.plan(oneOfTwo(workload().admitted(10).rejected("b", 20)), 20).by(Rule.REJECT);
    Outcome.plan(oneOfTwo(workload().admitted(10).pending("a", 12).rejected("b", 20)), 20)
        .by(Rule.REJECT);
  }

  @Test
  void theWaitForAlternativesEndsWithTheLastTimeout() {
    CheckPolicy soon = A.withPendingTimeout(Duration.ofSeconds(10));
    CheckPolicy late = B.withPendingTimeout(Duration.ofSeconds(20));
    WorkloadBuilder pending = workload().reserved(10).pending("a", 10).pending("b", 10);
    Outcome.plan(grouped(pending, soon, late), 25).nothing().wakesAt(30.0);
    Outcome.plan(grouped(pending, soon, late), 30)
        .by(Rule.PENDING_TIMEOUT)
        .released()
        .entries("a=Retry@30 b=Retry@30");
    Outcome.plan(grouped(pending, soon, B), 50).nothing().wakesAt(null);
    Outcome.plan(grouped(workload().reserved(10).pending("a", 10).retry("b", 12), soon, B), 20)
        .by(Rule.PENDING_TIMEOUT);
    Outcome.plan(
            grouped(
                workload().reserved(10).pending("a", 10).ready("b", 12).pending("c", 10),
                soon,
                B,
                C),
            20)
        .nothing()
        .wakesAt(null);
  }

  @Test
  void aLimitOfRetriesCountsOnceNoAlternativeMayGoOn() {
    CheckPolicy limited = A.withLimits(new RetryLimits(null, 2));
    WorkloadBuilder waits =
        workload()
            .released(10)
            .heldFor("AdmissionCheck")
            .entry("a", CheckState.RETRY, 10, 60, 2)
            .requeueAt(70);
    Outcome.plan(
            grouped(
                waits.entry("b", CheckState.RETRY, 10, 90, 1),
                limited,
                B.withLimits(new RetryLimits(null, 2))),
            11)
        .nothing();
    Outcome.plan(
            grouped(
                waits.entry("b", CheckState.RETRY, 10, 90, 2),
                limited,
                B.withLimits(new RetryLimits(null, 2))),
            11)
        .by(Rule.LIMIT_EXCEEDED);
    Outcome.plan(grouped(waits.rejected("b", 10), limited, B), 11).by(Rule.LIMIT_EXCEEDED);
  }

  @Test
  void alternativesAreAskedTogetherAfterAllThatOneOfThemComesAfter() {
    Situation queued = grouped(workload(), A.withAfter(Set.of("c")), B, C);
    Outcome reserved = reserve(queued).by(Rule.RESERVE).entries("c=Pending@10");
    Situation ready =
        reserved
            .applied(queued)
            .withWorkload(grouped(workload().reserved(10).ready("c", 11), C).workload());
    Outcome.plan(ready, 12).by(Rule.ADD_CHECK).entries("c=Ready@11 a=Pending@12 b=Pending@12");
  }

  @Test
  void whatComesAfterOneComesAfterWhicheverIsReady() {
    CheckPolicy last = C.withAfter(Set.of("a"));
    reserve(grouped(workload(), A, B, last)).entries("a=Pending@10 b=Pending@10");
    Outcome.plan(grouped(workload().reserved(10).retry("a", 11).ready("b", 12), A, B, last), 13)
        .by(Rule.ADD_CHECK)
        .entries("a=Retry@11 b=Ready@12 c=Pending@13");
  }

  /** It makes the ClusterQueue inactive; what has quota by then must not wait for ever. */
  @Test
  void anOrderAmongAlternativesOrAroundThemIsNone() {
    reserve(grouped(workload(), A, B.withAfter(Set.of("a")))).entries("a=Pending@10 b=Pending@10");
    reserve(grouped(workload(), A.withAfter(Set.of("c")), B, C.withAfter(Set.of("b"))))
        .entries("a=Pending@10 b=Pending@10 c=Pending@10");
  }

  private static Outcome reserve(Situation situation) {
    return Outcome.of(
        Lifecycle.reserve(
            situation, WorkloadBuilder.ADMISSION, situation.checks().byQueue().values(), at(10)));
  }

  @Test
  void aloneInItsGroupACheckIsAsAnyOther() {
    Outcome.plan(grouped(workload().reserved(10).retry("a", 12), A, C.withAnyOf("h")), 12)
        .by(Rule.EVICT_FOR_RETRY);
  }
}
