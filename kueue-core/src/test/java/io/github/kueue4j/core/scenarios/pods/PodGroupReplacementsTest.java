// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pods of a group that fail or are deleted, and others that take their places. */
@ExpectedLog(
    logger = "StoppedPods",
    message = "Released quota although pods on lost nodes may still run")
@Simulated
class PodGroupReplacementsTest {
  private static final List<String> ABC = List.of("a", "b", "c");

  /** A pod keeps its place until it has ended, so that no more run than were admitted. */
  @Test
  void whatFailedOrWasDeletedIsReplacedByAnotherOfItsRole() {
    try (PodsCluster cluster = new PodsCluster("default=10")) {
      cluster.startCore();
      cluster.runningGroup();

      cluster.ends("a", "Failed");
      cluster.member("d", "1", 3);
      cluster.awaitPod("d", pod -> !PodsCluster.gated(pod));
      cluster.awaitPod("a", pod -> PodsCluster.finalizers(pod).isEmpty());

      cluster.delete("b");
      cluster.cluster.settle();
      cluster.member("e", "1", 3);
      cluster.cluster.settle();
      assertThat(PodsCluster.gated(cluster.pod("e"))).as("b still runs").isTrue();
      cluster.removed("b");
      cluster.awaitPod("e", pod -> !PodsCluster.gated(pod));
      cluster.awaitGone("b");

      for (String name : List.of("c", "d", "e")) {
        cluster.ends(name, "Succeeded");
      }
      cluster.awaitFinished("Succeeded");
    }
  }

  /** Nor by its annotation does a pod get quota that its group hasn't. */
  @Test
  void aPodThatIsLargerThanItsRoleDoesNotStart() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      cluster.member("a", "1", 2, "kueue.x-k8s.io/role-hash: same");
      cluster.member("b", "1", 2, "kueue.x-k8s.io/role-hash: same");
      cluster.awaitPod("a", pod -> !PodsCluster.gated(pod));
      cluster.awaitPod("b", pod -> !PodsCluster.gated(pod));
      cluster.ends("b", "Failed");

      cluster.member("c", "2", 2, "kueue.x-k8s.io/role-hash: same");
      cluster.awaitEvent("c", "it requests other resources than its role same was queued with");
      assertThat(PodsCluster.gated(cluster.pod("c"))).isTrue();
      cluster.member("d", "1", 2, "kueue.x-k8s.io/role-hash: same");
      cluster.awaitPod("d", pod -> !PodsCluster.gated(pod));
    }
  }

  @Test
  void aReplacementThatCantStartIsToldAndEndsNoOther() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      ABC.forEach(name -> cluster.member(name, "1", 3, "kueue.x-k8s.io/role-hash: same"));
      ABC.forEach(name -> cluster.awaitPod(name, pod -> !PodsCluster.gated(pod)));
      ABC.forEach(cluster::runs);
      cluster.delete("a");
      cluster.member("d", "1", 3, "kueue.x-k8s.io/role-hash: same");
      cluster.patch("d", "{\"spec\": {\"nodeSelector\": {\"flavor\": \"other\"}}}");
      cluster.removed("a");

      cluster.awaitEvent("d", "it can't be started");
      cluster.cluster.settle();
      assertThat(TestCluster.isTrue(cluster.group().orElseThrow(), WorkloadConditions.FINISHED))
          .isFalse();
      assertThat(Health.terminating(cluster.pod("b"))).isFalse();
      cluster.delete("d");
      cluster.member("e", "1", 3, "kueue.x-k8s.io/role-hash: same");
      cluster.awaitPod("e", pod -> !PodsCluster.gated(pod));
    }
  }

  /** Its node is lost, so that no kubelet will tell the end of the pod. */
  @Test
  void aPodOnALostNodeIsReplacedAndToldOnce() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.runningGroup();
      cluster.delete("a");
      cluster.delete("b");
      cluster.member("d", "1", 3);
      cluster.cluster.settle();
      assertThat(PodsCluster.gated(cluster.pod("d"))).isTrue();

      cluster.cluster.pass(Duration.ofMinutes(2));

      cluster.awaitPod("d", pod -> !PodsCluster.gated(pod));
      cluster.member("e", "1", 3);
      cluster.awaitPod("e", pod -> !PodsCluster.gated(pod));
      cluster.cluster.pass(Duration.ofMinutes(20));
      assertThat(
              cluster.cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
                  .filter(event -> "QuotaReleasedOfLostPods".equals(event.getReason()))
                  .toList())
          .singleElement()
          .satisfies(event -> assertThat(event.getSeries()).isNull())
          .satisfies(event -> assertThat(event.getNote()).contains("2 pods: 2 on node n"));
    }
  }

  /** The core has stopped only one of them. */
  @Test
  void whoseOtherPodsAreDeletedItGivesItsQuotaBack() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.runningGroup();
      cluster.patch(
          "c",
          "{\"spec\": {\"containers\": [{\"name\": \"main\", \"image\": \"busybox\","
              + " \"resources\": {\"requests\": {\"cpu\": \"2\"}}}]}}");
      cluster.awaitPod("c", Health::terminating);
      cluster.removed("c");
      cluster.delete("a");
      cluster.delete("b");
      cluster.removed("a");
      cluster.removed("b");

      ABC.forEach(cluster::awaitGone);
      cluster.awaitNoWorkload();
    }
  }
}
