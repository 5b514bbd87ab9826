// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A life of a plain pod; the test plays its scheduler and kubelet. */
@Simulated
@PossibleLog(
    logger = "GuardedReconciler",
    message = "Reconcile failed; retrying",
    because = "the server refuses the writes of a core that is about to be killed")
class PlainPodsTest {
  @Test
  void isQueuedStartedAndFinished() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      cluster.pod("a", "1");
      Workload admitted = cluster.awaitWorkload("a", TestCluster::admitted);

      assertThat(admitted.spec().podSets())
          .singleElement()
          .satisfies(
              podSet -> {
                assertThat(podSet.name()).isEqualTo("main");
                assertThat(podSet.count()).isEqualTo(1);
                assertThat(podSet.template().getSpec().getSchedulingGates()).isNullOrEmpty();
              });
      V1Pod started = cluster.awaitPod("a", pod -> !PodsCluster.gated(pod));
      assertThat(started.getSpec().getNodeSelector()).isEqualTo(Map.of("flavor", "default"));
      assertThat(started.getMetadata().getLabels())
          .containsEntry("kueue.x-k8s.io/job-uid", started.getMetadata().getUid())
          .containsEntry("kueue.x-k8s.io/cluster-queue-name", "cq");
      assertThat(cluster.patches()).as("one write starts it").isEqualTo(1);

      cluster.pod("b", "1");
      cluster.runs("a");
      cluster.awaitWorkload(
          "a", workload -> TestCluster.isTrue(workload, WorkloadConditions.PODS_READY));
      assertThat(PodsCluster.gated(cluster.pod("b"))).as("waits for quota").isTrue();

