// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lives of groups of plain pods; the test plays their owner, scheduler and kubelet. */
@Simulated
@PossibleLog(
    logger = "GuardedReconciler",
    message = "Reconcile failed; retrying",
    because = "the server refuses the writes of a core that is about to be killed")
class PodGroupsTest {
  private static final String FAST = "kueue.x-k8s.io/pod-group-fast-admission: \"true\"";
  private static final List<String> ABC = List.of("a", "b", "c");

  @Test
  void isQueuedWhenItIsCompleteStartedAndFinished() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.member("a", "1", 3);
      cluster.member("b", "1", 3);
      cluster.cluster.settle();
      assertThat(cluster.group()).as("one pod is missing").isEmpty();
      cluster.member("c", "1", 3);

      Workload admitted = cluster.awaitGroup(TestCluster::admitted);
      assertThat(admitted.spec().podSets()).extracting(PodSet::count).containsExactly(3);
      assertThat(admitted.metadata().getAnnotations())
          .containsEntry("kueue.x-k8s.io/is-group-workload", "true");
      assertThat(admitted.metadata().getOwnerReferences())
          .extracting(V1OwnerReference::getName)
          .containsExactlyInAnyOrderElementsOf(ABC);
      ABC.forEach(name -> cluster.awaitPod(name, pod -> !PodsCluster.gated(pod)));
      assertThat(cluster.pod("a").getSpec().getNodeSelector())
          .isEqualTo(Map.of("flavor", "default"));
      ABC.forEach(cluster::runs);
      cluster.awaitGroup(workload -> TestCluster.isTrue(workload, WorkloadConditions.PODS_READY));

      cluster.pod("single", "1");
      cluster.ends("a", "Succeeded");
      cluster.awaitPod("single", pod -> !PodsCluster.gated(pod));
      assertThat(PodsCluster.finalizers(cluster.pod("a")))
          .as("its success still counts")
          .hasSize(1);
      cluster.ends("b", "Succeeded");
      cluster.ends("c", "Succeeded");

