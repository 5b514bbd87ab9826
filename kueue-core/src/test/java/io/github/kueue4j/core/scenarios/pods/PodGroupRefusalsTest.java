// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups of plain pods that can't be queued. */
@Simulated
class PodGroupRefusalsTest {
  private static final List<String> ABC = List.of("a", "b", "c");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          3  | kueue.x-k8s.io/pod-group-serving: "true" | groups that serve requests are those of StatefulSets and LeaderWorkerSets only
          x  | a: b | metadata.annotations[kueue.x-k8s.io/pod-group-total-count] is "x": it has to be the number
          5001 | a: b | is "5001": it has to be the number of pods of the group, at most 5000
          3  | kueue.x-k8s.io/pod-group-role: x | is for groups that serve requests or have a topology
          2  | a: b | is "2", but "3" for pod a of the same group; create it anew with the same
          3  | kueue.x-k8s.io/role-hash: same | which requests other resources
          """)
  void whatCantBeQueuedTogetherIsHeldAndTold(String total, String annotation, String event) {
    try (PodsCluster cluster = new PodsCluster("default=9")) {
      cluster.startCore();
      cluster.member("a", "1", "3", "kueue.x-k8s.io/role-hash: same");
      cluster.cluster.time.advance(Duration.ofSeconds(1));
      cluster.member("b", "1", "3", "kueue.x-k8s.io/role-hash: same");
      cluster.cluster.time.advance(Duration.ofSeconds(1));

      cluster.member("c", "2", total, annotation);

      cluster.awaitEvent("c", event);
      cluster.cluster.settle();
      assertThat(cluster.cluster.workloads()).isEmpty();
      ABC.forEach(name -> assertThat(PodsCluster.gated(cluster.pod(name))).isTrue());
      ABC.forEach(cluster::delete);
      ABC.forEach(cluster::awaitGone);
    }
  }

  @Test
  void whoseNameIsTakenItIsHeldAndTold() {
    try (PodsCluster cluster = new PodsCluster("default=9")) {
      cluster.startCore();
      cluster.pod("single", "1");
      String taken = cluster.workloadKey("single").name();
      cluster.awaitWorkload("single", TestCluster::admitted);

      cluster.pod(
          "a",
          "1",
          "kueue.x-k8s.io/pod-group-name: " + taken,
          "annotations: {kueue.x-k8s.io/pod-group-total-count: \"1\"}");

      cluster.awaitEvent("a", "has another owner; give the group another name");
      assertThat(PodsCluster.gated(cluster.pod("a"))).isTrue();
      assertThat(Health.terminating(cluster.pod("single"))).isFalse();
      cluster.delete("a");
      cluster.awaitGone("a");
    }
  }
}
