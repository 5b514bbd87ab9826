// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs fill the first flavor, then the second; one that fits in neither waits and says why. */
@Tag("quick")
@Simulated
class TwoFlavorsTest {
  @Test
  void jobsRunOnTheFlavorThatHasRoom() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "reserved=4", "spot=2");
      cluster.startCore();
      cluster.job("first", 4);
      Workload first = cluster.awaitWorkload("first", TestCluster::admitted);
      cluster.job("second", 2);
      cluster.awaitWorkload("second", TestCluster::admitted);
      cluster.job("third", 2);

      cluster.awaitSuspended("first", false);
      cluster.awaitSuspended("second", false);
      assertThat(nodeSelector(cluster.job("first"))).isEqualTo(Map.of("flavor", "reserved"));
      assertThat(nodeSelector(cluster.job("second"))).isEqualTo(Map.of("flavor", "spot"));
      assertThat(cluster.job("first").getSpec().getTemplate().getMetadata().getLabels())
          .containsEntry("kueue.x-k8s.io/podset", "main")
          .containsEntry("kueue.x-k8s.io/local-queue-name", "lq")
          .containsEntry("kueue.x-k8s.io/cluster-queue-name", "cq");
      assertThat(first.metadata().getOwnerReferences())
          .singleElement()
          .satisfies(
              owner -> {
                assertThat(owner.getName()).isEqualTo("first");
                assertThat(owner.getController()).isTrue();
              });

      cluster.awaitWorkload("third", workload -> true);
      cluster.settle();
      cluster.pass(Duration.ofSeconds(1));
      Workload third =
          cluster.awaitWorkload("third", workload -> !workload.status().conditions().isEmpty());
      assertThat(TestCluster.condition(third, WorkloadConditions.QUOTA_RESERVED))
          .satisfies(
              condition -> {
                assertThat(condition.isFalse()).isTrue();
                assertThat(condition.reason()).isEqualTo("WaitingForQuota");
                assertThat(condition.message())
                    .isEqualTo(
                        "couldn't assign flavors to pod set main: insufficient unused quota for"
                            + " cpu in flavor reserved, 2 more needed, insufficient unused quota"
                            + " for cpu in flavor spot, 2 more needed");
              });

      cluster.jobSucceeds("first");
      cluster.awaitWorkload("third", TestCluster::admitted);
      cluster.awaitSuspended("third", false);
      assertThat(nodeSelector(cluster.job("third"))).isEqualTo(Map.of("flavor", "reserved"));
      Workload finished =
          cluster.awaitWorkload(
              "first",
              workload ->
                  TestCluster.isTrue(workload, WorkloadConditions.FINISHED)
                      && Objects.requireNonNullElse(workload.metadata().getFinalizers(), List.of())
                          .isEmpty());
      assertThat(TestCluster.condition(finished, WorkloadConditions.FINISHED).reason())
          .isEqualTo("Succeeded");

      cluster.delete("first");
      cluster.awaitThat(
          "the Workload goes with its Job",
          world ->
              world.workloads().stream()
                  .noneMatch(w -> ObjectKey.of(w).equals(ObjectKey.of(finished))));
    }
  }

  private static Map<String, String> nodeSelector(V1Job job) {
    V1PodSpec pod =
        Objects.requireNonNull(Objects.requireNonNull(job.getSpec()).getTemplate().getSpec());
    return Objects.requireNonNullElse(pod.getNodeSelector(), Map.of());
  }
}
