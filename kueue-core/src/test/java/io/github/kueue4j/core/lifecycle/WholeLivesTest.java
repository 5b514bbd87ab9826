// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.ADMISSION;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.at;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Scenarios with several rules: the number of patches of a round of retry (invariant 10), and the
 * transitions of KEP-993's test plan.
 */
@Tag("thorough")
class WholeLivesTest {
  private static final List<CheckPolicy> BOTH = List.of(CheckPolicy.of("a"), CheckPolicy.of("b"));

  private Situation situation = workload().situation();
  private double seconds = 0;
  private final List<Rule> rules = new ArrayList<>();

  private WholeLivesTest reserve() {
    carryOut(
        Lifecycle.reserve(
            situation, ADMISSION, situation.checks().byQueue().values(), at(seconds)));
    return this;
  }

  /** Plans and applies patches until there is nothing to write at this moment. */
  private WholeLivesTest settle() {
    Plan plan;
    do {
      plan = Lifecycle.plan(situation, at(seconds));
      carryOut(plan);
    } while (plan instanceof Plan.Write);
    return this;
  }

  private void carryOut(Plan plan) {
    if (plan instanceof Plan.Write write) {
      rules.add(write.rule());
    }
    situation = Outcome.of(plan).applied(situation);
  }

  private WholeLivesTest after(double passed) {
    seconds += passed;
    return this;
  }

  private WholeLivesTest owner(Owner owner) {
    situation = situation.withOwner(owner);
    return this;
  }

  private WholeLivesTest says(String check, CheckState state, @Nullable Integer delay) {
    AdmissionCheckState entry = situation.workload().status().admissionCheck(check).orElseThrow();
    Instant now = ApiSeconds.floor(at(seconds));
    situation =
        situation.withWorkload(
            situation
                .workload()
                .withStatus(
                    situation
                        .workload()
                        .status()
                        .withAdmissionCheck(
                            entry
                                .withState(state)
                                .withLastTransitionTime(
                                    state.equals(entry.state())
                                        ? entry.lastTransitionTime()
                                        : ApiSeconds.later(
                                            now,
                                            situation
                                                .workload()
                                                .conditions()
                                                .changedAt(WorkloadConditions.QUOTA_RESERVED)
                                                .orElse(null)))
                                .withRequeueAfterSeconds(delay))));
    return this;
  }

  private WholeLivesTest is(Phase phase) {
    assertThat(situation.phase()).isEqualTo(phase);
    return this;
  }

  // --- patches of a round ------------------------------------------------------------------------

  @Test
  void aRoundOfRetryCostsThreePatches() {
    reserve().after(5).says("a", CheckState.RETRY, 60).settle().is(Phase.BACKOFF);
    after(60).settle().is(Phase.QUEUED).reserve().is(Phase.RESERVED);
    assertThat(rules)
        .containsExactly(Rule.RESERVE, Rule.EVICT_FOR_RETRY, Rule.REQUEUE, Rule.RESERVE);
  }

  @Test
  void aRoundOfAnAdmittedWorkloadCostsFour() {
    reserve().says("a", CheckState.READY, null).says("b", CheckState.READY, null).settle();
    is(Phase.ADMITTED).after(5).says("a", CheckState.RETRY, 60).settle().is(Phase.EVICTING);
    owner(Owner.STOPPED).after(1).settle().is(Phase.BACKOFF);
    after(60).settle().reserve().is(Phase.RESERVED);
    assertThat(rules)
        .containsExactly(
            Rule.RESERVE,
            Rule.ADMIT,
            Rule.EVICT_FOR_RETRY,
            Rule.RELEASE,
            Rule.REQUEUE,
            Rule.RESERVE);
  }

  @Test
  void eachChangeOfTheDeadlineCostsOneMore() {
    reserve().after(5).says("a", CheckState.RETRY, 60).settle();
    after(1).says("a", CheckState.RETRY, 90).settle();
    after(1).says("a", CheckState.RETRY, 90).settle();
    after(1).says("a", CheckState.RETRY, 30).settle();
    after(27).settle().reserve();
    assertThat(rules)
        .containsExactly(
            Rule.RESERVE,
            Rule.EVICT_FOR_RETRY,
            Rule.LATE_UPDATE,
            Rule.LATE_UPDATE,
            Rule.REQUEUE,
            Rule.RESERVE);
  }

  @Test
  void anAdmissionCostsTwoPatchesAndOneWithoutChecks() {
    reserve().says("a", CheckState.READY, null).says("b", CheckState.READY, null).settle();
    assertThat(rules).containsExactly(Rule.RESERVE, Rule.ADMIT);
    rules.clear();
    situation = workload().situation().withChecks(RequiredChecks.none());
    reserve().settle().is(Phase.ADMITTED);
    assertThat(rules).containsExactly(Rule.RESERVE);
  }

