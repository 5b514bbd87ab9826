// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** The pods can't be held again; what created them creates others, for the same Workload. */
  @Test
  void preemptedItsPodsAreDeletedAndItsWorkloadWaitsForOthers() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.runningGroup();
      String uid = Uids.of(cluster.group().orElseThrow());

      cluster.pod("high", "1", "kueue.x-k8s.io/priority-class: high", "");

      ABC.forEach(name -> cluster.awaitPod(name, Health::terminating));
      cluster.cluster.pass(Duration.ofSeconds(10));
      cluster.removed("a");
      cluster.removed("b");
      cluster.cluster.settle();
      assertThat(PodsCluster.gated(cluster.pod("high"))).as("c runs").isTrue();
      cluster.removed("c");
      cluster.awaitPod("high", pod -> !PodsCluster.gated(pod));
      cluster.runs("high");
      assertThat(PodsCluster.finalizers(cluster.pod("a"))).as("it keeps the Workload").hasSize(1);

      List<String> others = List.of("d", "e", "f");
      others.forEach(name -> cluster.member(name, "1", 3));
      ABC.forEach(cluster::awaitGone);
      cluster.cluster.settle();
      others.forEach(name -> assertThat(PodsCluster.gated(cluster.pod(name))).isTrue());
      cluster.ends("high", "Succeeded");
      others.forEach(name -> cluster.awaitPod(name, pod -> !PodsCluster.gated(pod)));
      assertThat(Uids.of(cluster.group().orElseThrow())).isEqualTo(uid);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void deletedItIsGoneWithItsWorkload(boolean running) {
    try (PodsCluster cluster = new PodsCluster(running ? "default=3" : "default=1")) {
      cluster.startCore();
      ABC.forEach(name -> cluster.member(name, "1", 3));
      cluster.awaitGroup(workload -> TestCluster.admitted(workload) == running);
      if (running) {
        ABC.forEach(name -> cluster.awaitPod(name, pod -> !PodsCluster.gated(pod)));
        ABC.forEach(cluster::runs);
      }
      cluster.cluster.settle();

      ABC.forEach(cluster::delete);
      if (running) {
        cluster.cluster.settle();
        assertThat(TestCluster.reserved(cluster.group().orElseThrow())).isTrue();
        ABC.forEach(cluster::removed);
      }

      ABC.forEach(cluster::awaitGone);
      cluster.awaitNoWorkload();
    }
  }

  /** With the Workload goes the quota; a success counted for that Workload only. */
  @Test
  void whoseWorkloadIsDeletedItIsStoppedAndQueuedAnewWithOtherPods() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.runningGroup();
      cluster.ends("a", "Succeeded");
      cluster.cluster.settle();
      String uid = Uids.of(cluster.group().orElseThrow());

      cluster.cluster.api.delete(
          KueueTypes.WORKLOAD, TestCluster.key("g"), DeleteOptions.background());

      cluster.awaitPod("b", Health::terminating);
      cluster.awaitPod("c", Health::terminating);
      cluster.cluster.settle();
      assertThat(cluster.group()).as("it keeps its quota").isPresent();
      cluster.removed("b");
      cluster.removed("c");
      cluster.awaitGone("b");
      cluster.awaitGone("c");
      cluster.awaitPod("a", pod -> PodsCluster.finalizers(pod).isEmpty());
      cluster.member("d", "1", 3);
      cluster.member("e", "1", 3);
      cluster.cluster.settle();
      assertThat(cluster.group()).as("a doesn't count").isEmpty();
      cluster.member("f", "1", 3);
      cluster.awaitGroup(workload -> !Uids.of(workload).equals(uid));
      cluster.awaitPod("f", pod -> !PodsCluster.gated(pod));
    }
  }

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

  /** It would hold quota that nothing uses. */
  @Test
  void preemptedItWaitsOutsideItsQueueUntilItsPodsAreCreated() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.runningGroup();
      cluster.pod("high", "3", "kueue.x-k8s.io/priority-class: high", "");
      ABC.forEach(name -> cluster.awaitPod(name, Health::terminating));
      ABC.forEach(cluster::removed);
      cluster.awaitPod("high", pod -> !PodsCluster.gated(pod));
      cluster.ends("high", "Succeeded");
      cluster.cluster.pass(Duration.ofMinutes(5));
      cluster.awaitGroup(
          workload ->
              TestCluster.condition(workload, WorkloadConditions.QUOTA_RESERVED)
                  .reason()
                  .equals("PodGroupIncomplete"));
      assertThat(cluster.group().filter(TestCluster::reserved)).isEmpty();
      assertThat(cluster.group().orElseThrow().metadata().getAnnotations())
          .containsEntry("kueue4j.io/awaits-pods", "true");

      cluster.member("d", "1", 3);
      cluster.member("e", "1", 3);
      cluster.cluster.settle();
      assertThat(cluster.group().filter(TestCluster::reserved)).isEmpty();
      cluster.member("f", "1", 3);
      for (String name : List.of("d", "e", "f")) {
        cluster.awaitPod(name, pod -> !PodsCluster.gated(pod));
      }
    }
  }

  /** A pod that has succeeded needs none of the quota. */
  @Test
  void preemptedAFastGroupWaitsForAPodThatWillRun() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      ABC.forEach(name -> cluster.member(name, "1", 3, FAST));
      ABC.forEach(name -> cluster.awaitPod(name, pod -> !PodsCluster.gated(pod)));
      ABC.forEach(cluster::runs);
      cluster.ends("a", "Succeeded");
      cluster.cluster.settle();
      cluster.pod("high", "3", "kueue.x-k8s.io/priority-class: high", "");
      for (String name : List.of("b", "c")) {
        cluster.awaitPod(name, Health::terminating);
        cluster.removed(name);
      }
      cluster.awaitPod("high", pod -> !PodsCluster.gated(pod));
      cluster.ends("high", "Succeeded");
      cluster.cluster.pass(Duration.ofMinutes(5));

      cluster.awaitGroup(
          workload ->
              TestCluster.condition(workload, WorkloadConditions.QUOTA_RESERVED)
                  .reason()
                  .equals("PodGroupIncomplete"));
      assertThat(cluster.group().filter(TestCluster::reserved)).isEmpty();
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
  void aPodOnALostNodeIsReplaced() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.runningGroup();
      cluster.delete("a");
      cluster.member("d", "1", 3);
      cluster.cluster.settle();
      assertThat(PodsCluster.gated(cluster.pod("d"))).isTrue();

      cluster.cluster.pass(Duration.ofMinutes(2));

      cluster.awaitPod("d", pod -> !PodsCluster.gated(pod));
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          3  | kueue.x-k8s.io/pod-group-serving: "true" | groups that serve requests are not supported
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

  /** Whatever the core had written last, the next one ends everything and strands nothing. */
  @Test
  void aCoreThatIsKilledAfterAnyWriteIsFollowedByOneThatGoesOn() {
    int kills = 0;
    boolean killed = true;
    for (int writes = 0; killed; writes++) {
      try (PodsCluster cluster = new PodsCluster("default=2")) {
        cluster.killAfter(writes);
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
        killed = cluster.wasKilled();
        kills += killed ? 1 : 0;
      }
    }
    assertThat(kills).as("writes of this life").isGreaterThan(15);
  }
}
