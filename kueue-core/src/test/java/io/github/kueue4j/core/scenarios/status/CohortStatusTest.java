// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.FairSharingStatus;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.http.MetricsText;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Shares, quota and past usage of ClusterQueues and Cohorts, in their statuses and in metrics. */
@ExpectedLog(logger = "ConfiguredSettings", message = "metrics.enableClusterQueueResources")
@Simulated
class CohortStatusTest {
  private static final String FAIR_SHARING =
      """
      fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}
      metrics: {bindAddress: "0", enableClusterQueueResources: true}
      """;

  @Test
  void statusesStateTheSharesThatDecide() {
    try (TestCluster cluster = new TestCluster()) {
      family(cluster);
      cluster.startCore(FAIR_SHARING);
      runSix(cluster);

      // x has 4, uses 6 of the 10 that its Cohort could reserve: 2 * 1000 / 10.
      cluster.passUntil("the queue's share is stated", world -> share(world, "x") == 200);
      // Its Cohort borrows the same 2 from the root, but has weight 3: 66.7, rounded up.
      cluster.passUntil("the Cohort's is, too", world -> cohortShare(world, "a") == 67);
      assertThat(share(cluster, "y")).isZero();
      assertThat(cohortShare(cluster, "root")).isZero();

      cluster.jobSucceeds("six");
      cluster.awaitSuspended("five", false);
      cluster.passUntil("less is borrowed", world -> cohortShare(world, "a") == 34);
      cluster.passUntil("also by the queue", world -> share(world, "x") == 100);
    }
  }

  @Test
  void withoutFairSharingNoShareIsStated() {
    try (TestCluster cluster = new TestCluster()) {
      family(cluster);
      cluster.startCore();
      runSix(cluster);
      cluster.pass(Duration.ofSeconds(3));

      cluster.awaitThat(
          "the queue's status counts it",
          world ->
              Integer.valueOf(1).equals(clusterQueue(world, "x").status().admittedWorkloads()));
      assertThat(clusterQueue(cluster, "x").status().fairSharing()).isNull();
      assertThat(cohort(cluster, "a").status().fairSharing()).isNull();
    }
  }

  @Test
  void quotaAndSharesAreMeasured() {
    try (TestCluster cluster = new TestCluster()) {
      family(cluster);
      KueueCore core = cluster.startCore(FAIR_SHARING);
      runSix(cluster);
      cluster.passUntil("the share is stated", world -> cohortShare(world, "a") == 67);
      cluster.passUntil("so is the queue's", world -> share(world, "x") == 200);

      cluster.passUntil(
          "everything is measured",
          world ->
              lines(core)
                  .containsAll(
                      List.of(
                          "kueue_cohort_weighted_share{cohort=\"root\",replica_role=\"standalone\"} 0.0",
                          "kueue_cohort_subtree_quota{cohort=\"root\",flavor=\"default\",replica_role=\"standalone\",resource=\"cpu\"} 10.0",
                          "kueue_cohort_subtree_quota{cohort=\"a\",flavor=\"default\",replica_role=\"standalone\",resource=\"cpu\"} 4.0",
                          "kueue_cohort_subtree_resource_reservations{cohort=\"a\",flavor=\"default\",replica_role=\"standalone\",resource=\"cpu\"} 6.0",
                          "kueue_cohort_subtree_admitted_active_workloads{cohort=\"root\",replica_role=\"standalone\"} 1.0",
                          "kueue_cohort_subtree_admitted_workloads_total{cohort=\"root\",priority_class=\"\",replica_role=\"standalone\"} 1.0",
                          "kueue_cohort_info{cohort=\"root\",parent_cohort=\"\",replica_role=\"standalone\",root_cohort=\"root\"} 1",
                          "kueue_cohort_info{cohort=\"a\",parent_cohort=\"root\",replica_role=\"standalone\",root_cohort=\"root\"} 1",
                          "kueue_cluster_queue_info{cluster_queue=\"x\",parent_cohort=\"a\",replica_role=\"standalone\",root_cohort=\"root\"} 1",
                          "kueue_cluster_queue_weighted_share{cluster_queue=\"x\",cohort=\"a\",replica_role=\"standalone\"} 200.0",
                          "kueue_cluster_queue_resource_reservation{cluster_queue=\"x\",cohort=\"a\",flavor=\"default\",replica_role=\"standalone\",resource=\"cpu\"} 6.0",
                          "kueue_cluster_queue_resource_usage{cluster_queue=\"x\",cohort=\"a\",flavor=\"default\",replica_role=\"standalone\",resource=\"cpu\"} 6.0",
                          "kueue_cluster_queue_nominal_quota{cluster_queue=\"x\",cohort=\"a\",flavor=\"default\",replica_role=\"standalone\",resource=\"cpu\"} 4.0",
                          "kueue_cluster_queue_borrowing_limit{cluster_queue=\"x\",cohort=\"a\",flavor=\"default\",replica_role=\"standalone\",resource=\"cpu\"} +Inf",
                          "kueue_cluster_queue_lending_limit{cluster_queue=\"y\",cohort=\"root\",flavor=\"default\",replica_role=\"standalone\",resource=\"cpu\"} 6.0",
                          "kueue_cluster_queue_resource_pending{cluster_queue=\"x\",replica_role=\"standalone\",resource=\"cpu\"} 5.0",
                          "kueue_local_queue_resource_usage{flavor=\"default\",name=\"x\",namespace=\"team\",replica_role=\"standalone\",resource=\"cpu\"} 6.0")));
      assertThat(lines(core))
          .filteredOn(line -> line.startsWith("kueue_cohort_weighted_share{cohort=\"a\""))
          .singleElement()
          .asString()
          .contains("} 66.6");

      queue(cluster, "x", "root", 4);
      cluster.passUntil(
          "the queue is measured where it is now",
          world ->
              lines(core).stream()
                  .anyMatch(
                      line ->
                          line.startsWith(
                              "kueue_cluster_queue_nominal_quota{cluster_queue=\"x\",cohort=\"root\"")));
      cluster.passUntil(
          "the Cohort it left has nothing",
          world ->
              lines(core)
                  .contains(
                      "kueue_cohort_subtree_admitted_active_workloads{cohort=\"a\",replica_role=\"standalone\"} 0.0"));
      assertThat(lines(core)).noneMatch(line -> line.contains("cluster_queue=\"x\",cohort=\"a\""));
    }
  }

