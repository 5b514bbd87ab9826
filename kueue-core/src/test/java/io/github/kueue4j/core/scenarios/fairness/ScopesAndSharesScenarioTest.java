// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Both kinds of fair sharing together in several Cohorts (KEP-4136), through the API: past usage
 * chooses one head for each scope, and the shares order these heads and choose the victims.
 *
 * <pre>
 * all, with all the quota
 * ├─ east, a scope     e1 has used 5, e2 has used 1
 * └─ west, a scope     w1 has used 2, w2 has used 9
 * </pre>
 */
@Tag("quick")
@Simulated
class ScopesAndSharesScenarioTest {
  private static final String USAGE =
      """
      admissionFairSharing: {usageHalfLifeTime: 8760h, usageSamplingInterval: 5m}
      """;
  private static final String SHARES =
      """
      fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]}
      """;

  @Test
  void sharesOrderTheHeadsThatUsageHasChosen() {
    try (TestCluster cluster = world(4, "Never")) {
      oneOfEachQueueWaits(cluster, USAGE + SHARES);

      // West has nothing: w1, which has used less than w2. Then e2, which has used less than e1.
      awaitReserved(cluster, "of-w1", "of-e2");
      cluster.settle();
      assertThat(reserved(cluster)).containsExactlyInAnyOrder("east-has", "of-w1", "of-e2");
    }
  }

  /** Without usage each ClusterQueue has a head of its own, and both of west have the less. */
  @Test
  void sharesAloneServeBothOfWest() {
    try (TestCluster cluster = world(4, "Never")) {
      oneOfEachQueueWaits(cluster, SHARES);

      awaitReserved(cluster, "of-w2", "of-w1");
      cluster.settle();
      assertThat(reserved(cluster)).containsExactlyInAnyOrder("east-has", "of-w2", "of-w1");
    }
  }

  @Test
  void theHeadThatUsageHasChosenTakesFromTheLargerShare() {
    try (TestCluster cluster = world(3, "Any")) {
      cluster.startCore(USAGE + SHARES);
      List<String> east = List.of("east-1", "east-2", "east-3");
      east.forEach(name -> submit(cluster, name, "e1", 1, 9));
      awaitReserved(cluster, east.toArray(String[]::new));

      cluster.crashCore();
      submit(cluster, "of-w2", "w2", 1, 9);
      submit(cluster, "of-w1", "w1", 1, 0);
      cluster.startCore(USAGE + SHARES);

      // It is the one of w1, though that of w2 is more important; then the shares are 2 and 1.
      awaitReserved(cluster, "of-w1");
      cluster.settle();
      assertThat(reserved(cluster)).hasSize(3).contains("of-w1").doesNotContain("of-w2");
      assertThat(
              east.stream()
                  .filter(name -> TestCluster.isTrue(workload(cluster, name), "Preempted")))
          .hasSize(1);
    }
  }

  /** East has quota; then one Workload of each queue waits, as a core finds them at its start. */
  private static void oneOfEachQueueWaits(TestCluster cluster, String configuration) {
    cluster.startCore(configuration);
    submit(cluster, "east-has", "e1", 2, 0);
    awaitReserved(cluster, "east-has");
    cluster.crashCore();
    submit(cluster, "of-e1", "e1", 1, 9);
    submit(cluster, "of-e2", "e2", 1, 8);
    submit(cluster, "of-w2", "w2", 1, 7);
    submit(cluster, "of-w1", "w1", 1, 6);
    cluster.startCore(configuration);
  }

  private static TestCluster world(int cpus, String reclaim) {
    TestCluster cluster = new TestCluster();
    cluster.flavor("default");
    cohort(cluster, "all", "resourceGroups: [%s]".formatted(cpus(cpus)));
    for (String scope : List.of("east", "west")) {
      cohort(
          cluster,
          scope,
          "parentName: all, admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}");
    }
    queue(cluster, "e1", "east", reclaim, 5);
    queue(cluster, "e2", "east", reclaim, 1);
    queue(cluster, "w1", "west", reclaim, 2);
    queue(cluster, "w2", "west", reclaim, 9);
    return cluster;
  }

  private static void cohort(TestCluster cluster, String name, String spec) {
    cluster.apply(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: %s}, spec: {%s}}"
            .formatted(name, spec));
  }

  private static String cpus(int quota) {
    return "{coveredResources: [cpu], flavors: [{name: default, resources: [{name: cpu,"
        + " nominalQuota: %d}]}]}".formatted(quota);
  }

  /** A ClusterQueue with a LocalQueue of the same name; both have used as much. */
  private static void queue(
      TestCluster cluster, String name, String cohort, String reclaim, int used) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %1$s}
        spec: {cohortName: %2$s, namespaceSelector: {}, resourceGroups: [%3$s],
          preemption: {reclaimWithinCohort: %4$s}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: %1$s, namespace: team}
        spec: {clusterQueue: %1$s}
        """
            .formatted(name, cohort, cpus(0), reclaim));
    used(cluster, KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(name), used);
    used(cluster, KueueTypes.LOCAL_QUEUE, TestCluster.key(name), used);
  }

  /** What an earlier core has written. */
  private static <T extends KubernetesObject> void used(
      TestCluster cluster, ResourceType<T> type, ObjectKey key, int cpus) {
    cluster.api.patchStatus(
        type,
        key,
        TestCluster.merge(
            """
            {"status": {"fairSharing": {"weightedShare": 0, "admissionFairSharingStatus":
              {"consumedResources": {"cpu": "%d"}, "lastUpdate": "%s"}}}}
            """
                .formatted(cpus, ApiTime.format(cluster.time.instant()))));
  }

  private static void submit(
      TestCluster cluster, String name, String queue, int cpus, int priority) {
    cluster.time.advance(Duration.ofSeconds(1));
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: %s, namespace: team}
        spec:
          queueName: %s
          priority: %d
          podSets:
          - name: main
            count: 1
            template: {spec: {containers: [{name: c, image: busybox,
              resources: {requests: {cpu: %d}}}]}}
        """
            .formatted(name, queue, priority, cpus));
  }

  private static Workload workload(TestCluster cluster, String name) {
    return cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key(name)).orElseThrow();
  }

  private static void awaitReserved(TestCluster cluster, String... names) {
    cluster.awaitThat(
        String.join(", ", names),
        c -> Stream.of(names).allMatch(name -> TestCluster.reserved(workload(c, name))));
  }

  private static List<String> reserved(TestCluster cluster) {
    return cluster.workloads().stream()
        .filter(TestCluster::reserved)
        .map(workload -> workload.key().name())
        .toList();
  }
}
