// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.bare;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Workload without owner counts as stopped: evicting it releases its quota. */
@Tag("quick")
@Simulated
class BareWorkloadTest {
  @Test
  void evictionAfterAdmissionReleasesTheQuota() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: bare, namespace: team}
          spec:
            queueName: lq
            podSets:
            - name: main
              count: 1
              template: {spec: {containers: [{name: c, image: busybox,
                resources: {requests: {cpu: 1}}}]}}
          """);
      await(cluster, TestCluster::reserved);
      cluster.answerBare("bare", "budget", CheckState.READY, null);
      await(cluster, TestCluster::admitted);

      cluster.answerBare("bare", "budget", CheckState.RETRY, 60);

      Workload released = await(cluster, workload -> !TestCluster.reserved(workload));
      assertThat(TestCluster.isTrue(released, WorkloadConditions.ADMITTED)).isFalse();
      assertThat(released.status().admission()).isNull();
    }
  }

  /** Without a reason in its status a user can't see what it waits for. */
  @Test
  void oneWithoutQueueOrCreatedInactiveSaysWhyItWaits() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      bare(cluster, "active: true");
      cluster.pass(Duration.ofSeconds(2));

      assertThat(notReserved(await(cluster, workload -> says(workload, "Misconfigured"))).message())
          .contains("names no LocalQueue");

      cluster.api.patch(
          KueueTypes.WORKLOAD,
          TestCluster.key("bare"),
          TestCluster.merge("{\"spec\": {\"queueName\": \"lq\"}}"));
      await(cluster, TestCluster::admitted);
    }
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      bare(cluster, "active: false, queueName: lq");

      assertThat(notReserved(await(cluster, workload -> says(workload, "Deactivated"))).message())
          .isEqualTo("The workload is deactivated");
    }
  }

  private static void bare(TestCluster cluster, String spec) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: bare, namespace: team}
        spec: {%s, podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c,
          image: busybox, resources: {requests: {cpu: 1}}}]}}}]}
        """
            .formatted(spec));
  }

  private static boolean says(Workload workload, String reason) {
    return workload.conditions().notReserved().filter(c -> c.reason().equals(reason)).isPresent();
  }

  private static Condition notReserved(Workload workload) {
    return workload.conditions().notReserved().orElseThrow();
  }

  private static Workload await(TestCluster cluster, Predicate<Workload> expected) {
    return Awaitility.await()
        .until(
            () -> cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key("bare")).orElseThrow(),
            expected);
  }
}
