// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of plain pods that are preempted or deleted, or whose Workload is. */
@Simulated
class PodGroupStopsTest {
  private static final String FAST = "kueue.x-k8s.io/pod-group-fast-admission: \"true\"";
  private static final List<String> ABC = List.of("a", "b", "c");

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

  private static Fault refusedWrites(PodsCluster cluster, String pod) {
    return cluster
        .cluster
        .server
        .faults()
        .failNext(
            100_000,
            RequestMatcher.verbs("patch", "delete")
                .and(RequestMatcher.resource("pods"))
                .and(RequestMatcher.object(TestCluster.NAMESPACE, pod))
                .and(request -> request.userAgent().contains("kueue-core")),
            403);
  }

  @Test
  @ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
  void itIsPreemptedThoughThePodBeyondItsPlacesCanNotBeDeleted() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.runningGroup();
      try (Fault refused = refusedWrites(cluster, "d")) {
        cluster.member("d", "1", 3);
        cluster.cluster.passUntil("its deletion is refused", any -> refused.hits() > 0);
        cluster.pod("high", "3", "kueue.x-k8s.io/priority-class: high", "");

        for (String name : ABC) {
          cluster.cluster.passUntil(
              name + " is deleted", any -> Health.terminating(cluster.pod(name)));
        }
        assertThat(cluster.notes("d")).noneMatch(note -> note.startsWith("Deleted"));
        ABC.forEach(cluster::removed);
        cluster.cluster.passUntil("it starts", any -> !PodsCluster.gated(cluster.pod("high")));
      }
    }
  }

  @Test
  @ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
  @ExpectedLog(logger = "UnheededStops", message = "The API server refuses the stop of a Job")
  void aPodWhoseStopIsRefusedKeepsNoOtherRunning() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      cluster.runningGroup();
      try (Fault refused = refusedWrites(cluster, "a")) {
        cluster.pod("high", "3", "kueue.x-k8s.io/priority-class: high", "");

        for (String name : List.of("b", "c")) {
          cluster.cluster.passUntil(
              name + " is deleted", any -> Health.terminating(cluster.pod(name)));
          cluster.removed(name);
        }
        cluster.cluster.passUntil(
            "it is told",
            any -> cluster.notes("a").stream().anyMatch(note -> note.contains("refuses its stop")));
        assertThat(refused.hits()).isPositive();
        assertThat(cluster.group()).get().matches(TestCluster::reserved, "a runs");
      }
      cluster.cluster.passUntil("a is deleted", any -> Health.terminating(cluster.pod("a")));
      cluster.removed("a");
      cluster.cluster.passUntil("it starts", any -> !PodsCluster.gated(cluster.pod("high")));
    }
  }
}
