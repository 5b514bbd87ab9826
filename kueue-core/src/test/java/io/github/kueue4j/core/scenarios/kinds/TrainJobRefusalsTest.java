// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.jobs.TrainJob;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TrainJobs whose start or stop the API server refuses, as people are told of it. */
@Simulated
class TrainJobRefusalsTest {
  private static final String RUNTIME_IS_GONE =
      "spec.runtimeRef: Invalid value: TrainingRuntime torch not found";

  private static TestCluster cluster() {
    TestCluster cluster = new TestCluster();
    JobSets.install(cluster);
    PlayedTrainer.install(cluster);
    cluster.queue("preemption: {withinClusterQueue: LowerPriority}", "default=4");
    return cluster;
  }

  private static Workload own(TestCluster cluster) {
    return cluster.workloads().stream()
        .filter(each -> each.metadata().getName().startsWith("trainjob-"))
        .findFirst()
        .orElseThrow();
  }

  /** The notes of events with this reason, about objects of this kind. */
  private static List<String> notes(TestCluster cluster, String reason, String kind) {
    return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
        .filter(event -> reason.equals(event.getReason()))
        .filter(event -> kind.equals(event.getRegarding().getKind()))
        .map(event -> String.valueOf(event.getNote()))
        .toList();
  }

  private static void assertTold(TestCluster cluster, String reason) {
    for (String kind : List.of("TrainJob", "Workload")) {
      assertThat(notes(cluster, reason, kind))
          .isNotEmpty()
          .allSatisfy(note -> assertThat(note).contains("denied the request: " + RUNTIME_IS_GONE));
    }
  }

  /** The first write, and the second one. */
  @ParameterizedTest
  @ValueSource(strings = {"false", "object.spec.suspend"})
  @ExpectedLog(logger = "RefusedStarts", message = "The API server refuses the start of a Job")
  void aStartThatIsRefusedIsToldAndTriedAgain(String rule) {
    try (TestCluster cluster = cluster()) {
      PlayedTrainer.demand(cluster, rule, RUNTIME_IS_GONE);
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.passUntil("it is told", () -> !notes(cluster, "StartRefused", "Workload").isEmpty());
      assertTold(cluster, "StartRefused");
      assertThat(own(cluster)).matches(TestCluster::admitted);

      trainer.settle();
      cluster.pass(Duration.ofSeconds(61));
      assertThat(notes(cluster, "AwaitsPods", "TrainJob")).as("Trainer isn't late").isEmpty();

      PlayedTrainer.demandUsual(cluster);
      trainer.passUntil("it runs", () -> !trainer.suspended());
    }
  }

  /** What the first write has added is to be taken off before a start is tried again. */
  @ParameterizedTest
  @ValueSource(strings = {"Forbidden", "Invalid"})
  @ExpectedLog(logger = "RefusedStarts", message = "The API server refuses the start of a Job")
  void aStartWhoseUndoingIsRefusedIsToldAndTriedAgain(String reason) {
    try (TestCluster cluster = cluster()) {
      PlayedTrainer.demand(cluster, "object.spec.suspend", "not now");
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.passUntil("it is told", () -> !notes(cluster, "StartRefused", "Workload").isEmpty());
      PlayedTrainer.demand(cluster, "false", reason, RUNTIME_IS_GONE);

      for (String kind : List.of("TrainJob", "Workload")) {
        trainer.passUntil(
            "that is told, too",
            () ->
                notes(cluster, "StartRefused", kind).stream()
                    .anyMatch(note -> note.contains(RUNTIME_IS_GONE)));
      }
      assertThat(own(cluster)).matches(TestCluster::admitted);

      PlayedTrainer.demandUsual(cluster);
      trainer.passUntil("it runs", () -> !trainer.suspended());
    }
  }

  /** Each start and each undoing changes the TrainJob, which wakes the core. */
  @Test
  @ExpectedLog(logger = "RefusedStarts", message = "The API server refuses the start of a Job")
  @ExpectedLog(logger = "UnheededStops", message = "The API server refuses the stop of a Job")
  void anInvalidStartWhoseUndoingCanNotBeReadIsNotTriedAgainAtOnce() {
    try (TestCluster cluster = cluster();
        Fault forbidden = forbidJobSets(cluster, "get")) {
      PlayedTrainer.demand(cluster, "object.spec.suspend", "Invalid", RUNTIME_IS_GONE);
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await("it is tried", () -> forbidden.hits() > 0);
      for (int second = 0; second < 60; second++) {
        cluster.pass(Duration.ofSeconds(1));
      }

      assertThat(
              cluster
                  .server
                  .requests()
                  .count(
                      RequestMatcher.verbs("patch").and(RequestMatcher.resource("trainjobs")), 422))
          .as("starts")
          .isBetween(1L, 4L);
    }
  }

