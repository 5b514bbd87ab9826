// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.util.Objects;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Counts what the eviction of an admitted Workload asks of the API server: one status where nothing
 * runs, whatever evicts it, and two where a Job has to stop in between.
 */
@Simulated
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
class EvictionRequestsTest {
  private static final RequestMatcher STATUSES =
      RequestMatcher.userAgent("kueue-core")
          .and(RequestMatcher.verbs("patch"))
          .and(RequestMatcher.resource("workloads"))
          .and(RequestMatcher.subresource("status"));

  /** Why Workloads whose pods run elsewhere, or not at all, are evicted. */
  private enum Cause {
    DRAIN,
    DEACTIVATION,
    RETRY,
    REJECTION
  }

  private static final String CHECKED =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}]}";

  @Test
  void aPreemptionCostsItsVictimOneStatusAndNoEventWhereNothingRuns() {
    try (TestCluster cluster = preemption()) {
      bare(cluster, "victim", 1);
      await(cluster, "victim", TestCluster::admitted);
      long before = counted(cluster);

      bare(cluster, "urgent", 100);
      await(cluster, "urgent", TestCluster::admitted);
      cluster.settle();

      assertThat(counted(cluster) - before)
          .as("statuses, one of them the preemptor's")
          .isEqualTo(2);
      assertThat(events(cluster)).isZero();
      assertThat(evicted(cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key("victim")).get()))
          .isTrue();
    }
  }

  @Test
  void aJobThatCouldNotStartNeedNotStopEither() {
    try (TestCluster cluster = preemption()) {
      RequestMatcher starts = RequestMatcher.verbs("patch").and(RequestMatcher.resource("jobs"));
      try (Fault fault = cluster.server.faults().failNext(10_000, starts, 500)) {
        cluster.apply(TestJob.named("victim").queue("lq").priority("low").cpus(1).yaml());
        cluster.awaitWorkload("victim", TestCluster::admitted);
        cluster.awaitThat("its start was tried", world -> fault.hits() > 0);
        long before = counted(cluster);

        bare(cluster, "urgent", 100);
        await(cluster, "urgent", TestCluster::admitted);
        cluster.awaitWorkload("victim", EvictionRequestsTest::evicted);

        assertThat(counted(cluster) - before).isEqualTo(2);
      }
      assertThat(events(cluster)).isZero();
      cluster.awaitSuspended("victim", true);
    }
  }

  /** In between the quota is taken, and a core that takes over knows that the Job has to stop. */
  @Test
  void aJobThatRunsCostsTwoStatusesAndOneEvent() {
    try (TestCluster cluster = preemption()) {
      cluster.apply(TestJob.named("victim").queue("lq").priority("low").cpus(1).yaml());
      cluster.awaitSuspended("victim", false);
      cluster.podsRun("victim");
      cluster.settle();
      long before = counted(cluster);

      bare(cluster, "urgent", 100);
      cluster.awaitSuspended("victim", true);
      cluster.settle();
      assertThat(counted(cluster) - before).as("the eviction").isEqualTo(1);
      cluster.podsGone("victim");
      await(cluster, "urgent", TestCluster::admitted);
      cluster.settle();

      assertThat(counted(cluster) - before).as("with the preemptor's").isEqualTo(3);
      assertThat(events(cluster)).isEqualTo(1);
    }
  }

  /** The reconcile that evicts is the only one: nothing that it writes is heard. */
  @Test
  void aStopThatIsRefusedIsTriedOnceAReconcile() {
    try (TestCluster cluster = preemption()) {
      cluster.apply(TestJob.named("victim").queue("lq").cpus(1).yaml());
      cluster.awaitSuspended("victim", false);
      cluster.settle();
      RequestMatcher stops = RequestMatcher.verbs("patch").and(RequestMatcher.resource("jobs"));
      try (Fault refusal = cluster.server.faults().failNext(10_000, stops, 403);
          Fault silence = cluster.silence("workloads")) {
        cluster.queue("stopPolicy: HoldAndDrain", "default=1");
        cluster.awaitThat("its stop was tried", world -> refusal.hits() > 0);
        cluster.settle();

        assertThat(refusal.hits()).isEqualTo(1);
        assertThat(silence.hits()).isPositive();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Cause.class)
  void everyOtherEvictionCostsOneStatusTooWhereNothingRuns(Cause cause) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKED, "default=1");
      cluster.startCore();
      bare(cluster, "victim", 1);
      await(cluster, "victim", TestCluster::reserved);
      cluster.answerBare("victim", "budget", CheckState.READY, null);
      await(cluster, "victim", TestCluster::admitted);
      cluster.settle();
      long before = counted(cluster);

      bring(cluster, cause);
      Workload released = await(cluster, "victim", workload -> !TestCluster.reserved(workload));
      cluster.settle();

      assertThat(evicted(released)).isTrue();
      assertThat(counted(cluster) - before).isEqualTo(1);
    }
  }

  private static void bring(TestCluster cluster, Cause cause) {
    switch (cause) {
      case DRAIN -> cluster.queue(CHECKED + ", stopPolicy: HoldAndDrain", "default=1");
      case DEACTIVATION ->
          cluster.api.patch(
              KueueTypes.WORKLOAD,
              TestCluster.key("victim"),
              TestCluster.merge("{\"spec\": {\"active\": false}}"));
      case RETRY -> cluster.answerBare("victim", "budget", CheckState.RETRY, 60);
      case REJECTION -> cluster.answerBare("victim", "budget", CheckState.REJECTED, null);
    }
  }

  private static TestCluster preemption() {
    TestCluster cluster = new TestCluster();
    cluster.apply(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: low}, value: 1}
        """);
    cluster.queue("preemption: {withinClusterQueue: LowerPriority}", "default=1");
    cluster.startCore();
    cluster.settle();
    return cluster;
  }

  private static void bare(TestCluster cluster, String name, int priority) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: %s, namespace: team}
        spec: {queueName: lq, priority: %d, podSets: [{name: main, count: 1,
          template: {spec: {containers: [{name: c, image: busybox,
            resources: {requests: {cpu: 1}}}]}}}]}
        """
            .formatted(name, priority));
  }

  private static Workload await(TestCluster cluster, String name, Predicate<Workload> expected) {
    ObjectKey key = TestCluster.key(name);
    return Objects.requireNonNull(
        Awaitility.await()
            .until(
                () -> cluster.api.get(KueueTypes.WORKLOAD, key).filter(expected).orElse(null),
                Objects::nonNull));
  }

  private static boolean evicted(Workload workload) {
    return workload.conditions().evicted();
  }

  private static long counted(TestCluster cluster) {
    return cluster.server.requests().count(STATUSES);
  }

  private static int events(TestCluster cluster) {
    return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().size();
  }
}