      Workload finished =
          cluster.awaitGroup(workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
      assertThat(TestCluster.condition(finished, WorkloadConditions.FINISHED).message())
          .isEqualTo("Pods succeeded: 3/3");
      ABC.forEach(name -> cluster.awaitPod(name, pod -> PodsCluster.finalizers(pod).isEmpty()));
      cluster.member("more", "1", 3);
      cluster.awaitEvent("more", "of its group has finished; delete the group's other pods");
      cluster.delete("more");
      cluster.awaitGone("more");
      ABC.forEach(cluster::delete);
      ABC.forEach(cluster::removed);
      ABC.forEach(cluster::awaitGone);
      cluster.cluster.awaitThat("its Workload is gone", world -> world.workloads().size() == 1);
    }
  }

  /** Each role has its own pod set and places; what differs in its command only has none. */
  @Test
  void podsOfDifferentShapesAreDifferentPodSets() {
    try (PodsCluster cluster = new PodsCluster("default=5")) {
      cluster.startCore();
      cluster.member("a", "3", 3);
      cluster.member("b", "1", 3);
      cluster.member("c", "1", 3);

      Workload admitted = cluster.awaitGroup(TestCluster::admitted);
      assertThat(admitted.spec().podSets())
          .extracting(PodSet::count)
          .containsExactlyInAnyOrder(1, 2);
      ABC.forEach(name -> cluster.awaitPod(name, pod -> !PodsCluster.gated(pod)));
      assertThat(role(cluster, "b")).isEqualTo(role(cluster, "c")).isNotEqualTo(role(cluster, "a"));

      cluster.member("large", "2", 3);
      cluster.awaitEvent("large", "are those of no pod with which the group was queued");
      assertThat(PodsCluster.gated(cluster.pod("large"))).isTrue();
    }
  }

  private static String role(PodsCluster cluster, String pod) {
    return cluster.pod(pod).getMetadata().getLabels().get("kueue.x-k8s.io/podset");
  }

  @Test
  void ofTooManyPodsTheNewestIsDeleted() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      for (String name : List.of("d", "b", "c", "a")) {
        cluster.member(name, "1", 3);
        cluster.cluster.time.advance(Duration.ofSeconds(1));
      }
      cluster.startCore();

      cluster.awaitGone("a");
      for (String name : List.of("b", "c", "d")) {
        cluster.awaitPod(name, pod -> !PodsCluster.gated(pod));
      }
      cluster.member("late", "1", 3);
      cluster.awaitGone("late");
    }
  }

  @Test
  void withFastAdmissionItIsQueuedWithItsFirstPod() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.member("a", "1", 3, FAST);
      Workload admitted = cluster.awaitGroup(TestCluster::admitted);
      assertThat(admitted.spec().podSets()).extracting(PodSet::count).containsExactly(3);
      cluster.awaitPod("a", pod -> !PodsCluster.gated(pod));
      cluster.pod("single", "1");

      cluster.member("b", "1", 3, FAST);
      cluster.awaitPod("b", pod -> !PodsCluster.gated(pod));
      cluster.awaitGroup(workload -> workload.metadata().getOwnerReferences().size() == 2);
      assertThat(PodsCluster.gated(cluster.pod("single"))).as("all three have quota").isTrue();
    }
  }

  @Test
  void withFastAdmissionItDoesNotFailWithItsFirstPod() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      String last = "kueue.x-k8s.io/retriable-in-group: \"false\"";
      cluster.startCore();
      cluster.member("a", "1", 2, FAST, last);
      cluster.awaitPod("a", pod -> !PodsCluster.gated(pod));
      cluster.ends("a", "Succeeded");
      cluster.cluster.settle();
      cluster.member("b", "1", 2, FAST, last);

      cluster.awaitPod("b", pod -> !PodsCluster.gated(pod));
      cluster.ends("b", "Failed");
      cluster.awaitFinished("Failed");
    }
  }

  @Test
  void thatIsNotRetriableItHasFailedOnceNoPodIsLeft() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      ABC.forEach(
          name -> cluster.member(name, "1", 3, "kueue.x-k8s.io/retriable-in-group: \"false\""));
      ABC.forEach(name -> cluster.awaitPod(name, pod -> !PodsCluster.gated(pod)));
      ABC.forEach(cluster::runs);
      cluster.ends("a", "Failed");
      cluster.ends("b", "Succeeded");
      cluster.cluster.settle();
      assertThat(TestCluster.isTrue(cluster.group().orElseThrow(), WorkloadConditions.FINISHED))
          .isFalse();

      cluster.ends("c", "Succeeded");

      cluster.awaitFinished("Failed");
      ABC.forEach(name -> cluster.awaitPod(name, pod -> PodsCluster.finalizers(pod).isEmpty()));
    }
  }

  /** A user who takes the gate off doesn't get quota that the core didn't give. */
  @Test
  void aPodThatRunsWhileItsGroupWaitsIsStopped() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      ABC.forEach(name -> cluster.member(name, "1", 3));
      cluster.awaitGroup(workload -> true);
      cluster.cluster.settle();

      cluster.cluster.api.patch(
          CoreTypes.POD,
          TestCluster.key("b"),
          TestCluster.merge("{\"spec\": {\"schedulingGates\": null}}"));

      cluster.awaitPod("b", Health::terminating);
      assertThat(Health.terminating(cluster.pod("a"))).isFalse();
    }
  }

  /** Whatever the core had written last, the next one ends everything and strands nothing. */
  @Test
  void aCoreThatIsKilledAfterAnyWriteIsFollowedByOneThatGoesOn() {
    int kills = 0;
    for (int writes : PodsCluster.EACH) {
      try (PodsCluster cluster = new PodsCluster("default=2")) {
        cluster.killAfterEvery(writes);
        cluster.startCore();
        cluster.member("a", "1", 2);
        cluster.member("b", "1", 2);
        cluster.reachStarted("a", "b");
        cluster.runs("a");
        cluster.runs("b");
        cluster.ends("a", "Failed");
        cluster.member("c", "1", 2);
        cluster.reachStarted("c");
        cluster.reach("a is let go", () -> PodsCluster.finalizers(cluster.pod("a")).isEmpty());
        cluster.pod("high", "1", "kueue.x-k8s.io/priority-class: high", "");
        cluster.reach(
            "both are stopped",
            () -> Health.terminating(cluster.pod("b")) && Health.terminating(cluster.pod("c")));
        assertThat(PodsCluster.gated(cluster.pod("high"))).isTrue();
        cluster.removed("b");
        cluster.removed("c");
        cluster.reachStarted("high");
        cluster.member("d", "1", 2);
        cluster.member("e", "1", 2);
        cluster.reach(
            "those that were stopped are gone",
            () -> cluster.find("b").isEmpty() && cluster.find("c").isEmpty());
        cluster.member("f", "1", 2);
        cluster.reach("more than its total are deleted", () -> cluster.waiting("d", "e", "f") == 2);
        assertThat(cluster.waiting("d", "e", "f")).as("quota is for one more").isEqualTo(2);
        cluster.ends("high", "Succeeded");
        cluster.reach("two start", () -> cluster.started("d", "e", "f").size() == 2);
        List<String> last = cluster.started("d", "e", "f");
        last.forEach(name -> cluster.ends(name, "Succeeded"));
        cluster.reach(
            "they are let go",
            () ->
                last.stream()
                    .allMatch(name -> PodsCluster.finalizers(cluster.pod(name)).isEmpty()));
        assertThat(cluster.cluster.workloads())
            .hasSize(2)
            .allMatch(workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
        kills += cluster.kills();
      }
    }
    assertThat(kills).isGreaterThan(20);
  }
}