  @Test
  void whatWasUsedBelowACohortIsInItsStatus() {
    try (TestCluster cluster = new TestCluster()) {
      family(cluster);
      cluster.startCore(
          "admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 5m}\n");
      runSix(cluster);
      cluster.pass(Duration.ofMinutes(6));

      cluster.passUntil("the root's status says it", world -> used(world, "root").isPresent());
      cluster.passUntil("and its child's", world -> used(world, "a").isPresent());
      // 6 cores for 5 minutes and the entry penalty of as much, with a half-life of an hour.
      assertThat(used(cluster, "a").orElseThrow()).isBetween(0.3, 1.2);
      assertThat(used(cluster, "root")).isEqualTo(used(cluster, "a"));
    }
  }

  /** Queue x (4 cpus) in Cohort a of weight 3 in Cohort root; queue y (6 cpus) in root itself. */
  private static void family(TestCluster cluster) {
    cluster.flavor("default");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Cohort
        metadata: {name: root}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Cohort
        metadata: {name: a}
        spec: {parentName: root, fairSharing: {weight: 3}}
        """);
    queue(cluster, "x", "a", 4);
    queue(cluster, "y", "root", 6);
  }

  private static void queue(TestCluster cluster, String name, String cohort, int cpus) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %1$s}
        spec:
          namespaceSelector: {}
          cohortName: %2$s
          resourceGroups:
          - coveredResources: [cpu]
            flavors:
            - {name: default, resources: [{name: cpu, nominalQuota: %3$d, lendingLimit: %3$d}]}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: %1$s, namespace: team}
        spec: {clusterQueue: %1$s}
        """
            .formatted(name, cohort, cpus));
  }

  private static void runSix(TestCluster cluster) {
    job(cluster, "six", 6);
    cluster.awaitSuspended("six", false);
    job(cluster, "five", 5);
    cluster.workload("five");
    cluster.settle();
  }

  private static void job(TestCluster cluster, String name, int cpus) {
    cluster.apply(TestJob.named(name).queue("x").cpus(cpus).yaml());
  }

  private static ClusterQueue clusterQueue(TestCluster world, String name) {
    return world.api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(name)).orElseThrow();
  }

  private static Cohort cohort(TestCluster world, String name) {
    return world.api.get(KueueTypes.COHORT, ObjectKey.cluster(name)).orElseThrow();
  }

  private static long share(TestCluster world, String queue) {
    return Optional.ofNullable(clusterQueue(world, queue).status().fairSharing())
        .map(FairSharingStatus::weightedShare)
        .orElse(-1L);
  }

  private static long cohortShare(TestCluster world, String name) {
    return Optional.ofNullable(cohort(world, name).status().fairSharing())
        .map(FairSharingStatus::weightedShare)
        .orElse(-1L);
  }

  private static Optional<Double> used(TestCluster world, String cohort) {
    return Optional.ofNullable(cohort(world, cohort).status().fairSharing())
        .map(FairSharingStatus::admissionFairSharingStatus)
        .map(status -> status.consumedResources().get("cpu"))
        .map(used -> used.amount().doubleValue());
  }

  private static List<String> lines(KueueCore core) {
    return Objects.requireNonNull(MetricsText.of((PrometheusMeterRegistry) core.meters()))
        .lines()
        .toList();
  }
}
