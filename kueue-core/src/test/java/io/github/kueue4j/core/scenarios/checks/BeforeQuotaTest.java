// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A check that is asked before quota; the test answers it. */
@Simulated
class BeforeQuotaTest {
  private static final String ASKED =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}]}";

  private static void annotate(TestCluster cluster, String key, String value) {
    cluster.api.patch(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("budget"),
        TestCluster.merge("{\"metadata\": {\"annotations\": {\"" + key + "\": " + value + "}}}"));
  }

  private static void stage(TestCluster cluster, String value) {
    annotate(cluster, CheckStage.ANNOTATION, value);
  }

  private static void start(TestCluster cluster, String more) {
    cluster.check("budget");
    stage(cluster, "\"BeforeQuota\"");
    cluster.queue(ASKED + more, "default=1");
    cluster.startCore();
  }

  private static boolean asked(Workload workload) {
    return CheckStage.asks(workload)
        && workload
            .status()
            .admissionCheck("budget")
            .filter(entry -> entry.is(CheckState.PENDING))
            .isPresent();
  }

  private static AdmissionCheckState entry(TestCluster cluster, String job) {
    return cluster.workload(job).status().admissionCheck("budget").orElseThrow();
  }

  /** The date moves with each reservation, so one that is gone already shows, too. */
  private static Instant quotaReservedSince(Workload workload) {
    return TestCluster.condition(workload, WorkloadConditions.QUOTA_RESERVED).lastTransitionTime();
  }

  private static void awaitAsked(TestCluster cluster, String job) {
    cluster.awaitWorkload(job, BeforeQuotaTest::asked);
  }

  @Test
  void quotaIsReservedAfterItsReadyWhichIsVerifiedThen() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, "");
      cluster.job("job", 1);
      awaitAsked(cluster, "job");
      cluster.pass(Duration.ofHours(1));
      assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();
      assertThat(cluster.clusterQueue().status().pendingWorkloads()).isEqualTo(1);

      cluster.answer("job", "budget", CheckState.READY, null);

      Workload reserved = cluster.awaitWorkload("job", TestCluster::reserved);
      assertThat(TestCluster.admitted(reserved)).isFalse();
      assertThat(entry(cluster, "job").is(CheckState.PENDING)).isTrue();
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.awaitSuspended("job", false);
    }
  }

  /** While another of lower priority runs. */
  private static void askAboutAPreemptor(TestCluster cluster) {
    start(cluster, ", preemption: {withinClusterQueue: LowerPriority}");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: WorkloadPriorityClass
        metadata: {name: high}
        value: 1000
        """);
    cluster.job("low", 1);
    awaitAsked(cluster, "low");
    cluster.answer("low", "budget", CheckState.READY, null);
    cluster.awaitWorkload("low", TestCluster::reserved);
    cluster.answer("low", "budget", CheckState.READY, null);
    cluster.awaitSuspended("low", false);

    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: high, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq,
          kueue.x-k8s.io/priority-class: high}}
        spec:
          suspend: true
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}
        """);
    awaitAsked(cluster, "high");
  }

  @Test
  void afterItsReadyAWorkloadPreempts() {
    try (TestCluster cluster = new TestCluster()) {
      askAboutAPreemptor(cluster);

      cluster.answer("high", "budget", CheckState.READY, null);

      cluster.awaitWorkload("high", TestCluster::reserved);
      assertThat(TestCluster.reserved(cluster.workload("low"))).isFalse();
    }
  }

  @Test
  void itsNoTakesNoQuotaAndPreemptsNothing() {
    try (TestCluster cluster = new TestCluster()) {
      askAboutAPreemptor(cluster);
      Instant since = quotaReservedSince(cluster.workload("high"));
      for (int round = 0; round < 3; round++) {
        cluster.answer("high", "budget", CheckState.RETRY, 600);
        cluster.awaitWorkload("high", workload -> workload.conditions().heldForChecks());
        cluster.pass(Duration.ofSeconds(590));
        assertThat(cluster.workload("high").conditions().heldForChecks()).isTrue();
        cluster.passUntil("it is asked again", world -> asked(world.workload("high")));
        assertThat(entry(cluster, "high").retryCount()).isEqualTo(round + 1);
      }
      assertThat(quotaReservedSince(cluster.workload("high")))
          .as("never reserved")
          .isEqualTo(since);
      assertThat(cluster.workload("high").conditions().find(WorkloadConditions.EVICTED)).isEmpty();
      assertThat(TestCluster.admitted(cluster.workload("low"))).as("never preempted").isTrue();

      cluster.answer("high", "budget", CheckState.REJECTED, null);
      cluster.awaitWorkload("high", workload -> !workload.spec().active());
      cluster.settle();
      assertThat(quotaReservedSince(cluster.workload("high"))).isEqualTo(since);
      assertThat(TestCluster.admitted(cluster.workload("low"))).isTrue();
    }
  }

  @Test
  void aReadyBeforeQuotaEndsNoCount() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, "");
      cluster.job("job", 1);
      for (int round = 0; round < 3; round++) {
        cluster.passUntil("it is asked", world -> asked(world.workload("job")));
        cluster.answer("job", "budget", CheckState.READY, null);
        cluster.awaitWorkload("job", TestCluster::reserved);
        assertThat(Optional.ofNullable(entry(cluster, "job").retryCount()).orElse(0))
            .isEqualTo(round);
        cluster.answer("job", "budget", CheckState.RETRY, 1);
        cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      }
    }
  }

  /** Takes the quota, so that others wait. */
  private static void hold(TestCluster cluster) {
    cluster.job("first", 1);
    awaitAsked(cluster, "first");
    cluster.answer("first", "budget", CheckState.READY, null);
    cluster.awaitWorkload("first", TestCluster::reserved);
  }

  private static void ready(TestCluster cluster, String job) {
    cluster.job(job, 1);
    awaitAsked(cluster, job);
    cluster.answer(job, "budget", CheckState.READY, null);
    cluster.settle();
  }

  private static boolean isReady(TestCluster cluster, String job) {
    return entry(cluster, job).is(CheckState.READY);
  }

  @Test
  void aReadyThatIsTooOldIsAskedForAgain() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, "");
      annotate(cluster, CheckStage.READY_FOR, "\"5m\"");
      hold(cluster);
      ready(cluster, "second");
      Instant given = entry(cluster, "second").lastTransitionTime();

      cluster.pass(Duration.ofSeconds(290));
      assertThat(isReady(cluster, "second")).isTrue();
      cluster.pass(Duration.ofSeconds(15));
      assertThat(asked(cluster.workload("second"))).isTrue();
      assertThat(entry(cluster, "second").lastTransitionTime()).isAfter(given);

      // While the check is silent it is asked once only, also by the next process of the core.
      Instant again = entry(cluster, "second").lastTransitionTime();
      cluster.crashCore();
      cluster.startCore();
      cluster.delete("first");
      cluster.pass(Duration.ofHours(3));
      assertThat(TestCluster.reserved(cluster.workload("second"))).isFalse();
      assertThat(entry(cluster, "second").lastTransitionTime()).isEqualTo(again);
      cluster.answer("second", "budget", CheckState.READY, null);
      cluster.awaitWorkload("second", TestCluster::reserved);
    }
  }

  @Test
  void afterARestartAReadyIsAsOldAsItSays() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, "");
      hold(cluster);
      ready(cluster, "second");
      cluster.pass(Duration.ofMinutes(50));
      cluster.crashCore();
      cluster.startCore();
      cluster.pass(Duration.ofMinutes(9));
      assertThat(isReady(cluster, "second")).isTrue();
      cluster.pass(Duration.ofMinutes(2));
      assertThat(asked(cluster.workload("second"))).isTrue();
    }
  }

  /** With a clock that is a day behind, each of its answers would be too old at once. */
  @Test
  void aCheckWhoseClockIsBehindIsNotAskedInALoop() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, "");
      hold(cluster);
      ready(cluster, "second");
      Instant behind = entry(cluster, "second").lastTransitionTime().minus(Duration.ofDays(1));
      cluster.api.patchStatus(
          KueueTypes.WORKLOAD,
          ObjectKey.of(cluster.workload("second")),
          TestCluster.merge(
              "{\"status\": {\"admissionChecks\": [{\"name\": \"budget\", \"state\": \"Ready\","
                  + " \"message\": \"behind\", \"lastTransitionTime\": \""
                  + behind
                  + "\"}]}}"));

      cluster.pass(Duration.ofMinutes(59));
      assertThat(isReady(cluster, "second")).isTrue();
      assertThat(entry(cluster, "second").lastTransitionTime()).isEqualTo(behind);
      cluster.pass(Duration.ofMinutes(2));
      assertThat(asked(cluster.workload("second"))).isTrue();
    }
  }

  /** Writes meanwhile say that the spec was seen, and not that the check was asked about it. */
  @Test
  void aReadyAboutAFormerSpecDoesNotCountWhenTheStageComesBack() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, "");
      hold(cluster);
      ready(cluster, "second");
      stage(cluster, "null");
      cluster.settle();
      assertThat(isReady(cluster, "second")).as("without a reservation").isFalse();
      zone(cluster, "second");
      cluster.pass(Duration.ofSeconds(10));
      stage(cluster, "\"BeforeQuota\"");
      awaitAsked(cluster, "second");
      cluster.delete("first");
      cluster.pass(Duration.ofMinutes(1));
      assertThat(TestCluster.reserved(cluster.workload("second"))).isFalse();
    }
  }

  /** No process knows any more that this Ready was given before quota. */
  @Test
  void norAfterARestart() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, "");
      hold(cluster);
      ready(cluster, "second");
      cluster.crashCore();
      stage(cluster, "null");
      zone(cluster, "second");
      cluster.startCore();
      cluster.pass(Duration.ofSeconds(10));
      stage(cluster, "\"BeforeQuota\"");
      awaitAsked(cluster, "second");
      assertThat(isReady(cluster, "second")).isFalse();
    }
  }

  private static void zone(TestCluster cluster, String job) {
    cluster.api.patch(
        CoreTypes.JOB,
        TestCluster.key(job),
        TestCluster.merge(
            "{\"spec\": {\"template\": {\"spec\": {\"nodeSelector\": {\"zone\": \"a\"}}}}}"));
  }

  /** Those that wait in two queues of a cohort become too old together, and all get their turn. */
  @Test
  void manyOfACohortBecomeTooOldTogether() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, ", cohortName: both, queueingStrategy: StrictFIFO");
      hold(cluster);
      List<String> others = IntStream.range(0, 20).mapToObj(i -> "job-" + i).toList();
      others.forEach(other -> ready(cluster, other));
      cluster.pass(Duration.ofMinutes(61));
      assertThat(others).allMatch(other -> asked(cluster.workload(other)));

      // The answer for one Workload is enough: those without an answer hold up no other.
      cluster.delete("first");
      cluster.answer("job-19", "budget", CheckState.READY, null);
      cluster.awaitWorkload("job-19", TestCluster::reserved);
      cluster.pass(Duration.ofMinutes(1));
      assertThat(cluster.clusterQueue().status().pendingWorkloads()).isEqualTo(19);
    }
  }

  @Test
  void anotherSpecIsAskedAboutAnew() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, "");
      hold(cluster);
      ready(cluster, "job");
      Instant asked = entry(cluster, "job").lastTransitionTime();

      zone(cluster, "job");

      awaitAsked(cluster, "job");
      assertThat(entry(cluster, "job").lastTransitionTime()).isAfter(asked);
    }
  }

  @Test
  void theStageMayComeAndGoWhileTheyWait() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, "");
      cluster.job("job", 1);
      awaitAsked(cluster, "job");

      stage(cluster, "null");
      cluster.awaitWorkload("job", TestCluster::reserved);
      stage(cluster, "\"BeforeQuota\"");
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("job"))).isTrue();

      cluster.answer("job", "budget", CheckState.RETRY, 60);
      cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      cluster.passUntil("it is asked before quota", world -> asked(world.workload("job")));
      annotate(cluster, "kueue4j.io/mode", "\"Observe\"");
      cluster.awaitWorkload("job", TestCluster::admitted);
    }
  }

  @Test
  void aStoppedQueueAsksNothing() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, ", stopPolicy: Hold");
      cluster.job("job", 1);
      cluster.pass(Duration.ofMinutes(1));
      assertThat(cluster.workload("job").status().admissionChecks()).isEmpty();
      cluster.queue(ASKED, "default=1");
      awaitAsked(cluster, "job");
      cluster.queue(ASKED + ", stopPolicy: Hold", "default=1");
      cluster.awaitWorkload("job", workload -> !CheckStage.asks(workload));
      cluster.queue(ASKED, "default=1");
      awaitAsked(cluster, "job");
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.awaitWorkload("job", TestCluster::reserved);
    }
  }

  @Test
  void aCheckForSomeFlavorsOnlyCanNotBeAskedBeforeQuota() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      stage(cluster, "\"BeforeQuota\"");
      cluster.queue(
          "admissionChecksStrategy: {admissionChecks: [{name: budget, onFlavors: [spot]}]}",
          "spot=1",
          "default=1");
      cluster.startCore();
      cluster.job("job", 1);

      cluster.awaitThat(
          "the queue says so",
          world ->
              world.clusterQueue().status().conditions().stream()
                  .anyMatch(
                      condition ->
                          condition.reason().equals("AdmissionCheckInactive")
                              && condition.message().contains("leave onFlavors out")));
      cluster.settle();
      assertThat(cluster.workload("job").status().admissionChecks()).isEmpty();
      stage(cluster, "\"WithQuota\"");
      cluster.awaitWorkload("job", TestCluster::reserved);
    }
  }

  @Test
  void itIsAskedNoMoreAboutAWorkloadThatMovesToAQueueWithoutIt() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, "");
      cluster.job("job", 1);
      awaitAsked(cluster, "job");
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: free}
          spec:
            namespaceSelector: {}
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]
          """);
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: free, namespace: team}
          spec: {clusterQueue: free}
          """);

      cluster.api.patch(
          CoreTypes.JOB,
          TestCluster.key("job"),
          TestCluster.merge(
              "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": \"free\"}}}"));

      cluster.awaitWorkload("job", TestCluster::admitted);
      assertThat(cluster.workload("job").status().admission().clusterQueue()).isEqualTo("free");
      assertThat(cluster.workload("job").status().admissionChecks()).isEmpty();
    }
  }

  @Test
  void whileItsClusterQueueIsGoneNothingIsAsked() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster, "");
      cluster.job("job", 1);
      awaitAsked(cluster, "job");

      // No reason to wait is written in the first second.
      cluster.pass(Duration.ofSeconds(2));
      cluster.api.delete(
          KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq"), DeleteOptions.background());
      cluster.awaitWorkload("job", job -> !CheckStage.asks(job));
      assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();

      cluster.queue(ASKED, "default=1");
      awaitAsked(cluster, "job");
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.awaitWorkload("job", TestCluster::reserved);
    }
  }
}
