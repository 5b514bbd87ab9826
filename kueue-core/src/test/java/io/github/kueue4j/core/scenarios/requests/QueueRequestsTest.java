// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Counts what queues that come and go ask of the API server, which answers slowly and whose watches
 * are late: no write that the core could know to fail.
 */
@Simulated
class QueueRequestsTest {
  private static final RequestMatcher PATCHES =
      RequestMatcher.userAgent("kueue-core").and(RequestMatcher.verbs("patch"));

  private static final Duration SLOW = Duration.ofMillis(200);
  private static final List<String> QUEUES = List.of("cq-a", "cq-b");

  @Test
  void theFinalizerAndTheFirstStatusOfANewQueueFollowEachOther() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.startCore();
      cluster.settle();
      slowDown(cluster);

      createQueues(cluster);
      awaitActive(cluster);
      cluster.server.faults().clear();
      cluster.settle();

      assertThat(failures(cluster)).isEmpty();
      assertThat(patches(cluster, "clusterqueues", "")).isEqualTo(2);
      assertThat(patches(cluster, "clusterqueues", "status")).isPositive();
    }
  }

  @Test
  void theFinalizerOfADeletedQueueIsRemovedOnceAndItsStatusIsLeftAlone() {
    try (TestCluster cluster = new TestCluster()) {
      createQueues(cluster);
      cluster.startCore();
      awaitActive(cluster);
      // The interval in which a queue gets no second status is over.
      cluster.pass(Duration.ofMinutes(1));
      cluster.server.requests().reset();
      slowDown(cluster);

      delete(cluster, KueueTypes.RESOURCE_FLAVOR, "default");
      QUEUES.forEach(queue -> delete(cluster, KueueTypes.CLUSTER_QUEUE, queue));
      cluster.awaitThat(
          "queues and flavor are gone",
          world ->
              world.api.list(KueueTypes.CLUSTER_QUEUE, ListOptions.all()).items().isEmpty()
                  && world
                      .api
                      .list(KueueTypes.RESOURCE_FLAVOR, ListOptions.all())
                      .items()
                      .isEmpty());
      cluster.server.faults().clear();
      cluster.pass(Duration.ofMinutes(1));

      assertThat(failures(cluster)).isEmpty();
      assertThat(patches(cluster, "clusterqueues", "")).isEqualTo(2);
      assertThat(patches(cluster, "clusterqueues", "status")).isZero();
      assertThat(patches(cluster, "resourceflavors", "")).isEqualTo(1);
    }
  }

  @Test
  void theFinalizerOfADeletedWorkloadIsRemovedOnce() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::admitted);
      cluster.awaitSuspended("job", false);
      cluster.settle();
      cluster.server.requests().reset();
      slowDown(cluster);

      delete(cluster, CoreTypes.JOB, TestCluster.key("job"));
      cluster.awaitThat("its Workload is gone", world -> world.workloads().isEmpty());
      cluster.server.faults().clear();
      cluster.settle();

      assertThat(patches(cluster, "workloads", "")).isEqualTo(1);
    }
  }

  private static void slowDown(TestCluster cluster) {
    cluster.server.faults().delay(PATCHES, SLOW);
    cluster.server.faults().delayEvents(RequestMatcher.everything(), SLOW);
  }

  private static void createQueues(TestCluster cluster) {
    cluster.flavor("default");
    for (String queue : QUEUES) {
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: %s}
          spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],
            flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]}]}
          """
              .formatted(queue));
    }
  }

  /** A status from before the flavor was seen is followed by the next after its interval. */
  private static void awaitActive(TestCluster cluster) {
    cluster.passUntil(
        "the queues are active and have finalizers",
        world ->
            world.api.list(KueueTypes.CLUSTER_QUEUE, ListOptions.all()).items().stream()
                .allMatch(
                    queue ->
                        Conditions.isTrue(queue.status().conditions(), "Active")
                            && queue.metadata().getFinalizers() != null));
  }

  private static <T extends KubernetesObject> void delete(
      TestCluster cluster, ResourceType<T> type, String name) {
    delete(cluster, type, ObjectKey.cluster(name));
  }

  private static <T extends KubernetesObject> void delete(
      TestCluster cluster, ResourceType<T> type, ObjectKey key) {
    cluster.api.delete(type, key, DeleteOptions.background());
  }

  private static long patches(TestCluster cluster, String resource, String subresource) {
    return cluster
        .server
        .requests()
        .count(
            PATCHES
                .and(RequestMatcher.resource(resource))
                .and(request -> Objects.equals(request.subresource(), subresource)));
  }

  private static List<String> failures(TestCluster cluster) {
    List<String> failures = new ArrayList<>();
    cluster
        .server
        .requests()
        .forEach(
            (series, count) -> {
              if (series.request().userAgent().contains("kueue-core") && series.code() >= 400) {
                failures.add(count + " " + series);
              }
            });
    return failures;
  }
}
