// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.ADMISSION;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.at;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.jobs.FinishedOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Properties of plans for any Workload, contradictory ones included, in any situation. */
class LifecyclePropertiesTest {
  /** More writes than any Workload needs until no plan writes. */
  private static final int MOST_WRITES = 12;

  private static final List<String> REASONS =
      List.of(
          "AdmissionCheck",
          "PodsReadyTimeout",
          "Preempted",
          "ClusterQueueStopped",
          "LocalQueueStopped",
          "Deactivated",
          "DeactivatedDueToAdmissionCheck",
          "BackoffFinished",
          "Other",
          "");

  /** Among them 1970 and 2100; the core's clock is at 10.4. */
  private static final List<Double> TIMES =
      List.of(-1_767_268_800.0, -10.0, 0.0, 7.0, 8.0, 9.0, 10.0, 11.0, 30.0, 2.3e9);

  /** One edit; a Workload is a list of edits, so that examples shrink well. */
  record Edit(String name, Consumer<WorkloadBuilder> edit) {
    @Override
    public String toString() {
      return name;
    }
  }

  @Property(tries = 5_000)
  void planNeverThrowsNeverWritesNothingAndComesToRest(
      @ForAll("edits") List<Edit> edits, @ForAll("facts") Situation facts) {
    Situation situation = facts.withWorkload(built(edits));
    Instant now = at(10.4);
    List<String> way = new ArrayList<>();
    int writes = 0;
    while (true) {
      Plan plan = Lifecycle.plan(situation, now);
      Instant wakeAt = plan.wakeAt();
      if (plan instanceof Plan.Write write) {
        way.add(String.valueOf(write.rule()));
        assertThat(write.after())
            .as("a patch that changes nothing by %s", way)
            .isNotEqualTo(write.before());
        assertTransition(write);
        assertThat(++writes).as("writes: %s", way).isLessThanOrEqualTo(MOST_WRITES);
        situation = Outcome.of(plan).applied(situation);
      } else if (wakeAt == null) {
        break;
      } else {
        assertThat(wakeAt).as("a timer in the past after %s", way).isAfter(now);
        situation = situation.withObservedEntries(plan.observed());
        now = wakeAt;
      }
    }
    assertAtRest(situation);
  }

  /** Invariant 1, for a Workload whose plan writes nothing. */
  private static void assertAtRest(Situation situation) {
    WorkloadConditions conditions = situation.workload().conditions();
    WorkloadStatus status = situation.workload().status();
    if (conditions.finished()) {
      return;
    }
    assertThat(Entries.in(CheckState.REJECTED, status.admissionChecks())).isEmpty();
    if (situation.phase().waits()) {
      assertThat(Entries.retries(status.admissionChecks(), situation.required().keySet()))
          .isEmpty();
      assertThat(status.requeueAt()).isNull();
      assertThat(status.admission()).isNull();
    }
    if (situation.phase() == Phase.HELD) {
      assertThat(conditions.heldForStoppedQueue()).isTrue();
      assertThat(situation.localQueue().runs() && situation.clusterQueue().runs()).isFalse();
    }
    if (situation.phase() == Phase.EVICTING) {
      assertThat(situation.owner().stopped()).isFalse();
    }
  }

  private static void assertTransition(Plan.Write write) {
    Instant before = quotaReservedSince(write.before());
    Instant after = quotaReservedSince(write.after());
    if (write.before().conditions().reserved() && !write.after().conditions().reserved()) {
      assertThat(Entries.in(CheckState.READY, write.after().status().admissionChecks()))
          .as("Ready without a reservation, by %s", write.rule())
          .isEmpty();
    }
    if (before != null) {
      assertThat(after).isAfterOrEqualTo(before);
    }
  }

  private static @Nullable Instant quotaReservedSince(Workload workload) {
    return workload.conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(null);
  }

  @Property(tries = 2_000)
  void everyOrderGivesAPlan(@ForAll("edits") List<Edit> edits, @ForAll("facts") Situation facts) {
    Situation situation = facts.withWorkload(built(edits));
    Instant now = at(10.4);
    Plan reserve =
        Lifecycle.reserve(situation, ADMISSION, situation.checks().byQueue().values(), now);
    if (reserve.rule() == Rule.RESERVE) {
      Situation reserved = Outcome.of(reserve).applied(situation);
      assertThat(reserved.phase()).isIn(Phase.RESERVED, Phase.ADMITTED);
      assertThat(Entries.in(CheckState.REJECTED, situation.workload().status().admissionChecks()))
          .isEmpty();
    }
    List<Plan> plans =
        List.of(
            reserve,
            Lifecycle.preempt(situation, new Preemption("InClusterQueue", "for another"), now),
            Lifecycle.plan(PodsReadyRulesTest.waiting(situation, 1), now),
            Lifecycle.plan(ExecutionTimeTest.limited(situation, 1, 0), now),
            Lifecycle.notReserved(situation, "WaitingForQuota", "more needed", now),
            Lifecycle.finish(situation, new FinishedOwner("Succeeded", "done"), now));
    for (Plan plan : plans) {
      if (plan instanceof Plan.Write write) {
        assertThat(write.after()).isNotEqualTo(write.before());
        assertTransition(write);
      }
    }
  }

  @Property(tries = 500)
  void planIsAFunctionOfItsArguments(
      @ForAll("edits") List<Edit> edits, @ForAll("facts") Situation facts) {
    Situation situation = facts.withWorkload(built(edits));
    assertThat(Lifecycle.plan(situation, at(10.4))).isEqualTo(Lifecycle.plan(situation, at(10.4)));
  }