  /** Its pods end slowly, so that it is looked at again later, too. */
  @Test
  @ExpectedLog(logger = "RefusedStarts", message = "The API server refuses the start of a Job")
  void theRefusedUndoingOfOneThatItsUserSuspendedIsTriedAgainEveryMinute() {
    try (TestCluster cluster = cluster()) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();
      trainer.podsEnd = false;
      cluster.api.patch(
          TrainJob.TYPE, PlayedTrainer.KEY, TestCluster.merge("{\"spec\": {\"suspend\": true}}"));
      trainer.settle();
      cluster.pass(Duration.ofSeconds(20));
      PlayedTrainer.demand(cluster, "false", RUNTIME_IS_GONE);
      trainer.podsEnd = true;
      trainer.passUntil("it is told", () -> !notes(cluster, "StartRefused", "TrainJob").isEmpty());
      RequestMatcher writes =
          RequestMatcher.verbs("patch").and(RequestMatcher.resource("trainjobs"));
      long before = cluster.server.requests().count(writes, 403);
      for (int minute = 0; minute < 10; minute++) {
        cluster.pass(Duration.ofMinutes(1));
      }

      assertThat(cluster.server.requests().count(writes, 403) - before).isEqualTo(10);
    }
  }

  private static void urgentJob(TestCluster cluster) {
    cluster.apply(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,"
            + " metadata: {name: high}, value: 100}");
    cluster.apply(TestJob.named("urgent").queue("lq").priority("high").cpus(4).yaml());
  }

  private static void untilItsStopIsTold(TestCluster cluster, PlayedTrainer trainer) {
    trainer.passUntil(
        "it is told",
        () -> TestCluster.isTrue(own(cluster), WorkloadConditions.SUSPENSION_UNHEEDED));
  }

  /** The suspension, and the end of what the start has added. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "false",
        "!object.spec.suspend || object.spec.runtimePatches == oldObject.spec.runtimePatches"
      })
  @ExpectedLog(logger = "UnheededStops", message = "The API server refuses the stop of a Job")
  void aStopThatIsRefusedIsToldUntilItSucceeds(String rule) {
    try (TestCluster cluster = cluster()) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();
      PlayedTrainer.demand(cluster, rule, RUNTIME_IS_GONE);
      urgentJob(cluster);

      untilItsStopIsTold(cluster, trainer);
      Condition told = TestCluster.condition(own(cluster), WorkloadConditions.SUSPENSION_UNHEEDED);
      assertThat(told.reason()).isEqualTo("StopRefused");
      assertThat(told.message()).startsWith("TrainJob train: ").contains(RUNTIME_IS_GONE);
      cluster.awaitThat(
          "events are told", world -> !notes(world, "SuspensionUnheeded", "Workload").isEmpty());
      assertTold(cluster, "SuspensionUnheeded");
      assertThat(own(cluster)).matches(TestCluster::reserved, "keeps its quota");
      assertThat(cluster.workload("urgent")).matches(waits -> !TestCluster.reserved(waits));

      PlayedTrainer.demandUsual(cluster);
      trainer.passUntil(
          "the quota is given on", () -> TestCluster.reserved(cluster.workload("urgent")));
      assertThat(own(cluster).conditions().find(WorkloadConditions.SUSPENSION_UNHEEDED)).isEmpty();
    }
  }

  private static Fault forbidJobSets(TestCluster cluster, String... verbs) {
    return cluster
        .server
        .faults()
        .failNext(
            Integer.MAX_VALUE,
            RequestMatcher.verbs(verbs)
                .and(RequestMatcher.resource("jobsets"))
                .and(request -> request.userAgent().contains("kueue-core")),
            403);
  }

  /** Its TrainJob may run on quota, which only its JobSet tells. */
  @Test
  void aCoreThatMayNotListJobSetsEndsItsStartWhereATrainJobHasAWorkload() {
    try (TestCluster cluster = cluster()) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();
      cluster.crashCore();

      try (Fault forbidden = forbidJobSets(cluster, "list", "watch")) {
        assertThat(forbidden).isNotNull();
        assertThatThrownBy(
                () ->
                    cluster.startCore(
                        PlayedTrainer.FRAMEWORKS + "controller: {cacheSyncTimeout: 2s}\n"))
            .hasMessageContaining("jobsets.jobset.x-k8s.io");
      }
    }
  }

  @Test
  @ExpectedLog(logger = "KindPresence", message = "This account may not list this resource")
  void aTrainJobWhoseJobSetTheCoreMayNotListIsToldThat() {
    try (TestCluster cluster = cluster();
        Fault forbidden = forbidJobSets(cluster, "list", "watch")) {
      assertThat(forbidden).isNotNull();
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.act();
      cluster.awaitThat(
          "it is told",
          world -> {
            // The core never settles: it lacks an object.
            world.time.advance(Duration.ofSeconds(1));
            return !notes(world, "AwaitsPods", "TrainJob").isEmpty();
          });

      assertThat(notes(cluster, "AwaitsPods", "TrainJob").getFirst())
          .contains("jobsets.jobset.x-k8s.io", "the core's account may not list")
          .doesNotContain("Trainer");
    }
  }

  /** Its quota is kept until its JobSet was read. */
  @Test
  @ExpectedLog(logger = "UnheededStops", message = "The API server refuses the stop of a Job")
  void aStopForWhichTheCoreMayNotReadTheJobSetIsTold() {
    try (TestCluster cluster = cluster()) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();
      Fault forbidden = forbidJobSets(cluster, "get");
      cluster.queue("stopPolicy: HoldAndDrain", "default=4");

      untilItsStopIsTold(cluster, trainer);
      assertThat(
              TestCluster.condition(own(cluster), WorkloadConditions.SUSPENSION_UNHEEDED).message())
          .contains("jobsets.jobset.x-k8s.io \"train\" is forbidden");
      assertThat(trainer.suspended()).isTrue();
      assertThat(own(cluster)).matches(TestCluster::reserved);

      forbidden.close();
      trainer.passUntil("its quota is free", () -> !TestCluster.reserved(own(cluster)));
    }
  }

  /** Nothing of it runs, which only its JobSet tells: it is stopped to be sure. */
  @Test
  @ExpectedLog(logger = "RefusedStarts", message = "The API server refuses the start of a Job")
  @ExpectedLog(logger = "UnheededStops", message = "The API server refuses the stop of a Job")
  void thePreemptionOfOneThatWasNotStartedIsToldWhereTheCoreMayNotReadItsJobSet() {
    try (TestCluster cluster = cluster()) {
      PlayedTrainer.demand(cluster, "false", RUNTIME_IS_GONE);
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await(
          "it is admitted", () -> cluster.workloads().stream().anyMatch(TestCluster::admitted));
      trainer.settle();
      Fault forbidden = forbidJobSets(cluster, "get");
      urgentJob(cluster);

      untilItsStopIsTold(cluster, trainer);
      assertThat(own(cluster)).matches(evicted -> evicted.conditions().evicted());
      assertThat(cluster.workload("urgent")).matches(waits -> !TestCluster.reserved(waits));

      forbidden.close();
      trainer.passUntil(
          "the quota is given on", () -> TestCluster.reserved(cluster.workload("urgent")));
    }
  }

  @Test
  @ExpectedLog(logger = "UnheededStops", message = "The API server refuses the stop of a Job")
  void aStopThatIsRefusedIsToldOnAWorkloadThatIsBeingDeleted() {
    try (TestCluster cluster = cluster()) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();
      PlayedTrainer.demand(cluster, "false", RUNTIME_IS_GONE);
      String uid = own(cluster).metadata().getUid();
      cluster.api.delete(
          KueueTypes.WORKLOAD, ObjectKey.of(own(cluster)), DeleteOptions.background());

      untilItsStopIsTold(cluster, trainer);
      assertThat(own(cluster).metadata().getUid()).isEqualTo(uid);

      PlayedTrainer.demandUsual(cluster);
      trainer.passUntil(
          "it is gone",
          () ->
              cluster.workloads().stream().noneMatch(each -> uid.equals(each.metadata().getUid())));
    }
  }

  /** The pods have their grace period, which is no refusal. */
  @Test
  @ExpectedLog(logger = "UnheededStops", message = "The API server refuses the stop of a Job")
  void aStopThatIsRefusedNoMoreIsNotToldWhileThePodsEnd() {
    try (TestCluster cluster = cluster()) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();
      PlayedTrainer.demand(cluster, "false", RUNTIME_IS_GONE);
      cluster.queue("stopPolicy: HoldAndDrain", "default=4");
      untilItsStopIsTold(cluster, trainer);

      trainer.podsEnd = false;
      PlayedTrainer.demandUsual(cluster);
      trainer.passUntil(
          "it isn't told any more",
          () -> !TestCluster.isTrue(own(cluster), WorkloadConditions.SUSPENSION_UNHEEDED));
      assertThat(trainer.suspended()).isTrue();
      assertThat(own(cluster)).matches(TestCluster::reserved);
    }
  }
}
