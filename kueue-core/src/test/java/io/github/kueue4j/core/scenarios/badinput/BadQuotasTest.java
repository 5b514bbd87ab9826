// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nonsensical quotas and requests: each is counted or refused, and all others go on. */
@Simulated
class BadQuotasTest {
  private final TestCluster cluster = new TestCluster();

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void aQuotaBeyondAllNumbersIsMoreThanAnyRequest() {
    cluster.flavor("default");
    for (String queue : new String[] {"huge", "cq"}) {
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: %s}
          spec: {namespaceSelector: {}, cohortName: pool, resourceGroups: [{coveredResources: [cpu],
            flavors: [{name: default, resources: [{name: cpu, nominalQuota: '1e18',
              borrowingLimit: '1e18', lendingLimit: '1e18'}]}]}]}
          """
              .formatted(queue));
    }
    localQueue();
    cluster.startCore();
    job("sane", "3");
    job("mad", "'1e18'");
    job("tiny", "'0.0000001'");

    cluster.awaitWorkload("sane", TestCluster::admitted);
    cluster.awaitWorkload("mad", TestCluster::admitted);
    cluster.awaitWorkload("tiny", TestCluster::admitted);
    assertThat(
            cluster
                .workload("tiny")
                .status()
                .admission()
                .podSetAssignments()
                .getFirst()
                .resourceUsage())
        .containsEntry("cpu", Quantity.ofMilli(1));
  }

  @Test
  void sixteenResourceGroupsAreSearchedAndAnUnknownResourceIsNamed() {
    cluster.flavor("default");
    String groups =
        IntStream.range(0, 16)
            .mapToObj(
                group ->
                    "{coveredResources: [example.com/r%1$d], flavors: [{name: f%1$d, resources: [{name: example.com/r%1$d, nominalQuota: 1}]}]}"
                        .formatted(group))
            .collect(Collectors.joining(", "));
    IntStream.range(0, 16).forEach(group -> cluster.flavor("f" + group));
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq}
        spec: {namespaceSelector: {}, resourceGroups: [%s]}
        """
            .formatted(groups));
    localQueue();
    cluster.startCore();
    String all =
        IntStream.range(0, 16)
            .mapToObj(group -> "example.com/r" + group + ": 1")
            .collect(Collectors.joining(", "));
    requests("all", all);
    requests("unknown", "example.com/r0: 0, example.com/r16: 1");

    cluster.awaitWorkload("all", TestCluster::admitted);
    cluster.passUntil(
        "it is refused",
        world ->
            world.workload("unknown").status().conditions().stream()
                .anyMatch(condition -> condition.reason().equals("NoMatchingFlavor")));
    Condition refused =
        TestCluster.condition(cluster.workload("unknown"), WorkloadConditions.QUOTA_RESERVED);
    assertThat(refused.message())
        .isEqualTo(
            "couldn't assign flavors to pod set main: resource example.com/r16 unavailable in"
                + " ClusterQueue");
    ClusterQueue queue =
        cluster.api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq")).orElseThrow();
    assertThat(queue.spec().resourceGroups()).hasSize(16);
  }

  @Test
  void aFlavorThatGoesWhileItIsInUseStopsItsQueueAndNothingThatRuns() {
    cluster.queue("", "default=2");
    cluster.flavor("other");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: bystanders}
        spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [
          {name: other, resources: [{name: cpu, nominalQuota: 2}]}]}]}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: bystanders, namespace: team}
        spec: {clusterQueue: bystanders}
        """);
    cluster.startCore();
    job("running", "1");
    cluster.awaitWorkload("running", TestCluster::admitted);
    cluster.settle();

    // An administrator deletes it and removes the finalizer that protects a flavor in use.
    ObjectKey flavor = ObjectKey.cluster("default");
    cluster.api.delete(KueueTypes.RESOURCE_FLAVOR, flavor, DeleteOptions.background());
    cluster.api.patch(
        KueueTypes.RESOURCE_FLAVOR,
        flavor,
        TestCluster.merge("{\"metadata\": {\"finalizers\": []}}"));

    cluster.passUntil(
        "the queue says what is missing",
        world ->
            Conditions.find(world.clusterQueue().status().conditions(), "Active")
                .filter(active -> active.reason().equals("FlavorNotFound"))
                .filter(active -> active.message().contains("default"))
                .isPresent());
    // Not before: a Job that arrives before the core has heard of it may still get the flavor.
    job("waiting", "1");
    cluster.settle();
    assertThat(TestCluster.admitted(cluster.workload("running"))).isTrue();
    assertThat(TestCluster.reserved(cluster.workload("waiting"))).isFalse();
    in("bystanders", "bystander", "cpu: 1");
    cluster.awaitWorkload("bystander", TestCluster::admitted);

    cluster.flavor("default");
    cluster.awaitWorkload("waiting", TestCluster::admitted);
  }

  @Test
  void aNamespaceThatStopsMatchingKeepsWhatRunsAndGetsNothingMore() {
    cluster.flavor("default");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq}
        spec: {namespaceSelector: {matchLabels: {batch: allowed}}, resourceGroups: [
          {coveredResources: [cpu], flavors: [
            {name: default, resources: [{name: cpu, nominalQuota: 4}]}]}]}
        """);
    localQueue();
    label("allowed");
    cluster.startCore();
    job("running", "1");
    cluster.awaitWorkload("running", TestCluster::admitted);

    label("forbidden");
    cluster.settle();
    job("late", "1");

    cluster.passUntil(
        "it is refused",
        world ->
            world.workload("late").status().conditions().stream()
                .anyMatch(condition -> condition.reason().equals("Misconfigured")));
    assertThat(
            TestCluster.condition(cluster.workload("late"), WorkloadConditions.QUOTA_RESERVED)
                .message())
        .isEqualTo("workload namespace doesn't match ClusterQueue selector");
    assertThat(TestCluster.admitted(cluster.workload("running"))).isTrue();

    label("allowed");
    cluster.awaitWorkload("late", TestCluster::admitted);
  }

  private void label(String value) {
    cluster.api.patch(
        CoreTypes.NAMESPACE,
        ObjectKey.cluster(TestCluster.NAMESPACE),
        TestCluster.merge("{\"metadata\": {\"labels\": {\"batch\": \"" + value + "\"}}}"));
  }

  private void localQueue() {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: lq, namespace: team}
        spec: {clusterQueue: cq}
        """);
  }

  private void job(String name, String cpu) {
    requests(name, "cpu: " + cpu);
  }

  private void requests(String name, String requests) {
    in("lq", name, requests);
  }

  private void in(String queue, String name, String requests) {
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: team, labels: {kueue.x-k8s.io/queue-name: %s}}
        spec:
          suspend: true
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {%s}}}]}
        """
            .formatted(name, queue, requests));
  }
}
