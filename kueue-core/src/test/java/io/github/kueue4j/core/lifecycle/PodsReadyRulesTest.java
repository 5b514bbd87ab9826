// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.at;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ClusterQueuePodsReady;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodsReadyRequeuingStrategy;
import io.github.kueue4j.api.RequeuingTimestamp;
import io.github.kueue4j.core.lifecycle.PodsReadiness.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PodsReadyRulesTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration RECOVERY = Duration.ofSeconds(4);

  /** Ten seconds to start, four to recover; delays of 1 min to 1 h. */
  private static PodsReadyPolicy policy(@Nullable Integer limit, @Nullable Duration longest) {
    return new PodsReadyPolicy(
        TIMEOUT,
        RECOVERY,
        RequeuingTimestamp.EVICTION,
        limit,
        Duration.ofSeconds(60),
        Duration.ofHours(1),
        longest);
  }

  /** A situation in which the pods aren't ready and time out ten seconds after the admission. */
  static Situation waiting(Situation situation, @Nullable Integer limit) {
    return pods(situation, policy(limit, null), Pods.NOT_READY);
  }

  private static Situation pods(Situation situation, PodsReadyPolicy policy, Pods pods) {
    return situation.withReadiness(new PodsReadiness(policy, pods));
  }

  private static Situation pods(Situation situation, Pods pods) {
    return pods(situation, policy(null, null), pods);
  }

  /** QuotaReserved and the admission were taken away by hand. */
  @Test
  void readyPodsWithoutAReservationAreMended() {
    Situation contradictory =
        workload().released(2).condition("PodsReady", true, "Started", 1).situation();

    Outcome outcome =
        Outcome.plan(pods(contradictory, Pods.NOT_READY), 5)
            .by(Rule.REPAIR)
            .condition("PodsReady", "absent");

    assertThat(outcome.eventReasons()).containsExactly("StatusMended");
    // Another controller may report pods that the core doesn't know.
    Outcome.plan(contradictory, 5).nothing();
  }

  @Test
  void aDeactivationBetweenTwoAttemptsForgetsSinceWhenThereWereNoReadyPods() {
    Outcome.plan(
            pods(
                workload()
                    .inactive()
                    .released(2)
                    .requeueState(1, null)
                    .condition("PodsReady", false, "WaitForStart", 1)
                    .situation(),
                Pods.NOT_READY),
            5)
        .by(Rule.DEACTIVATE)
        .condition("PodsReady", "absent");
  }

  @Test
  void anAttemptInVainIsRememberedWithoutAReservation() {
    Outcome.plan(
            pods(
                workload()
                    .released(2)
                    .requeueState(1, null)
                    .condition("PodsReady", false, "WaitForStart", 1)
                    .situation(),
                Pods.NOT_READY),
            5)
        .nothing();
  }

  @Test
  void anAdmissionStartsTheWait() {
    Situation queued = pods(workload().situation(), Pods.NOT_READY);
    Outcome reserved =
        Outcome.of(Lifecycle.reserve(queued, new Admission("cq", List.of()), List.of(), at(20)))
            .by(Rule.RESERVE)
            .condition("PodsReady", "False(WaitForStart)@20");
    Outcome.plan(reserved.applied(queued.withChecks(RequiredChecks.none())), 21)
        .nothing()
        .wakesAt(30.0);
    Outcome.plan(
            pods(workload().reserved(10).ready("a", 10).ready("b", 10).situation(), Pods.NOT_READY),
            20)
        .by(Rule.ADMIT)
        .condition("PodsReady", "False(WaitForStart)@20");
  }

  @Test
  void withoutAPolicyOrAnObservedOwnerThereIsNoCondition() {
    Situation off = workload().admitted(10).situation();
    Outcome.plan(off, 100_000).nothing().wakesAt(null);
    Outcome.plan(pods(off, Pods.UNKNOWN), 100_000).nothing().wakesAt(null);
  }

  @Test
  void aConditionOfAnotherControllerStartsTheTimeout() {
    Situation told =
        pods(
            workload().admitted(10).condition("PodsReady", false, "WaitForStart", 10).situation(),
            Pods.UNKNOWN);
    Outcome.plan(told, 19).nothing().wakesAt(20.0);
    Outcome.plan(told, 20).by(Rule.PODS_READY_TIMEOUT);
  }

  @Test
  void theConditionFollowsThePods() {
    Situation started = pods(workload().admitted(10).situation(), Pods.NOT_READY);
    Outcome waits = Outcome.plan(started, 11).by(Rule.PODS_READY);
    waits.condition("PodsReady", "False(WaitForStart)@11");

    Situation ready = pods(waits.applied(started), Pods.READY);
    Outcome isReady = Outcome.plan(ready, 15).by(Rule.PODS_READY);
    isReady.condition("PodsReady", "True(Started)@15");
    assertThat(isReady.status().metrics())
        .containsExactly(new LifecycleMetric.PodsReady("cq", Duration.ofSeconds(5)));
    Outcome.plan(isReady.applied(ready), 500).nothing().wakesAt(null);

    Situation failed = pods(isReady.applied(ready), Pods.NOT_READY);
    Outcome recovers = Outcome.plan(failed, 600).by(Rule.PODS_READY);
    recovers.condition("PodsReady", "False(WaitForRecovery)@600");
    Situation recovering = recovers.applied(failed);
    Outcome.plan(recovering, 601).nothing().wakesAt(604.0);

    Outcome recovered =
        Outcome.plan(pods(recovering, Pods.READY), 603)
            .by(Rule.PODS_READY)
            .condition("PodsReady", "True(Recovered)@603");
    assertThat(recovered.status().metrics()).isEmpty();
    Outcome.plan(pods(recovered.applied(recovering), Pods.READY), 604).nothing();
  }

  @Test
  void theOldReasonOfAConditionIsReadAsWaitingForTheStart() {
    Outcome.plan(
            pods(
                workload().admitted(10).condition("PodsReady", false, "PodsReady", 10).situation(),
                Pods.NOT_READY),
            15)
        .by(Rule.PODS_READY)
        .condition("PodsReady", "False(WaitForStart)@10");
  }

  @Test
  void podsThatAreReadyAtTheTimeoutAreInTime() {
    Outcome.plan(
            pods(
                workload()
                    .admitted(10)
                    .condition("PodsReady", false, "WaitForStart", 10)
                    .situation(),
                Pods.READY),
            25)
        .by(Rule.PODS_READY);
  }

  @Test
  void aRecoveryTimeoutEvictsWithItsOwnCause() {
    Situation recovering =
        pods(
            workload()
                .admitted(10)
                .condition("PodsReady", false, "WaitForRecovery", 600)
                .situation(),
            Pods.NOT_READY);
    Outcome.plan(recovering, 603).nothing().wakesAt(604.0);
    Outcome evicted = Outcome.plan(recovering, 604).by(Rule.PODS_READY_TIMEOUT);
    assertThat(evicted.status().metrics())
        .contains(new LifecycleMetric.Evicted("cq", "PodsReadyTimeout", "WaitForRecovery", true));
    assertThat(evicted.message("Evicted")).contains("within 4s");
  }

  @Test
  void aRecoveryTimeoutOfZeroMeansNoLimit() {
    PodsReadyPolicy patient =
        policy(null, null).with(new ClusterQueuePodsReady(null, Duration.ZERO, null));
    Outcome.plan(
            pods(
                workload()
                    .admitted(10)
                    .condition("PodsReady", false, "WaitForRecovery", 600)
                    .situation(),
                patient,
                Pods.NOT_READY),
            100_000)
        .nothing()
        .wakesAt(null);
  }

  @Test
  void theConditionEndsWithTheReservationExceptBetweenFailedAttempts() {
    Situation evicting =
        workload()
            .admitted(10)
            .condition("PodsReady", true, "Started", 12)
            .evicted("Preempted", 20)
            .situation()
            .withOwner(Owner.STOPPED);
    Outcome.plan(evicting, 21).by(Rule.RELEASE).condition("PodsReady", "absent");

    Situation series =
        workload()
            .admitted(10)
            .condition("PodsReady", false, "WaitForRecovery", 15)
            .evicted("PodsReadyTimeout", 20)
            .heldFor("PodsReadyTimeout")
            .requeueState(1, 80.0)
            .situation()
            .withOwner(Owner.STOPPED);
    Outcome.plan(series, 21)
        .by(Rule.RELEASE)
        .condition("PodsReady", "False(WaitForStart)@15")
        .requeueAt(80.0);
  }

  @Test
  void backoffLimitTimeoutCountsFromTheFirstFailedAttempt() {
    Situation third =
        pods(
            workload()
                .admitted(100)
                .condition("PodsReady", false, "WaitForStart", 10)
                .requeueState(2, null)
                .situation(),
            policy(null, Duration.ofSeconds(97)),
            Pods.NOT_READY);
    Outcome.plan(third, 106).nothing().wakesAt(107.0);
    Outcome exceeded =
        Outcome.plan(third, 107)
            .by(Rule.LIMIT_EXCEEDED)
            .condition("DeactivationTarget", "True(RequeuingLimitExceeded)@107");
    assertThat(exceeded.message("DeactivationTarget")).contains("(97s)");
  }

  @Test
  void anAttemptAfterBackoffLimitTimeoutIsNotAwaited() {
    Situation admitted =
        pods(
            workload().admitted(10).condition("PodsReady", false, "WaitForStart", 10).situation(),
            policy(null, Duration.ofSeconds(60)),
            Pods.NOT_READY);
    Outcome.plan(admitted, 20).by(Rule.LIMIT_EXCEEDED);
    Outcome.plan(pods(admitted, policy(null, Duration.ofSeconds(90)), Pods.NOT_READY), 20)
        .by(Rule.PODS_READY_TIMEOUT);
  }

  @Test
  void retriesOfChecksDoNotCountTowardsBackoffLimitCount() {
    Situation retried =
        workload()
            .admitted(10)
            .entry("a", io.github.kueue4j.api.CheckState.RETRY, 12, 5, 40)
            .requeueState(1, null)
            .situation()
            .withOwner(Owner.STOPPED);
    Outcome evicted = Outcome.plan(retried, 12).by(Rule.EVICT_FOR_RETRY);
    assertThat(evicted.after().status().requeueState()).extracting("count").isEqualTo(1);
    Situation released =
        Outcome.plan(evicted.applied(retried), 13).applied(evicted.applied(retried));
    Outcome requeued = Outcome.plan(released, 17).by(Rule.REQUEUE);
    requeued.entries("a=Pending@17#41");
    assertThat(requeued.after().status().requeueState()).extracting("count").isEqualTo(1);
  }

  @Test
  void aTimeoutNeitherCountsNorResetsTheRetriesOfChecks() {
    Outcome evicted =
        Outcome.plan(waiting(workload().admitted(10).pending("a", 10, 3).situation(), null), 20)
            .by(Rule.PODS_READY_TIMEOUT);
    evicted.entries("a=Pending@10#3");
  }

  @Test
  void delaysDifferBetweenWorkloadsButAreReproducible() {
    PodsReadyPolicy policy = policy(null, null);
    TreeSet<Long> drawn = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      var workload = workload().build();
      workload =
          workload.withMetadata(
              new io.kubernetes.client.openapi.models.V1ObjectMeta()
                  .namespace("ns")
                  .name("wl")
                  .uid("uid-" + i));
      Situation situation = workload().situation().withWorkload(workload);
      double draw = Jitter.fraction(situation, "pods-ready", 7);
      assertThat(Jitter.fraction(situation, "pods-ready", 7)).isEqualTo(draw);
      drawn.add(policy.delay(7, draw).toSeconds());
    }
    assertThat(drawn).hasSizeGreaterThan(50);
    assertThat(drawn.first()).isBetween(3600L, 3640L);
    assertThat(drawn.last()).isBetween(3740L, 3780L);
  }

  @Test
  void theDelayDoublesFromTheBaseToTheMaximum() {
    PodsReadyPolicy policy = policy(null, null);
    assertThat(List.of(1, 2, 3, 6, 7, 60))
        .extracting(count -> policy.delay(count, 0).toSeconds())
        .containsExactly(60L, 120L, 240L, 1920L, 3600L, 3600L);
    PodsReadyPolicy unbounded =
        policy.with(strategy(new PodsReadyRequeuingStrategy(null, null, 0, 0, null)));
    assertThat(unbounded.delay(5000, 0.5)).isZero();
    PodsReadyPolicy forever =
        policy.with(strategy(new PodsReadyRequeuingStrategy(null, null, 1, 0, null)));
    assertThat(forever.delay(Integer.MAX_VALUE, 0.99)).isGreaterThan(Duration.ofDays(36_000));
    assertThat(Instant.EPOCH.plus(forever.delay(Integer.MAX_VALUE, 0.99))).isNotNull();
  }

  private static ClusterQueuePodsReady strategy(PodsReadyRequeuingStrategy strategy) {
    return new ClusterQueuePodsReady(null, null, strategy);
  }

  @Test
  void aClusterQueueOverridesWhatItNames() {
    PodsReadyPolicy policy =
        policy(3, null)
            .with(
                new ClusterQueuePodsReady(
                    Duration.ofMinutes(2),
                    null,
                    new PodsReadyRequeuingStrategy(
                        RequeuingTimestamp.CREATION, null, 5, null, Duration.ofHours(2))));
    assertThat(policy)
        .isEqualTo(
            new PodsReadyPolicy(
                Duration.ofMinutes(2),
                RECOVERY,
                RequeuingTimestamp.CREATION,
                3,
                Duration.ofSeconds(5),
                Duration.ofHours(1),
                Duration.ofHours(2)));
    assertThat(policy.keepsPlace()).isTrue();
  }

  @Test
  void aClusterQueueCanEnableThePolicyAlone() {
    ClusterQueueSpec silent = ClusterQueueSpec.empty();
    ClusterQueueSpec asks =
        KueueJson.fromJson(
            "{\"waitForPodsReady\": {\"timeout\": \"10s\"}}", ClusterQueueSpec.class);
    assertThat(WaitForPodsReady.ifAsked().in(silent)).isEmpty();
    assertThat(WaitForPodsReady.ifAsked().in(asks))
        .hasValueSatisfying(
            policy -> assertThat(policy.recoveryTimeout()).isEqualTo(Duration.ofMinutes(30)));
    assertThat(WaitForPodsReady.never().in(asks)).isEmpty();
    assertThat(new WaitForPodsReady(policy(1, null), true, false).in(silent))
        .contains(policy(1, null));
  }
}
