// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Lives of LeaderWorkerSets, each of whose groups has a Workload. */
@Simulated
@PossibleLog(
    logger = "GuardedReconciler",
    message = "Reconcile failed; retrying",
    because = "the server refuses the writes of a core that is about to be killed")
class LeaderWorkerSetTest {
  private static String workers(String field, String value) {
    return "{\"spec\": {\"leaderWorkerTemplate\": {\"workerTemplate\": {\"spec\": {\"containers\": [{\"name\":"
        + " \"main\", \"image\": \"llm:1\", \"resources\": {\"requests\": {\"cpu\": 1}}, \""
        + field
        + "\": "
        + value
        + "}]}}}}}";
  }

  private static List<Integer> counts(Workload workload) {
    return workload.spec().podSets().stream().map(PodSet::count).toList();
  }

  private static boolean images(PlayedLeaderWorkerSet set, String image) {
    return set.running().stream()
        .allMatch(pod -> image.equals(pod.getSpec().getContainers().getFirst().getImage()));
  }

  /** Its leader has it queued for its workers, too, which come later. */
  @Test
  void allOrNoneOfEachGroupRun() {
    try (PodsCluster cluster = new PodsCluster("default=5")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster);
      set.queued(2);
      set.reach("one group runs", () -> set.running().size() == 3);
      cluster.cluster.pass(Duration.ofMinutes(1));
      set.step();
      assertThat(set.running()).as("there is quota for five").hasSize(3);
      assertThat(set.pods()).hasSize(6);
      assertThat(set.workloads())
          .extracting(LeaderWorkerSetTest::counts)
          .containsExactly(List.of(3), List.of(3));
      assertThat(set.workloads())
          .extracting(
              workload ->
                  Objects.requireNonNull(workload.metadata().getAnnotations())
                      .get("kueue.x-k8s.io/component-workload-index"))
          .containsExactly("0", "1");
      for (Workload workload : set.workloads()) {
        assertThat(workload.metadata().getOwnerReferences())
            .singleElement()
            .extracting(V1OwnerReference::getKind, V1OwnerReference::getController)
            .containsExactly("LeaderWorkerSet", true);
      }
    }
  }

  @Test
  void aLeaderWithATemplateOfItsOwnHasAPodSetOfItsOwn() {
    try (PodsCluster cluster = new PodsCluster("default=7")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster).afterReady();
      set.queuedWithLeaders(2, 2);
      set.reach("one group runs", () -> set.running().size() == 3);
      cluster.cluster.pass(Duration.ofMinutes(1));
      set.step();

      assertThat(set.pods()).as("the other's leader waits").hasSize(4);
      for (Workload workload : set.workloads()) {
        assertThat(workload.spec().podSets())
            .extracting(PodSet::name, PodSet::count)
            .containsExactly(tuple("leader", 1), tuple("worker", 2));
      }
      assertThat(set.workloads().stream().filter(TestCluster::admitted)).hasSize(1);
    }
  }

  @Test
  void scaledUpTheNewGroupsAreQueuedAndScaledDownTheirQuotaIsFree() {
    try (PodsCluster cluster = new PodsCluster("default=6")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = PlayedLeaderWorkerSet.running(cluster, 1);
      String uid = Uids.of(set.workloads().getFirst());
      set.scale(3);
      set.reach("two groups run", () -> set.running().size() == 6);
      cluster.cluster.pass(Duration.ofMinutes(1));
      set.step();
      assertThat(set.running()).hasSize(6);
      cluster.pod("next", "3");
      set.scale(1);
      set.reach("one group is left", () -> set.pods().size() == 3);
      cluster.awaitPod("next", pod -> !PodsCluster.gated(pod));
      cluster.cluster.awaitThat("one group is queued", world -> set.workloads().size() == 1);
      assertThat(Uids.of(set.workloads().getFirst())).isEqualTo(uid);
      assertThat(set.running()).hasSize(3);
    }
  }

  /** A group goes as a whole when one of its pods goes, and comes back on its quota. */
  @Test
  void aGroupThatIsMadeAnewHasTheQuotaOfTheOldOne() {
    try (PodsCluster cluster = new PodsCluster("default=6")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = PlayedLeaderWorkerSet.running(cluster, 2);
      cluster.pod("waits", "1");
      List<String> workloads = set.workloads().stream().map(Uids::of).toList();
      String leader = Uids.of(cluster.pod("llm-1"));
      cluster.ends("llm-1-2", "Failed");
      set.reach(
          "it runs again",
          () -> set.running().size() == 6 && !Uids.of(cluster.pod("llm-1")).equals(leader));
      cluster.cluster.settle();
      assertThat(cluster.waits("waits")).as("it has kept its quota").isTrue();
      assertThat(set.workloads()).extracting(Uids::of).containsExactlyElementsOf(workloads);
    }
  }

  @Test
  void itIsRolledOutOnTheQuotaThatItHas() {
    try (PodsCluster cluster = new PodsCluster("default=6")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = PlayedLeaderWorkerSet.running(cluster, 2);
      cluster.pod("waits", "1");
      List<String> workloads = set.workloads().stream().map(Uids::of).toList();
      set.patch(workers("image", "\"llm:2\""));
      set.reach("it is rolled out", () -> set.running().size() == 6 && images(set, "llm:2"));
      cluster.cluster.settle();
      assertThat(cluster.waits("waits")).as("it has kept its quota").isTrue();
      assertThat(set.workloads()).extracting(Uids::of).containsExactlyElementsOf(workloads);
    }
  }

  /** By one group more than its replicas, which is queued as any other, and goes at the end. */
  @Test
  void aGroupThatARolloutMakesBeyondItsReplicasNeedsQuotaOfItsOwn() {
    try (PodsCluster cluster = new PodsCluster("default=6")) {
      cluster.startCore();
      cluster.running("single");
      PlayedLeaderWorkerSet set = PlayedLeaderWorkerSet.running(cluster, 1);
      String workload = Uids.of(set.workloads().getFirst());
      set.surges(1);
      set.patch(workers("image", "\"llm:2\""));
      set.reach("its leader has come", () -> cluster.find("llm-1").isPresent());
      cluster.cluster.settle();
      set.step();
      assertThat(set.names()).as("2 of 6 CPUs are left").hasSize(3);

      cluster.ends("single", "Succeeded");
      set.reach("both run the new image", () -> set.running().size() == 6 && images(set, "llm:2"));
      cluster.pod("next", "3");
      cluster.cluster.settle();
      assertThat(PodsCluster.gated(cluster.pod("next"))).isTrue();

      set.surges(0);
      set.reach("one group is left", () -> set.pods().size() == 3);
      cluster.awaitPod("next", pod -> !PodsCluster.gated(pod));
      assertThat(set.running()).hasSize(3);
      cluster.cluster.awaitThat("one Workload is left", world -> set.workloads().size() == 1);
      assertThat(Uids.of(set.workloads().getFirst())).isEqualTo(workload);
    }
  }

  /** The node may come back, so that its pod uses quota until its time is over. */
  @ExpectedLog(
      logger = "StoppedPods",
      message = "Released quota although pods on lost nodes may still run")
  @Test
  void aGroupWithAPodOnALostNodeRunsAgainOnItsQuota() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = PlayedLeaderWorkerSet.running(cluster, 1);
      String workload = Uids.of(set.workloads().getFirst());
      String leader = Uids.of(cluster.pod("llm-0"));
      set.lost("llm-0-2");
      set.reach(
          "its new leader has come",
          () -> cluster.find("llm-0").filter(pod -> !Uids.of(pod).equals(leader)).isPresent());
      cluster.cluster.settle();
      set.step();
      assertThat(PodsCluster.gated(cluster.pod("llm-0"))).as("it waits for the lost one").isTrue();

      cluster.cluster.pass(Duration.ofMinutes(2));
      set.reach("it runs", () -> set.names().equals(List.of("llm-0", "llm-0-1")));
      set.removedByForce("llm-0-2");
      set.reach("all run", () -> set.running().size() == 3);
      assertThat(set.workloads()).extracting(Uids::of).containsExactly(workload);
    }
  }

  /** Its leader requests what it did before, and must not start for workers that can't. */
  @Test
  void workersWithOtherRequestsAreQueuedAnewGroupByGroup() {
    try (PodsCluster cluster = new PodsCluster("default=8")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster).runsWithLeader();
      set.patch(workers("resources", "{\"requests\": {\"cpu\": 3}}"));
      set.reach("all run with more", () -> requestThree(set, 1));
      assertThat(set.names()).containsExactly("llm-0", "llm-0-1", "llm-0-2");
    }
  }

  /** Its leader is there before its workers, whose template is by then another one. */
  @Test
  void aGroupOfAnOlderRevisionIsMadeAnewOnTheQuotaThatItHas() {
    try (PodsCluster cluster = new PodsCluster("default=4")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster).afterReady().runsWithLeader();
      String first = revision(set);
      set.patch(workers("image", "\"llm:2\""));
      set.reach("its Workload has followed the rollout", () -> !revision(set).equals(first));
      set.reach("all run the new image", () -> set.running().size() == 3);
      cluster.cluster.settle();
      String workload = Uids.of(set.workloads().getFirst());
      set.keepRevision();
      set.patch(workers("resources", "{\"requests\": {\"cpu\": 3}}"));
      cluster.ends("llm-0-2", "Failed");
      set.reach("the leader is made anew", () -> set.names().equals(List.of("llm-0")));
      set.reach("all run again", () -> set.running().size() == 3);
      assertThat(set.workloads()).extracting(Uids::of).containsExactly(workload);
    }
  }

  /** Its controller makes as many workers as it has by now, of the older template. */
  @Test
  void aGroupOfAnOlderRevisionIsQueuedAnewForAnotherSize() {
    try (PodsCluster cluster = new PodsCluster("default=6")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster).afterReady().runsWithLeader();
      set.keepRevision();
      set.patch("{\"spec\": {\"leaderWorkerTemplate\": {\"size\": 4}}}");
      cluster.ends("llm-0-2", "Failed");
      set.reach("four run", () -> set.running().size() == 4);
    }
  }

  private static String revision(PlayedLeaderWorkerSet set) {
    return Objects.requireNonNull(set.workloads().getFirst().metadata().getAnnotations())
        .getOrDefault("kueue4j.io/template-revision", "");
  }

  private static boolean requestThree(PlayedLeaderWorkerSet set, int podSet) {
    return set.running().size() == 3
        && set.workloads()
            .getFirst()
            .spec()
            .podSets()
            .get(podSet)
            .template()
            .toString()
            .contains("number=3");
  }

  /** They are collected after their leader's successor has been made, and run until then. */
  @Test
  void aLeaderWaitsForTheWorkersOfTheOneBeforeIt() {
    try (PodsCluster cluster = new PodsCluster("default=8")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster).runsWithLeader();
      set.workersStay("llm-0");
      String leader = Uids.of(cluster.pod("llm-0"));
      set.patch(workers("resources", "{\"requests\": {\"cpu\": 3}}"));
      set.reach(
          "its new leader has come",
          () -> cluster.find("llm-0").filter(pod -> !Uids.of(pod).equals(leader)).isPresent());
      cluster.cluster.pass(Duration.ofMinutes(1));
      assertThat(set.names()).as("its old workers run on").containsExactly("llm-0-1", "llm-0-2");
      assertThat(PodsCluster.gated(cluster.pod("llm-0"))).as("its new leader waits").isTrue();

      set.collectWorkers("llm-0");
      set.reach("all run with more", () -> requestThree(set, 1));
    }
  }

  /** Nothing of a group may start on quota that its leader can't have. */
  @Test
  void aWorkerWaitsForItsLeader() {
    try (PodsCluster cluster = new PodsCluster("default=8")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster).runsWithLeader();
      set.patch(
          workers("resources", "{\"requests\": {\"cpu\": 3}}")
              .replace("workerTemplate", "leaderTemplate"));
      cluster.delete("llm-0");
      cluster.removed("llm-0");
      cluster.awaitGone("llm-0");
      cluster.reach("its workers leave", () -> set.pods().stream().allMatch(Health::terminating));
      set.control(set.read().orElseThrow());
      for (String worker : List.of("llm-0-1", "llm-0-2")) {
        cluster.cluster.settle();
        assertThat(set.pods().stream().filter(pod -> !Health.terminating(pod)))
            .as("those that are new")
            .allMatch(PodsCluster::gated);
        cluster.removed(worker);
        cluster.awaitGone(worker);
        set.control(set.read().orElseThrow());
      }
      set.reach("all run with more", () -> requestThree(set, 0));
    }
  }

  @Test
  void anotherSizeIsQueuedAnewGroupByGroup() {
    try (PodsCluster cluster = new PodsCluster("default=4")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = PlayedLeaderWorkerSet.running(cluster, 1);
      set.patch("{\"spec\": {\"leaderWorkerTemplate\": {\"size\": 4}}}");
      set.reach("four run", () -> set.running().size() == 4);
      assertThat(set.workloads())
          .extracting(LeaderWorkerSetTest::counts)
          .containsExactly(List.of(4));
    }
  }

  @Test
  void preemptedItsLeaderWaitsForAllOfItsGroup() {
    try (PodsCluster cluster = new PodsCluster("default=6")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = PlayedLeaderWorkerSet.running(cluster, 2);
      cluster.pod("high", "1", "kueue.x-k8s.io/priority-class: high", "");
      set.reach(
          "the other one starts",
          () -> !PodsCluster.gated(cluster.pod("high")) && set.pods().size() == 6);
      cluster.runs("high");
      cluster.cluster.pass(Duration.ofMinutes(5));
      set.step();
      assertThat(set.running()).as("one group").hasSize(3);
      cluster.ends("high", "Succeeded");
      set.reach("all run again", () -> set.running().size() == 6);
    }
  }

  @Test
  void deletedItFreesItsQuotaOnceItsPodsHaveEnded() {
    try (PodsCluster cluster = new PodsCluster("default=6")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = PlayedLeaderWorkerSet.running(cluster, 2);
      cluster.pod("next", "6");
      cluster.cluster.settle();
      set.delete();
      cluster.reach("its pods end", () -> set.pods().stream().anyMatch(Health::terminating));
      cluster.cluster.settle();
      assertThat(cluster.waits("next")).as("its pods still run").isTrue();
      set.reach("its pods are gone", () -> set.pods().isEmpty());
      cluster.awaitPod("next", pod -> !PodsCluster.gated(pod));
      cluster.cluster.awaitThat("no group is queued", world -> set.workloads().isEmpty());
    }
  }

  @Test
  void deletedWhileItWaitsItLeavesNothing() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster);
      set.queued(2);
      set.reach("it waits", () -> set.workloads().size() == 2 && set.pods().size() == 6);
      cluster.cluster.settle();
      set.delete();
      set.reach("its pods are gone", () -> set.pods().isEmpty());
      cluster.awaitNoWorkload();
    }
  }

  /** Its pods run on, so that nothing else may have their quota. */
  @Test
  void deletedAloneItsPodsKeepTheirQuotaUntilTheyAreGone() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = PlayedLeaderWorkerSet.running(cluster, 1);
      cluster.pod("next", "1");
      String unowned = "{\"metadata\": {\"ownerReferences\": null}}";
      cluster.cluster.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(set.workloads().getFirst()),
          TestCluster.merge(unowned));
      set.leadersStay();
      set.delete();
      cluster.cluster.pass(Duration.ofMinutes(1));
      assertThat(set.running()).hasSize(3);
      assertThat(cluster.waits("next")).as("its pods run on").isTrue();

      List.of("llm-0", "llm-0-1", "llm-0-2").forEach(cluster::delete);
      set.reach("its pods are gone", () -> set.pods().isEmpty());
      cluster.awaitPod("next", pod -> !PodsCluster.gated(pod));
      cluster.cluster.awaitThat("no group is queued", world -> set.workloads().isEmpty());
    }
  }

  /** The webhook has taken it off the templates, too: the pods that are rolled out need none. */
  @Test
  void withoutItsQueueItGivesItsQuotaBackOnceItsPodsAreRolledOut() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = PlayedLeaderWorkerSet.running(cluster, 1);
      String unlabelled = "\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": null}}";
      set.patch(
          "{"
              + unlabelled
              + ", \"spec\": {\"leaderWorkerTemplate\": {\"workerTemplate\": {"
              + unlabelled
              + "}}}}");
      set.reach(
          "all run without",
          () ->
              set.running().size() == 3
                  && set.running().stream().allMatch(pod -> PodsCluster.finalizers(pod).isEmpty()));
      cluster.cluster.pass(Duration.ofMinutes(1));
      cluster.awaitNoWorkload();
    }
  }

  /** Whatever happens while no core runs, the next one strands no pod. */
  @Test
  void scaledAndRolledOutWhileNoCoreRunsItStrandsNoPod() {
    try (PodsCluster cluster = new PodsCluster("default=6")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = PlayedLeaderWorkerSet.running(cluster, 2);
      cluster.cluster.crashCore();
      set.scale(1);
      cluster.delete("llm-0-1");
      set.step();
      set.step();
      cluster.startCore();
      set.reach("one group runs", () -> set.pods().size() == 3 && set.running().size() == 3);
      cluster.cluster.awaitThat("one group is queued", world -> set.workloads().size() == 1);

      List<String> uids = set.running().stream().map(Uids::of).toList();
      cluster.cluster.crashCore();
      cluster.startCore();
      cluster.cluster.pass(Duration.ofMinutes(2));
      set.step();
      assertThat(set.running()).extracting(Uids::of).containsExactlyInAnyOrderElementsOf(uids);
      assertThat(set.workloads()).allMatch(TestCluster::admitted);
    }
  }

  /** Cores are killed after each of their writes; in a nightly build after every third, too. */
  @Test
  void aCoreThatIsKilledInTheMiddleStrandsNoPod() {
    for (int writes : PodsCluster.FIRST) {
      try (PodsCluster cluster = new PodsCluster("default=6")) {
        cluster.startCore();
        cluster.killAfterEvery(writes);
        PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster);
        set.queued(2);
        set.reach("all run", () -> set.running().size() == 6);
        assertThat(cluster.kills()).as("after every %d writes", writes).isPositive();
        assertThat(set.workloads()).hasSize(2);
      }
    }
  }

  @Test
  void withoutAQueueItIsLeftAlone() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster);
      set.create(2, "app: llm", "", 0);
      set.reach("all run", () -> set.running().size() == 6);
      cluster.cluster.pass(Duration.ofMinutes(1));
      assertThat(set.running()).hasSize(6);
      for (V1Pod pod : set.running()) {
        assertThat(PodsCluster.finalizers(pod)).isEmpty();
      }
      cluster.awaitNoWorkload();
    }
  }

  /** Of the same name, so that its pods find another one than that for which they were made. */
  @Test
  void podsOfOneThatIsGoneAreToldSo() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      PlayedLeaderWorkerSet set = new PlayedLeaderWorkerSet(cluster);
      set.queued(1);
      set.step();
      set.leadersStay();
      set.delete();
      set.queued(1);
      cluster.startCore();
      cluster.awaitEvent("llm-0", "another one has its name");
      assertThat(set.workloads()).isEmpty();
      Map<String, String> labels =
          Objects.requireNonNull(cluster.pod("llm-0").getMetadata().getLabels());
      assertThat(labels).containsKey("kueue.x-k8s.io/pod-group-name");
    }
  }
}
