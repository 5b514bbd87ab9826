// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.http.MetricsText;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.simulation.Simulated;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Queues say whether they work and what is in them, without writing all the time. */
@Simulated
class QueueStatusTest {
  @Test
  void queuesCountWhatTheyHold() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      KueueCore core = cluster.startCore();
      cluster.job("first", 2);
      cluster.job("second", 1);
      cluster.awaitThat(
          "one is admitted",
          world -> world.workloads().stream().filter(TestCluster::admitted).count() == 1);
      cluster.workload("second");
      cluster.settle();
      cluster.pass(Duration.ofSeconds(3));

      cluster.awaitThat(
          "the ClusterQueue counts",
          world -> is(world.clusterQueue().status().admittedWorkloads(), 1));
      ClusterQueue queue = cluster.clusterQueue();
      assertThat(active(queue.status().conditions()))
          .isEqualTo("True Ready Can admit new workloads");
      assertThat(queue.status().pendingWorkloads()).isEqualTo(1);
      assertThat(queue.status().reservingWorkloads()).isEqualTo(1);
      assertThat(queue.status().flavorsUsage())
          .singleElement()
          .satisfies(
              flavor -> {
                assertThat(flavor.name()).isEqualTo("default");
                assertThat(flavor.resources())
                    .singleElement()
                    .satisfies(
                        cpu -> {
                          assertThat(cpu.name()).isEqualTo("cpu");
                          assertThat(String.valueOf(cpu.total())).isIn("1", "2");
                          assertThat(cpu.borrowed()).isNull();
                        });
              });
      cluster.awaitThat(
          "the LocalQueue counts",
          world ->
              is(world.localQueue().status().admittedWorkloads(), 1)
                  && is(world.localQueue().status().pendingWorkloads(), 1));
      assertThat(active(cluster.localQueue().status().conditions()))
          .isEqualTo("True Ready Can submit new workloads to localQueue");
      assertThat(core.meters().get("kueue.pending.workloads").gauges())
          .extracting(gauge -> gauge.value())
          .containsExactlyInAnyOrder(0.0, 0.0, 1.0);
      assertThat(
              core.meters()
                  .get("kueue.admitted.active.workloads")
                  .tag("cluster_queue", "cq")
                  .gauge()
                  .value())
          .isEqualTo(1);
    }
  }

  @Test
  void aWorkloadInBackoffIsPending() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("delayed", 1);
      cluster.awaitWorkload("delayed", TestCluster::reserved);
      cluster.answer("delayed", "budget", CheckState.RETRY, 600);
      cluster.awaitWorkload("delayed", workload -> !TestCluster.reserved(workload));

      cluster.passUntil("it is pending", world -> pending(world, 1));
      assertThat(pending(core, "backoff")).containsExactly(1.0, 1.0);
      assertThat(pending(core, "active")).containsExactly(0.0, 0.0);
      assertThat(pending(core, "inadmissible")).containsExactly(0.0);

      cluster.settle();
      cluster.delete("delayed");
      cluster.passUntil("none is", world -> pending(world, 0));
      assertThat(pending(core, "backoff")).containsExactly(0.0, 0.0);
    }
  }

  private static boolean pending(TestCluster world, int count) {
    return is(world.clusterQueue().status().pendingWorkloads(), count)
        && is(world.localQueue().status().pendingWorkloads(), count);
  }

  /** What the gauges of the ClusterQueue and the LocalQueue say. */
  private static List<Double> pending(KueueCore core, String status) {
    return Stream.of("kueue.pending.workloads", "kueue.local.queue.pending.workloads")
        .flatMap(name -> core.meters().find(name).tag("status", status).gauges().stream())
        .map(Gauge::value)
        .toList();
  }

  @Test
  void metersHaveTheNamesThatDashboardsKnow() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      KueueCore core = cluster.startCore();
      cluster.job("job", 2);
      cluster.awaitSuspended("job", false);
      cluster.jobSucceeds("job");
      cluster.awaitWorkload(
          "job", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
      cluster.settle();

      assertThat(MetricsText.of((PrometheusMeterRegistry) core.meters()).lines())
          .contains(
              "kueue_admission_attempts_total{replica_role=\"standalone\",result=\"success\"} 1.0",
              "kueue_quota_reserved_workloads_total{cluster_queue=\"cq\",priority_class=\"\",replica_role=\"standalone\"} 1.0",
              "kueue_admitted_workloads_total{cluster_queue=\"cq\",priority_class=\"\",replica_role=\"standalone\"} 1.0",
              "kueue_finished_workloads_total{cluster_queue=\"cq\",priority_class=\"\",replica_role=\"standalone\"} 1.0",
              "kueue_admission_wait_time_seconds_count{cluster_queue=\"cq\",priority_class=\"\",replica_role=\"standalone\"} 1",
              "kueue_admission_wait_time_seconds_bucket{cluster_queue=\"cq\",priority_class=\"\",replica_role=\"standalone\",le=\"2.5\"} 1",
              "kueue_pending_workloads{cluster_queue=\"cq\",replica_role=\"standalone\",status=\"active\"} 0.0",
              "kueue_cluster_queue_status{cluster_queue=\"cq\",replica_role=\"standalone\",status=\"active\"} 1.0",
              "kueue_local_queue_admitted_workloads_total{name=\"lq\",namespace=\"team\",priority_class=\"\",replica_role=\"standalone\"} 1.0");
    }
  }

  /** Another core that hasn't ended yet, for example, or a status out of a backup. */
  @Test
  void whatAnotherClientWroteIsCorrected() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitSuspended("job", false);
      cluster.passUntil(
          "it is counted", world -> is(world.clusterQueue().status().admittedWorkloads(), 1));
      cluster.passUntil(
          "and so in the LocalQueue",
          world -> is(world.localQueue().status().admittedWorkloads(), 1));
      cluster.settle();

      MergePatch wrong = TestCluster.merge("{\"status\": {\"admittedWorkloads\": 7}}");
      cluster.api.patchStatus(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq"), wrong);
      cluster.api.patchStatus(KueueTypes.LOCAL_QUEUE, ObjectKey.of(cluster.localQueue()), wrong);

      cluster.passUntil(
          "both are corrected",
          world ->
              is(world.clusterQueue().status().admittedWorkloads(), 1)
                  && is(world.localQueue().status().admittedWorkloads(), 1));
    }
  }

  @Test
  void aQueueIsWrittenAtMostOnceInTwoSeconds() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=100");
      cluster.startCore();
      cluster.settle();
      cluster.pass(Duration.ofSeconds(3));
      cluster.server.requests().reset();
      for (int i = 0; i < 10; i++) {
        cluster.job("job-" + i, 1);
      }
      cluster.awaitThat(
          "all are admitted",
          world -> world.workloads().stream().filter(TestCluster::admitted).count() == 10);
      cluster.settle();

      assertThat(statusWrites(cluster)).isEqualTo(1);
      cluster.pass(Duration.ofSeconds(3));
      cluster.awaitThat(
          "all are counted", world -> is(world.clusterQueue().status().admittedWorkloads(), 10));
      assertThat(statusWrites(cluster)).isEqualTo(2);
      cluster.pass(Duration.ofSeconds(10));
      assertThat(statusWrites(cluster)).isEqualTo(2);
    }
  }

  @Test
  void saysWhatIsMissingAndRecoversWhenItComes() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.awaitThat(
          "the missing check is named",
          world ->
              active(world.clusterQueue().status().conditions())
                  .equals(
                      "False AdmissionCheckNotFound Can't admit new workloads: references missing"
                          + " AdmissionCheck(s): budget."));
      cluster.job("job", 1);
      cluster.workload("job");
      cluster.settle();
      cluster.pass(Duration.ofSeconds(3));
      Workload waiting =
          cluster.awaitWorkload("job", workload -> !workload.status().conditions().isEmpty());
      assertThat(TestCluster.condition(waiting, WorkloadConditions.QUOTA_RESERVED))
          .satisfies(
              condition -> {
                assertThat(condition.reason()).isEqualTo("Misconfigured");
                assertThat(condition.message())
                    .isEqualTo(
                        "ClusterQueue cq is inactive. Can't admit new workloads: references missing"
                            + " AdmissionCheck(s): budget.");
              });
      cluster.awaitThat(
          "the LocalQueue follows",
          world ->
              active(world.localQueue().status().conditions())
                  .equals(
                      "False ClusterQueueIsInactive Can't submit new workloads to clusterQueue. Can't"
                          + " admit new workloads: references missing AdmissionCheck(s): budget."));

      cluster.server.apply(
          """
          {apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: budget},
            spec: {controllerName: example.com/test}}
          """);
      cluster.passUntil(
          "the Workload follows",
          world ->
              TestCluster.condition(world.workload("job"), WorkloadConditions.QUOTA_RESERVED)
                  .message()
                  .contains("references inactive AdmissionCheck(s): budget"));
      cluster.check("budget");
      cluster.awaitWorkload("job", TestCluster::reserved);
    }
  }

  @Test
  void aJobWithoutItsQueueSaysSo() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.startCore();
      cluster.job("job", 1);
      cluster.workload("job");
      cluster.settle();
      cluster.pass(Duration.ofSeconds(3));

      Workload waiting =
          cluster.awaitWorkload("job", workload -> !workload.status().conditions().isEmpty());
      assertThat(TestCluster.condition(waiting, WorkloadConditions.QUOTA_RESERVED))
          .satisfies(
              condition -> {
                assertThat(condition.reason()).isEqualTo("Misconfigured");
                assertThat(condition.message()).isEqualTo("LocalQueue lq doesn't exist");
              });

      cluster.queue("", "default=1");
      cluster.awaitWorkload("job", TestCluster::admitted);
    }
  }

  @Test
  void whatIsInUseDoesNotDisappear() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::admitted);
      cluster.settle();

      cluster.api.delete(
          KueueTypes.RESOURCE_FLAVOR, ObjectKey.cluster("default"), DeleteOptions.background());
      cluster.api.delete(
          KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq"), DeleteOptions.background());
      cluster.settle();
      cluster.pass(Duration.ofSeconds(3));
      assertThat(active(cluster.clusterQueue().status().conditions()))
          .isEqualTo("False Terminating Can't admit new workloads; clusterQueue is terminating");
      assertThat(cluster.api.get(KueueTypes.RESOURCE_FLAVOR, ObjectKey.cluster("default")))
          .isPresent();
      assertThat(cluster.api.get(CoreTypes.JOB, TestCluster.key("job"))).isPresent();
      cluster.awaitThat("it is told why", world -> waits(world).size() == 2);
      cluster.pass(Duration.ofMinutes(1));
      assertThat(waits(cluster))
          .containsExactlyInAnyOrder(
              "ResourceFlavor default: The deletion waits: in use by ClusterQueue cq; remove the"
                  + " reference from each, or delete it",
              "ClusterQueue cq: The deletion waits: Workloads hold quota of this ClusterQueue, and"
                  + " no other gets any; wait until they have finished, or evict them with"
                  + " spec.stopPolicy: HoldAndDrain");

      cluster.jobSucceeds("job");
      cluster.awaitThat(
          "queue and flavor are gone",
          world ->
              world.api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq")).isEmpty()
                  && world
                      .api
                      .get(KueueTypes.RESOURCE_FLAVOR, ObjectKey.cluster("default"))
                      .isEmpty());
    }
  }

  private static List<String> waits(TestCluster cluster) {
    return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
        .filter(event -> "DeletionWaits".equals(event.getReason()))
        .map(
            event ->
                event.getRegarding().getKind()
                    + " "
                    + event.getRegarding().getName()
                    + ": "
                    + event.getNote())
        .toList();
  }

  private static boolean is(@Nullable Integer value, int expected) {
    return value != null && value == expected;
  }

  private static String active(List<Condition> conditions) {
    return Conditions.find(conditions, "Active")
        .map(condition -> condition.status() + " " + condition.reason() + " " + condition.message())
        .orElse("none");
  }

  private static long statusWrites(TestCluster cluster) {
    return cluster
        .server
        .requests()
        .count(RequestMatcher.verbs("patch").and(RequestMatcher.resource("clusterqueues")));
  }
}
