// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups of plain pods that another core has started. */
@Simulated
class PodGroupTakeoversTest {
  private static final List<String> ABC = List.of("a", "b", "c");

  /** As after a migration: the Workload says that they were admitted. */
  @Test
  void thatAnotherCoreHasStartedItRunsOnAndFinishes() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.runningGroup();
      cluster.cluster.crashCore();
      for (String name : ABC) {
        cluster.cluster.api.patch(
            CoreTypes.POD,
            TestCluster.key(name),
            TestCluster.merge("{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/job-uid\": null}}}"));
      }
      cluster.startCore();

      cluster.ends("a", "Failed");
      cluster.member("d", "1", 3);
      cluster.awaitPod("d", pod -> !PodsCluster.gated(pod));
      for (String name : List.of("b", "c", "d")) {
        cluster.ends(name, "Succeeded");
      }
      cluster.awaitFinished("Succeeded");
      for (String name : List.of("a", "b", "c", "d")) {
        cluster.awaitPod(name, pod -> PodsCluster.finalizers(pod).isEmpty());
      }
    }
  }

  /** It names its pod sets otherwise, and its first pod needn't look like the others. */
  @Test
  void thatAnotherCoreComposedItRunsOnWithItsReplacements() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.runningGroup();
      Workload admitted = cluster.awaitGroup(TestCluster::admitted);
      cluster.cluster.crashCore();
      ABC.forEach(
          name ->
              cluster.patch(
                  name,
                  "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/job-uid\": null,"
                      + " \"kueue.x-k8s.io/podset\": \"foreign\"}}}"));
      cluster.replaceGroup(
          KueueJson.toJson(admitted)
              .replace(admitted.spec().podSets().getFirst().name(), "foreign")
              .replace("\"name\":\"main\"", "\"name\":\"first\"")
              .replace("\"requests\":{", "\"limits\":{\"cpu\":\"2\"},\"requests\":{"));
      cluster.startCore();
      cluster.cluster.settle();
      ABC.forEach(name -> assertThat(Health.terminating(cluster.pod(name))).as(name).isFalse());

      cluster.ends("a", "Failed");
      cluster.member("d", "1", 3);
      cluster.awaitPod("d", pod -> !PodsCluster.gated(pod));
      for (String name : List.of("b", "c", "d")) {
        cluster.ends(name, "Succeeded");
      }
      cluster.awaitFinished("Succeeded");
    }
  }

  /** As before the core knew groups: none of their pods is touched. */
  @ParameterizedTest
  @CsvSource({"apps/v1, StatefulSet, false", "v1, Pod, true"})
  void whichServesOrHasAnotherOwnerIsLeftAlone(String version, String kind, String serving) {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.runningGroup();
      Workload admitted = cluster.awaitGroup(TestCluster::admitted);
      cluster.cluster.crashCore();
      ABC.forEach(
          name ->
              cluster.patch(
                  name,
                  "{\"metadata\": {\"annotations\": {\"kueue.x-k8s.io/pod-group-serving\": \""
                      + serving
                      + "\"}}}"));
      cluster.replaceGroup(
          KueueJson.toJson(admitted)
              .replace("\"apiVersion\":\"v1\"", "\"apiVersion\":\"" + version + '"')
              .replace("\"kind\":\"Pod\"", "\"kind\":\"" + kind + '"'));
      cluster.startCore();
      cluster.member("d", "1", 3, "kueue.x-k8s.io/pod-group-serving: \"" + serving + '"');
      cluster.awaitEvent("d", "It can't be queued: ");
      cluster.cluster.settle();

      assertThat(PodsCluster.gated(cluster.pod("d"))).isTrue();
      assertThat(Health.terminating(cluster.pod("d"))).isFalse();
      ABC.forEach(name -> assertThat(Health.terminating(cluster.pod(name))).as(name).isFalse());
    }
  }
}