  private static io.github.kueue4j.api.Workload built(List<Edit> edits) {
    WorkloadBuilder builder = workload();
    edits.forEach(edit -> edit.edit().accept(builder));
    return builder.build();
  }

  @Provide
  Arbitrary<List<Edit>> edits() {
    Arbitrary<Edit> condition =
        Combinators.combine(
                Arbitraries.of(
                    WorkloadConditions.QUOTA_RESERVED,
                    WorkloadConditions.ADMITTED,
                    WorkloadConditions.EVICTED,
                    WorkloadConditions.PREEMPTED,
                    WorkloadConditions.REQUEUED,
                    WorkloadConditions.DEACTIVATION_TARGET),
                Arbitraries.of(true, false),
                Arbitraries.of(REASONS),
                Arbitraries.of(TIMES))
            .as(
                (type, value, reason, since) ->
                    new Edit(
                        type + "=" + value + "(" + reason + ")@" + since,
                        workload -> workload.condition(type, value, reason, since)));
    Arbitrary<Edit> entry =
        Combinators.combine(
                Arbitraries.of("a", "b", "gone"),
                Arbitraries.of(
                    CheckState.PENDING,
                    CheckState.READY,
                    CheckState.RETRY,
                    CheckState.RETRY,
                    CheckState.REJECTED,
                    new CheckState("Maybe")),
                Arbitraries.of(TIMES),
                Arbitraries.of(-1, 0, 1, 20, Integer.MAX_VALUE).injectNull(0.3),
                Arbitraries.of(-1, 0, 3, Integer.MAX_VALUE).injectNull(0.5))
            .as(
                (name, state, since, delay, count) ->
                    new Edit(
                        name + "=" + state + "@" + since + "+" + delay + "#" + count,
                        workload -> workload.entry(name, state, since, delay, count)));
    Arbitrary<Edit> other =
        Arbitraries.of(
            new Edit("inactive", WorkloadBuilder::inactive),
            new Edit("admission", workload -> workload.reserved(5)),
            new Edit("reserved long ahead", workload -> workload.reserved(2.3e9)),
            new Edit("admitted", workload -> workload.admitted(5)),
            new Edit("without admission", WorkloadBuilder::withoutAdmission),
            new Edit("requeueAt 15", workload -> workload.requeueAt(15)),
            new Edit("requeueAt -100", workload -> workload.requeueAt(-100)),
            new Edit("requeueState", workload -> workload.requeueState(2, 40.0)),
            new Edit("held", workload -> workload.heldFor("AdmissionCheck")),
            new Edit("past seconds", workload -> workload.pastSeconds(Integer.MAX_VALUE)),
            new Edit("target", workload -> workload.target("RequeuingLimitExceeded", "often")));
    return Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(4, condition),
            net.jqwik.api.Tuple.of(4, entry),
            net.jqwik.api.Tuple.of(3, other))
        .list()
        .ofMaxSize(9);
  }

  @Provide
  Arbitrary<Situation> facts() {
    Arbitrary<QueueSettings> queue =
        Arbitraries.of(
            QueueSettings.running("q"),
            QueueSettings.running("q"),
            QueueSettings.running("q"),
            QueueSettings.stopped("q", StopPolicy.HOLD),
            QueueSettings.stopped("q", StopPolicy.HOLD_AND_DRAIN),
            QueueSettings.stopped("q", new StopPolicy("Whatever")),
            QueueSettings.missing("q"),
            QueueSettings.terminating("q"));
    CheckPolicy a =
        CheckPolicy.of("a")
            .withRetry(
                RetryPolicy.backoff(Duration.ofSeconds(2), 2, Duration.ofSeconds(30))
                    .withJitter(0.5))
            .withPendingTimeout(Duration.ofSeconds(20));
    CheckPolicy b = CheckPolicy.of("b");
    Arbitrary<RequiredChecks> checks =
        Arbitraries.of(
            RequiredChecks.of(List.of(a, b)),
            RequiredChecks.of(List.of(a, b)),
            RequiredChecks.of(List.of(a), List.of(a, b)),
            RequiredChecks.of(List.of(b)),
            RequiredChecks.none());
    Arbitrary<LifecycleSettings> settings =
        Arbitraries.of(
            LifecycleSettings.defaults(),
            LifecycleSettings.defaults(),
            LifecycleSettings.defaults()
                .withRetryDelays(Duration.ofSeconds(3), Duration.ofSeconds(10)),
            LifecycleSettings.defaults().withRetryDelays(Duration.ZERO, Duration.ZERO),
            LifecycleSettings.defaults().withAcRequeueAfter(false));
    return Combinators.combine(
            queue,
            queue,
            checks,
            Arbitraries.of(
                AssignmentValidity.valid(),
                AssignmentValidity.valid(),
                AssignmentValidity.invalid("NoMatchingFlavor", "flavor gone")),
            Arbitraries.of(Owner.class),
            Arbitraries.of(true, false),
            settings,
            Arbitraries.of(ObservedEntries.none(), WorkloadBuilder.seenBefore()))
        .as(
            (local, cluster, required, assignment, owner, victims, configured, observedEntries) ->
                Situation.of(workload().build(), local, cluster, required)
                    .withAssignment(assignment)
                    .withOwner(owner)
                    .withVictimsHoldQuota(victims)
                    .withSettings(configured)
                    .withObservedEntries(observedEntries));
  }
}
