// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lives of StatefulSets, whose pods are one group with one Workload. */
@Simulated
class StatefulSetTest {
  /** Its first pod has it queued for all of them, and the others start as they come. */
  @Test
  void allOrNoneOfItsPodsRun() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      KueueCore core = cluster.startCore();
      cluster.pod("single", "1");
      cluster.awaitPod("single", pod -> !PodsCluster.gated(pod));
      cluster.runs("single");
      PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db");
      set.queued(3);
      set.reach("its first pod waits", () -> set.workload().isPresent());
      cluster.cluster.pass(Duration.ofMinutes(1));
      assertThat(cluster.waits("db-0")).as("there is quota for two").isTrue();

      cluster.ends("single", "Succeeded");
      set.reach("all run", () -> set.running().size() == 3);

      assertThat(set.names()).containsExactly("db-0", "db-1", "db-2");
      Workload workload = set.workload().orElseThrow();
      assertThat(workload.spec().podSets())
          .singleElement()
          .extracting(PodSet::name, PodSet::count)
          .containsExactly("main", 3);
      assertThat(workload.metadata().getName()).startsWith("statefulset-db-");
      cluster.cluster.awaitThat(
          "it is counted as its kind",
          world ->
              core
                  .meters()
                  .find("kueue4j.framework.workloads")
                  .tags("framework", "statefulset", "phase", "ADMITTED")
                  .gauges()
                  .stream()
                  .anyMatch(gauge -> gauge.value() == 1));
    }
  }

  /** Of the same name, so that the finalizer of the old one must not last. */
  @Test
  void aPodThatIsMadeAnewHasTheQuotaOfTheOldOne() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 3);
      cluster.pod("waits", "1");
      String uid = Uids.of(cluster.pod("db-1"));

      cluster.delete("db-1");
      set.reach(
          "it runs again",
          () -> set.running().size() == 3 && !Uids.of(cluster.pod("db-1")).equals(uid));
      cluster.ends("db-2", "Failed");
      set.reach("the failed one runs again", () -> set.running().size() == 3);
      set.patch(
          "{\"spec\": {\"template\": {\"spec\": {\"containers\": [{\"name\": \"main\","
              + " \"image\": \"web:2\", \"resources\": {\"requests\": {\"cpu\": \"1\"}}}]}}}}");
      set.reach(
          "it is rolled out",
          () ->
              set.running().size() == 3
                  && set.running().stream()
                      .allMatch(
                          pod ->
                              "web:2".equals(pod.getSpec().getContainers().getFirst().getImage())));
      cluster.cluster.settle();
      assertThat(cluster.waits("waits")).as("it has kept its quota").isTrue();
    }
  }

  @Test
  void preemptedItsFirstPodWaitsForAll() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 3);
      String uid = Uids.of(set.workload().orElseThrow());
      cluster.pod("high", "1", "kueue.x-k8s.io/priority-class: high", "");

      set.reach(
          "the other one starts",
          () -> !PodsCluster.gated(cluster.pod("high")) && cluster.waits("db-0"));
      cluster.runs("high");
      cluster.cluster.pass(Duration.ofMinutes(5));
      assertThat(set.pods()).extracting(pod -> ObjectKey.of(pod).name()).containsExactly("db-0");

      cluster.ends("high", "Succeeded");
      set.reach("all run again", () -> set.running().size() == 3);
      assertThat(Uids.of(set.workload().orElseThrow())).isEqualTo(uid);
    }
  }

  /** What it was admitted with, it has, until it is scaled to 0. */
  @Test
  void scaledToNoneAndBackItIsQueuedForWhatItHasThen() {
    try (PodsCluster cluster = new PodsCluster("default=4")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 2);
      set.scale(3);
      set.reach("another waits", () -> cluster.waits("db-2"));
      cluster.awaitEvent("db-2", "its group was admitted with 2 pods; to have more, scale");
      assertThat(set.names()).containsExactly("db-0", "db-1");

      set.scale(0);
      set.reach("no pod is left", () -> set.pods().isEmpty());
      cluster.awaitNoWorkload();
      cluster.pod("single", "1");
      cluster.awaitPod("single", pod -> !PodsCluster.gated(pod));

      set.scale(3);
      set.reach("three run", () -> set.running().size() == 3);
      assertThat(set.workload().orElseThrow().spec().podSets())
          .extracting(PodSet::count)
          .containsExactly(3);

      set.scale(1);
      set.reach("one runs", () -> set.pods().size() == 1);
      set.scale(3);
      set.reach("all run at once", () -> set.running().size() == 3);
    }
  }

  @Test
  void scaledToNoneWhileItWaitsItIsQueuedNoMore() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db");
      set.queued(3);
      set.reach("it waits", () -> set.workload().isPresent());
      cluster.cluster.settle();
      set.scale(0);
      set.reach("no pod is left", () -> set.pods().isEmpty());
      cluster.awaitNoWorkload();

      set.scale(1);
      set.reach("it runs", () -> set.running().size() == 1);
    }
  }

  @Test
  void deletedItFreesItsQuotaOnceItsPodsHaveEnded() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 2);
      cluster.pod("next", "1");
      cluster.cluster.settle();

      set.delete();
      cluster.reach("its pods end", () -> set.pods().stream().allMatch(Health::terminating));
      cluster.cluster.settle();
      assertThat(cluster.waits("next")).as("its pods still run").isTrue();
      set.reach("its pods are gone", () -> set.pods().isEmpty());

      cluster.awaitPod("next", pod -> !PodsCluster.gated(pod));
      cluster.cluster.awaitThat("one Workload is left", world -> world.workloads().size() == 1);
    }
  }

  @Test
  void deletedWhileItWaitsItLeavesNothing() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db");
      set.queued(2);
      set.reach("it waits", () -> set.workload().isPresent());
      cluster.cluster.settle();

      set.delete();

      set.reach("its pods are gone", () -> set.pods().isEmpty());
      cluster.awaitNoWorkload();
    }
  }

  /** Whatever happens while no core runs, the next one strands no pod. */
  @Test
  void scaledAndDeletedWhileNoCoreRunsItStrandsNoPod() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 3);
      cluster.cluster.crashCore();
      set.scale(1);
      set.step();
      set.step();
      assertThat(set.pods()).as("a finalizer keeps the last one").hasSize(3);
      cluster.startCore();
      set.reach("one is left", () -> set.pods().size() == 1);
      cluster.cluster.settle();
      cluster.cluster.crashCore();

      set.delete();
      cluster.reach("its pod ends", () -> set.pods().stream().allMatch(Health::terminating));
      set.step();
      cluster.startCore();
      set.reach("its pods are gone", () -> set.pods().isEmpty());
      cluster.awaitNoWorkload();
    }
  }

  @Test
  void aCoreThatStartsAnewLetsItRun() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 2);
      List<String> uids = set.running().stream().map(Uids::of).toList();
      cluster.cluster.crashCore();
      cluster.startCore();
      cluster.cluster.pass(Duration.ofMinutes(2));
      set.step();

      assertThat(set.running()).extracting(Uids::of).containsExactlyInAnyOrderElementsOf(uids);
      assertThat(set.workload().filter(TestCluster::admitted)).isPresent();
    }
  }

  /** It has nothing that runs by then: no pod tells of it. */
  @Test
  void scaledToNoneWhileItHasNoPodsItGivesItsQuotaBack() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 1);
      cluster.delete("db-0");
      cluster.removed("db-0");
      cluster.awaitGone("db-0");
      cluster.cluster.settle();
      assertThat(set.workload().filter(TestCluster::admitted)).as("another may come").isPresent();

      set.scale(0);
      cluster.cluster.pass(Duration.ofMinutes(1));

      cluster.awaitNoWorkload();
    }
  }
}