  @Test
  void fiftyRoundsCountFiftyRetriesAndLeaveNoTraceAfterSuccess() {
    for (int round = 0; round < 50; round++) {
      reserve().after(1).says("a", CheckState.RETRY, 10).settle().after(10).settle();
    }
    assertThat(situation.workload().status().admissionCheck("a").orElseThrow().retryCount())
        .isEqualTo(50);
    assertThat(situation.workload().status().requeueState()).isNull();
    reserve().says("a", CheckState.READY, null).says("b", CheckState.READY, null).settle();
    is(Phase.ADMITTED);
    assertThat(situation.workload().status().admissionCheck("a").orElseThrow().retryCount())
        .isNull();
    assertThat(situation.workload().status().conditions()).hasSizeLessThanOrEqualTo(4);
  }

  /**
   * A check that answers Retry at once, for ever: reservations are dated at least a second apart,
   * and yet none is dated ahead of the clock.
   *
   * @param lag of the check's clock, in seconds
   */
  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {"none, 0", "0, 0", "none, 1", "0, 2"})
  void aThousandHastyRoundsDateNothingIntoTheFuture(@Nullable Integer delay, int lag) {
    for (int round = 0; round < 1000; round++) {
      reserve().is(Phase.RESERVED);
      assertThat(situation.workload().conditions().changedAt(WorkloadConditions.QUOTA_RESERVED))
          .hasValueSatisfying(date -> assertThat(date).isBeforeOrEqualTo(at(seconds)));
      after(0.01).saysLate("a", delay, lag).settle();
      while (situation.phase() == Phase.BACKOFF) {
        after(0.25).settle();
      }
    }
    assertThat(situation.workload().status().admissionCheck("a").orElseThrow().retryCount())
        .isEqualTo(1000);
  }

  /** A Retry by a writer that takes its clock, which lags, for that of the API. */
  private WholeLivesTest saysLate(String check, @Nullable Integer delay, int lag) {
    says(check, CheckState.RETRY, delay);
    AdmissionCheckState entry = situation.workload().status().admissionCheck(check).orElseThrow();
    situation =
        situation.withWorkload(
            situation
                .workload()
                .withStatus(
                    situation
                        .workload()
                        .status()
                        .withAdmissionCheck(
                            entry.withLastTransitionTime(ApiSeconds.floor(at(seconds - lag))))));
    return this;
  }

  // --- KEP-993, test plan
  // -------------------------------------------------------------------------

  @Test
  void fromSuspendedToReservedWithChecksAdded() {
    reserve().settle().is(Phase.RESERVED);
    assertThat(situation.workload().status().admissionChecks())
        .extracting(AdmissionCheckState::name)
        .containsExactly("a", "b");
  }

  @Test
  void reservedAndPassedToAdmitted() {
    reserve().says("a", CheckState.READY, null).settle().is(Phase.RESERVED);
    says("b", CheckState.READY, null).settle().is(Phase.ADMITTED);
  }

  @Test
  void withdrawnAfterAQuotaChange() {
    reserve().says("a", CheckState.READY, null).says("b", CheckState.READY, null);
    situation =
        situation.withAssignment(AssignmentValidity.invalid("WaitingForQuota", "quota shrank"));
    settle().is(Phase.QUEUED);
    assertThat(rules).containsExactly(Rule.RESERVE, Rule.WITHDRAW);
  }

  @Test
  void withdrawnForAMissingFlavorAndReservedWithOtherChecks() {
    reserve();
    situation =
        situation.withAssignment(AssignmentValidity.invalid("NoMatchingFlavor", "flavor gone"));
    settle().is(Phase.QUEUED);
    situation =
        situation
            .withAssignment(AssignmentValidity.valid())
            .withChecks(RequiredChecks.of(List.of(CheckPolicy.of("c"))));
    reserve().is(Phase.RESERVED);
    assertThat(situation.workload().status().admissionChecks())
        .extracting(AdmissionCheckState::name)
        .containsExactly("c");
  }

  @Test
  void retryOfOneCheckAndOfTwo() {
    for (List<String> retrying : List.of(List.of("a"), List.of("a", "b"))) {
      situation = workload().situation().withChecks(RequiredChecks.of(BOTH));
      reserve().after(2);
      retrying.forEach(check -> says(check, CheckState.RETRY, 30));
      settle().is(Phase.BACKOFF);
      after(30).settle().is(Phase.QUEUED);
      for (String check : retrying) {
        assertThat(situation.workload().status().admissionCheck(check).orElseThrow().retryCount())
            .isEqualTo(1);
      }
    }
  }

  @Test
  void rejectedByOneCheckAndByTwo() {
    for (List<String> rejecting : List.of(List.of("a"), List.of("a", "b"))) {
      situation = workload().situation().withChecks(RequiredChecks.of(BOTH));
      reserve().after(2);
      rejecting.forEach(check -> says(check, CheckState.REJECTED, null));
      settle().is(Phase.DEACTIVATED);
      assertThat(Phase.holdsQuota(situation.workload())).isFalse();
    }
  }

  @Test
  void admittedWithNoChecks() {
    situation = situation.withChecks(RequiredChecks.none());
    reserve().is(Phase.ADMITTED);
  }
}
