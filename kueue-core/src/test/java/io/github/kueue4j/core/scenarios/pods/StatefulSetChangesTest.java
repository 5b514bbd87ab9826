// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What users do to StatefulSets that are queued, and what becomes of their quota. */
@Simulated
class StatefulSetChangesTest {
  private static final String OTHER_REQUESTS =
      "{\"spec\": {\"template\": {\"spec\": {\"containers\": [{\"name\": \"main\", \"image\": \"web:1\","
          + " \"resources\": {\"requests\": {\"cpu\": \"2\"}}}]}}}}";

  private static List<Integer> places(PlayedStatefulSet set) {
    return set.workload().orElseThrow().spec().podSets().stream().map(PodSet::count).toList();
  }

  /** Its pods run on, so that nothing else may have their quota. */
  @Test
  void deletedAloneItsPodsKeepTheirQuotaUntilTheyAreGone() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 2);
      cluster.pod("next", "1");
      set.deleteAlone();
      cluster.cluster.pass(Duration.ofMinutes(1));
      assertThat(set.running()).hasSize(2);
      assertThat(cluster.waits("next")).as("its pods run on").isTrue();

      List.of("db-0", "db-1").forEach(cluster::delete);
      set.reach("its pods are gone", () -> set.pods().isEmpty());

      cluster.awaitPod("next", pod -> !PodsCluster.gated(pod));
      cluster.cluster.awaitThat("one Workload is left", world -> world.workloads().size() == 1);
    }
  }

  @Test
  void deletedAloneItsPodsAreStoppedForWhatPrecedesThem() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 2);
      set.deleteAlone();
      cluster.cluster.settle();

      cluster.pod("high", "1", "kueue.x-k8s.io/priority-class: high", "");
      cluster.reach("they end", () -> set.pods().stream().allMatch(Health::terminating));
      cluster.cluster.settle();
      assertThat(cluster.waits("high")).as("they still run").isTrue();

      set.reach("they are gone", () -> set.pods().isEmpty());
      cluster.awaitPod("high", pod -> !PodsCluster.gated(pod));
      cluster.cluster.awaitThat("one Workload is left", world -> world.workloads().size() == 1);
    }
  }

  /** The webhook has taken it off the template, too: the pods that are rolled out need none. */
  @Test
  void withoutItsQueueItGivesItsQuotaBackOnceItsPodsAreRolledOut() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 2);
      String unlabelled = "\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": null}}";
      set.patch("{" + unlabelled + ", \"spec\": {\"template\": {" + unlabelled + "}}}");
      cluster.delete("db-1");
      set.reach("one runs without", () -> set.running().size() == 2);
      cluster.cluster.pass(Duration.ofMinutes(1));
      assertThat(set.workload().filter(TestCluster::admitted)).as("another has it").isPresent();

      cluster.delete("db-0");
      set.reach("both run without", () -> set.running().size() == 2);
      cluster.cluster.pass(Duration.ofMinutes(1));

      cluster.awaitNoWorkload();
    }
  }

  @Test
  void scaledDownWhileItWaitsItIsQueuedForFewer() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db");
      set.queued(5);
      set.reach("it waits", () -> set.workload().isPresent());
      cluster.cluster.settle();

      set.scale(3);
      cluster.cluster.pass(Duration.ofMinutes(2));

      set.reach("three run", () -> set.running().size() == 3);
      assertThat(places(set)).containsExactly(3);
    }
  }

  /** It may have been scaled up meanwhile: what it has admitted is kept. */
  @Test
  void itsLastPodThatIsMadeAnewKeepsItsQuota() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 2);
      String uid = Uids.of(set.workload().orElseThrow());
      set.scale(1);
      set.reach("one runs", () -> set.pods().size() == 1);
      cluster.pod("next", "1");
      cluster.cluster.settle();

      String old = Uids.of(cluster.pod("db-0"));
      cluster.delete("db-0");
      set.reach(
          "it runs again",
          () -> set.running().size() == 1 && !Uids.of(cluster.pod("db-0")).equals(old));

      assertThat(Uids.of(set.workload().orElseThrow())).isEqualTo(uid);
      assertThat(cluster.waits("next")).isTrue();
    }
  }

  /** However old it is: the one with a place is between its end and its successor. */
  @Test
  void noPodBeyondItsPlacesTakesTheOneOfAPodThatIsMadeAnew() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 2);
      set.scale(3);
      set.reach("another waits", () -> cluster.waits("db-2"));
      cluster.cluster.settle();

      cluster.delete("db-1");
      cluster.removed("db-1");
      cluster.awaitGone("db-1");
      cluster.cluster.pass(Duration.ofMinutes(1));
      assertThat(cluster.waits("db-2")).as("it is the third of two").isTrue();

      set.reach("it runs again", () -> set.running().size() == 2);
      assertThat(set.names()).containsExactly("db-0", "db-1");
      assertThat(cluster.waits("db-2")).isTrue();
    }
  }

  @Test
  void whereItsOrdinalsBeginElsewhereAllOfThemRun() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db");
      set.queued(0);
      set.patch("{\"spec\": {\"replicas\": 2, \"ordinals\": {\"start\": 7}}}");
      set.reach("all run", () -> set.running().size() == 2);
      assertThat(set.names()).containsExactly("db-7", "db-8");
    }
  }

  @Test
  void withOtherRequestsItIsQueuedAnewOnceNothingRuns() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 1);
      set.patch(OTHER_REQUESTS);
      cluster.cluster.pass(Duration.ofMinutes(1));
      cluster.delete("db-0");

      set.reach(
          "it runs with more",
          () ->
              set.running().stream()
                  .anyMatch(
                      pod ->
                          pod.getSpec()
                                  .getContainers()
                                  .getFirst()
                                  .getResources()
                                  .getRequests()
                                  .get("cpu")
                                  .getNumber()
                                  .intValueExact()
                              == 2));
    }
  }

  /** Whatever it deletes is made anew: it would delete for ever. */
  @Test
  void deactivatedItsPodsStay() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      String configuration =
          PodsCluster.FRAMEWORKS
              + "objectRetentionPolicies: {workloads: {afterDeactivatedByKueue: 1m}}\n";
      cluster.cluster.startCore(configuration);
      PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db");
      set.queued(3);
      set.reach("it waits", () -> set.workload().isPresent());
      cluster.cluster.settle();
      String uid = Uids.of(cluster.pod("db-0"));
      cluster.cluster.crashCore();
      ObjectKey workload = ObjectKey.of(set.workload().orElseThrow());
      cluster.cluster.api.patch(
          KueueTypes.WORKLOAD, workload, TestCluster.merge("{\"spec\": {\"active\": false}}"));
      cluster.cluster.api.patchStatus(
          KueueTypes.WORKLOAD,
          workload,
          TestCluster.merge(
              """
              {"status": {"conditions": [
                {"type": "Evicted", "status": "True", "reason": "DeactivatedDueToRequeuingLimitExceeded",
                  "message": "m", "lastTransitionTime": "2026-01-05T08:00:00Z"},
                {"type": "Requeued", "status": "False", "reason": "DeactivatedDueToRequeuingLimitExceeded",
                  "message": "m", "lastTransitionTime": "2026-01-05T08:00:00Z"}]}}
              """));
      cluster.cluster.startCore(configuration);
      cluster.cluster.pass(Duration.ofMinutes(10));

      assertThat(Uids.of(cluster.pod("db-0"))).isEqualTo(uid);
      assertThat(Health.terminating(cluster.pod("db-0"))).isFalse();
    }
  }

  @Test
  void finishedItsWorkloadGoesWithItsPods() {
    try (PodsCluster cluster = new PodsCluster("default=2")) {
      cluster.startCore();
      PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db");
      set.queued(3);
      set.reach("it waits", () -> set.workload().isPresent());
      cluster.cluster.settle();
      cluster.cluster.crashCore();
      cluster.cluster.api.patchStatus(
          KueueTypes.WORKLOAD,
          ObjectKey.of(set.workload().orElseThrow()),
          TestCluster.merge(
              """
              {"status": {"conditions": [{"type": "Finished", "status": "True", "reason": "FailedToStart",
                "message": "m", "lastTransitionTime": "2026-01-05T08:00:00Z"}]}}
              """));
      cluster.startCore();
      cluster.awaitEvent("db-0", "scale its object to 0, wait until its pods are gone");

      set.scale(0);
      set.reach("no pod is left", () -> set.pods().isEmpty());
      cluster.awaitNoWorkload();
      set.scale(2);
      set.reach("it runs", () -> set.running().size() == 2);
    }
  }

  /** As when the framework was taken out, and the right with it. */
  @Test
  @ExpectedLog(logger = "ServingObjects", message = "Can't see how many pods are to serve")
  void withoutTheRightToSeeItItsQuotaIsKept() {
    try (PodsCluster cluster = new PodsCluster("default=1")) {
      cluster.startCore();
      PlayedStatefulSet set = PlayedStatefulSet.running(cluster, 1);
      Fault forbidden =
          cluster
              .cluster
              .server
              .faults()
              .failNext(
                  Integer.MAX_VALUE,
                  RequestMatcher.userAgent("kueue-core")
                      .and(RequestMatcher.resource("statefulsets")),
                  403);
      try {
        cluster.delete("db-0");
        cluster.removed("db-0");
        cluster.awaitGone("db-0");
        cluster.cluster.pass(Duration.ofMinutes(1));
        assertThat(set.workload().filter(TestCluster::admitted)).isPresent();
        set.reach("it runs again", () -> set.running().size() == 1);
      } finally {
        forbidden.close();
      }
    }
  }

  /** It makes all its pods at once, and ends them in any order. */
  @Test
  void severalPodsThatEndWhileNoCoreRunsAreMadeAnewByTheNext() {
    try (PodsCluster cluster = new PodsCluster("default=3")) {
      cluster.startCore();
      PlayedStatefulSet set = new PlayedStatefulSet(cluster, "db").parallel();
      set.queued(3);
      set.reach("all run", () -> set.running().size() == 3);
      cluster.cluster.settle();
      cluster.cluster.crashCore();
      List<String> uids = set.running().stream().map(Uids::of).toList();
      List.of("db-0", "db-2").forEach(cluster::delete);
      set.step();
      set.step();
      assertThat(set.running()).hasSize(1);

      cluster.startCore();
      set.reach("all run again", () -> set.running().size() == 3);
      assertThat(set.running().stream().map(Uids::of).filter(uids::contains)).hasSize(1);
    }
  }
}
