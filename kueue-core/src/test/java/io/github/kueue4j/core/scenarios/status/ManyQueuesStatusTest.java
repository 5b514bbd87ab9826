// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Where many queues change, each one's counts are written less often, but not its condition. */
@Simulated
class ManyQueuesStatusTest {
  private static final int QUEUES = 20;

  private static final RequestMatcher WRITES =
      RequestMatcher.verbs("patch")
          .and(RequestMatcher.resource("clusterqueues"))
          .and(RequestMatcher.subresource("status"));

  @Test
  void countsWaitAndConditionsDoNot() {
    try (TestCluster cluster = new TestCluster();
        ManualTime pace = ManualTime.create()) {
      createQueues(cluster);
      cluster.startCore("", pace);
      cluster.awaitThat("all queues are active", world -> count(world, this::active) == QUEUES);
      pass(cluster, pace, 3);
      long before = cluster.server.requests().count(WRITES);

      // Twenty ClusterQueues and LocalQueues each: ten seconds from one write to the next.
      createWorkloads(cluster);
      pass(cluster, pace, 3);
      assertThat(cluster.server.requests().count(WRITES)).isEqualTo(before);

      cluster.api.patch(
          KueueTypes.CLUSTER_QUEUE,
          ObjectKey.cluster("cq-0"),
          TestCluster.merge("{\"spec\": {\"stopPolicy\": \"Hold\"}}"));
      pass(cluster, pace, 3);
      assertThat(count(cluster, this::active)).isEqualTo(QUEUES - 1);
      assertThat(cluster.server.requests().count(WRITES)).isEqualTo(before + 1);

      pass(cluster, pace, 3);
      pass(cluster, pace, 3);
      assertThat(count(cluster, this::hasOneAdmitted)).isEqualTo(QUEUES);
      assertThat(cluster.server.requests().count(WRITES)).isEqualTo(before + QUEUES);
    }
  }

  private static void pass(TestCluster cluster, ManualTime pace, int seconds) {
    cluster.settle();
    pace.advance(Duration.ofSeconds(seconds));
    cluster.settle();
  }

  private boolean active(ClusterQueue queue) {
    return Conditions.isTrue(queue.status().conditions(), "Active");
  }

  private boolean hasOneAdmitted(ClusterQueue queue) {
    return Integer.valueOf(1).equals(queue.status().admittedWorkloads());
  }

  private static long count(TestCluster cluster, Predicate<ClusterQueue> expected) {
    return cluster.api.list(KueueTypes.CLUSTER_QUEUE, ListOptions.all()).items().stream()
        .filter(expected)
        .count();
  }

  private static void createQueues(TestCluster cluster) {
    cluster.flavor("default");
    for (int i = 0; i < QUEUES; i++) {
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: cq-%1$d}
          spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],
            flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]}]}
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: lq-%1$d, namespace: %2$s}
          spec: {clusterQueue: cq-%1$d}
          """
              .formatted(i, TestCluster.NAMESPACE));
    }
  }

  private static void createWorkloads(TestCluster cluster) {
    for (int i = 0; i < QUEUES; i++) {
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: workload-%1$d, namespace: %2$s}
          spec: {queueName: lq-%1$d, podSets: [{name: main, count: 1, template: {spec: {
            containers: [{name: c, image: none, resources: {requests: {cpu: 1}}}]}}}]}
          """
              .formatted(i, TestCluster.NAMESPACE));
    }
  }
}