      cluster.ends("a", "Succeeded");
      Workload finished =
          cluster.awaitWorkload(
              "a", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
      assertThat(TestCluster.condition(finished, WorkloadConditions.FINISHED).reason())
          .isEqualTo("Succeeded");
      cluster.awaitPod("a", pod -> PodsCluster.finalizers(pod).isEmpty());
      cluster.awaitPod("b", pod -> !PodsCluster.gated(pod));
      assertThat(PodsCluster.finalizers(cluster.pod("b")))
          .isEqualTo(List.of("kueue.x-k8s.io/managed"));
    }
  }

  @Test
  void deletedWhileItWaitsItIsGoneWithItsWorkload() {
    try (PodsCluster cluster = new PodsCluster("default=0")) {
      cluster.startCore();
      cluster.pod("a", "1");
      cluster.awaitWorkload("a", workload -> true);
      cluster.cluster.settle();

      cluster.delete("a");

      cluster.awaitGone("a");
      cluster.awaitNoWorkload();
    }
  }

  /** As without the core: the kubelet takes its time, and then the pod is gone. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void deletedWhileItRunsItKeepsItsQuotaUntilItHasEnded(boolean phaseIsTold) {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      cluster.running("a");
      cluster.pod("b", "1");

      cluster.delete("a");
      cluster.cluster.pass(Duration.ofSeconds(10));
      assertThat(PodsCluster.gated(cluster.pod("b"))).isTrue();
      if (phaseIsTold) {
        cluster.ends("a", "Failed");
        cluster.awaitPod("b", pod -> !PodsCluster.gated(pod));
      }
      cluster.removed("a");

      cluster.awaitGone("a");
      cluster.awaitPod("b", pod -> !PodsCluster.gated(pod));
      cluster.cluster.awaitThat("its Workload is gone", world -> world.workloads().size() == 1);
    }
  }

  /** A pod can't be held again, so that it is deleted; what created it creates another one. */
  @Test
  void preemptedItIsDeletedAndItsWorkloadNeverQueuedAgain() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      cluster.running("a");
      ObjectKey workload = cluster.workloadKey("a");

      cluster.pod("b", "1", "kueue.x-k8s.io/priority-class: high", "");

      V1Pod stopped = cluster.awaitPod("a", pod -> Health.terminating(pod));
      assertThat(stopped.getStatus().getConditions())
          .anySatisfy(
              condition -> {
                assertThat(condition.getType()).isEqualTo("TerminationTarget");
                assertThat(condition.getStatus()).isEqualTo("True");
              });
      cluster.cluster.pass(Duration.ofSeconds(10));
      assertThat(PodsCluster.gated(cluster.pod("b"))).as("its quota is in use").isTrue();
      cluster.ends("a", "Failed");
      cluster.awaitPod("b", pod -> !PodsCluster.gated(pod));
      Workload finished = cluster.cluster.api.get(KueueTypes.WORKLOAD, workload).orElseThrow();
      assertThat(TestCluster.condition(finished, WorkloadConditions.FINISHED).reason())
          .isEqualTo("Failed");
      assertThat(TestCluster.condition(finished, WorkloadConditions.EVICTED).reason())
          .isEqualTo("Preempted");

      cluster.removed("a");
      cluster.awaitGone("a");
      cluster.cluster.awaitThat("its Workload is gone", world -> world.workloads().size() == 1);
    }
  }

  /** It may take its time to end: that is no sign of a stop that isn't heeded. */
  @Test
  void aLongGracePeriodIsNoAlarm() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.cluster.apply(
          """
          apiVersion: v1
          kind: Node
          metadata: {name: n}
          status: {conditions: [{type: Ready, status: "True"}]}
          """);
      cluster.startCore();
      cluster.running("a");
      cluster.pod("b", "1", "kueue.x-k8s.io/priority-class: high", "");
      cluster.awaitPod("a", pod -> Health.terminating(pod));

      cluster.cluster.pass(Duration.ofMinutes(5));
      cluster.cluster.pass(Duration.ofMinutes(5));

      assertThat(cluster.waits("b")).as("its quota is in use").isTrue();
      assertThat(cluster.cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items())
          .extracting(event -> String.valueOf(event.getReason()))
          .contains("QuotaKept")
          .doesNotContain("SuspensionUnheeded");
    }
  }

  /** The pod of a node that is lost stays until an administrator or the cloud removes the node. */
  @Test
  @ExpectedLog(logger = "StoppedPods", message = "Released quota although pods on lost nodes")
  void onALostNodeItGivesItsQuotaBackAfterATime() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      cluster.running("a");
      cluster.pod("b", "1");
      cluster.delete("a");

      cluster.cluster.passUntil("b runs", world -> !PodsCluster.gated(cluster.pod("b")));

      assertThat(cluster.find("a")).isPresent();
    }
  }

  @Test
  void aCheckDelaysItAndSendsItToItsNodes() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.cluster.check("budget");
      cluster.cluster.queue(
          "admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.pod("a", "1");
      String workload = cluster.awaitWorkload("a", TestCluster::reserved).metadata().getName();
      assertThat(PodsCluster.gated(cluster.pod("a"))).isTrue();
      cluster.cluster.answerBare(workload, "budget", CheckState.RETRY, 600);
      cluster.awaitWorkload("a", found -> !TestCluster.reserved(found));
      cluster.cluster.pass(Duration.ofSeconds(595));
      assertThat(PodsCluster.gated(cluster.pod("a"))).isTrue();
      cluster.cluster.pass(Duration.ofSeconds(6));
      cluster.awaitWorkload("a", TestCluster::reserved);

      cluster.ready(
          "a",
          new PodSetUpdate(
              "main",
              Map.of("l", "1"),
              Map.of("a", "2"),
              Map.of("zone", "z"),
              List.of(new V1Toleration().key("spot").operator("Exists"))));

      V1Pod started = cluster.awaitPod("a", pod -> !PodsCluster.gated(pod));
      assertThat(started.getSpec().getNodeSelector())
          .isEqualTo(Map.of("flavor", "default", "zone", "z"));
      assertThat(started.getMetadata().getLabels()).containsEntry("l", "1");
      assertThat(started.getMetadata().getAnnotations()).containsEntry("a", "2");
      assertThat(started.getSpec().getTolerations())
          .extracting(V1Toleration::getKey)
          .contains("spot");
    }
  }

  /** What the webhook didn't take isn't touched, whatever its labels say. */
  @Test
  void aPodWithoutTheFinalizerIsLeftAlone() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.cluster.apply(
          """
          apiVersion: v1
          kind: Pod
          metadata:
            name: a
            namespace: team
            labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/managed: "true"}
          spec: {nodeName: n, containers: [{name: main, image: busybox}]}
          """);
      cluster.startCore();
      cluster.running("b");

      cluster.cluster.settle();
      assertThat(cluster.cluster.workloads()).as("of b").hasSize(1);
      assertThat(Health.terminating(cluster.pod("a"))).isFalse();
    }
  }

  /** As pods of another implementation's groups, and those whose Workloads went with it. */
  @ParameterizedTest
  @ValueSource(strings = {"kueue.x-k8s.io/pod-group-name: g", "another: label"})
  void whatAnotherCoreLetRunIsLeftAlone(String label) {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.cluster.apply(
          """
          apiVersion: v1
          kind: Pod
          metadata:
            name: a
            namespace: team
            labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/managed: "true", %s}
            finalizers: [kueue.x-k8s.io/managed]
          spec: {nodeName: n, containers: [{name: main, image: busybox}]}
          """
              .formatted(label));
      cluster.startCore();
      cluster.running("b");

      cluster.cluster.settle();
      assertThat(cluster.cluster.workloads()).as("of b").hasSize(1);
      assertThat(Health.terminating(cluster.pod("a"))).isFalse();
      cluster.delete("a");
      cluster.removed("a");
      cluster.awaitGone("a");
    }
  }

  /** A new leader's cache of Workloads may be behind that of pods; what runs can't be resumed. */
  @Test
  void itRunsOnWhileTheCacheLacksItsWorkload() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      cluster.pod("a", "1", "kueue.x-k8s.io/prebuilt-workload-name: built", "");
      cluster.cluster.settle();
      cluster.cluster.silence("workloads");
      cluster.cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: built, namespace: team}
          spec: {queueName: lq, podSets: [{name: main, count: 1, template: {spec: {
            restartPolicy: Never, containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}}]}
          """);

      cluster.patch(
          "a",
          "{metadata: {labels: {'kueue.x-k8s.io/job-uid': %s}}, spec: {schedulingGates: []}}"
              .formatted(Uids.of(cluster.pod("a"))));
      cluster.runs("a");
      cluster.cluster.settle();

      assertThat(Health.terminating(cluster.pod("a"))).isFalse();
    }
  }

  /** The Workload that both name is the first one's. */
  @Test
  void aSecondPodOfAPrebuiltWorkloadIsNotStranded() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      cluster.running("a");
      String workload = cluster.workloadKey("a").name();
      cluster.pod("b", "1", "kueue.x-k8s.io/prebuilt-workload-name: " + workload, "");
      cluster.cluster.settle();
      assertThat(PodsCluster.gated(cluster.pod("b"))).isTrue();

      cluster.delete("b");

      cluster.awaitGone("b");
      assertThat(Health.terminating(cluster.pod("a"))).isFalse();
    }
  }

  @Test
  void withoutTheFrameworkNoPodIsTouched() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.pod("a", "1");
      V1Pod before = cluster.pod("a");
      cluster.cluster.startCore();
      cluster.cluster.job("job", 1);
      cluster.cluster.awaitWorkload("job", TestCluster::admitted);

      cluster.cluster.settle();
      assertThat(cluster.pod("a")).isEqualTo(before);
      assertThat(cluster.cluster.workloads()).as("of the Job").hasSize(1);
    }
  }

  /** With the Workload goes the quota, so that the pod has to end first. */
  @Test
  void whoseWorkloadIsDeletedItIsStopped() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      cluster.running("a");
      ObjectKey workload = cluster.workloadKey("a");

      cluster.cluster.api.delete(KueueTypes.WORKLOAD, workload, DeleteOptions.background());

      cluster.awaitPod("a", pod -> Health.terminating(pod));
      cluster.cluster.settle();
      assertThat(cluster.cluster.workloads()).as("it keeps its quota").hasSize(1);
      cluster.removed("a");
      cluster.awaitGone("a");
      cluster.awaitNoWorkload();
    }
  }

  /** Whatever the core had written last, the next one ends everything and strands nothing. */
  @Test
  void aCoreThatIsKilledAfterAnyWriteIsFollowedByOneThatGoesOn() {
    int kills = 0;
    for (int writes : PodsCluster.FIRST) {
      try (PodsCluster cluster = new PodsCluster("default=1")) {
        cluster.killAfterEvery(writes);
        cluster.startCore();
        cluster.pod("a", "1");
        cluster.reach("a starts", () -> !PodsCluster.gated(cluster.pod("a")));
        cluster.runs("a");
        cluster.pod("c", "1");
        cluster.pod("b", "1", "kueue.x-k8s.io/priority-class: high", "");
        cluster.reach("a is stopped", () -> Health.terminating(cluster.pod("a")));
        cluster.removed("a");
        cluster.reach("a is gone", () -> cluster.find("a").isEmpty());
        cluster.reach("b starts", () -> !PodsCluster.gated(cluster.pod("b")));
        cluster.runs("b");
        assertThat(PodsCluster.gated(cluster.pod("c"))).as("quota is for one").isTrue();
        cluster.delete("c");
        cluster.reach("c is gone", () -> cluster.find("c").isEmpty());
        cluster.ends("b", "Succeeded");
        cluster.reach("b is let go", () -> PodsCluster.finalizers(cluster.pod("b")).isEmpty());
        cluster.reach("one Workload is left", () -> cluster.cluster.workloads().size() == 1);
        assertThat(cluster.cluster.workloads())
            .allMatch(workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
        kills += cluster.kills();
      }
    }
    assertThat(kills).isGreaterThan(13);
  }
}
