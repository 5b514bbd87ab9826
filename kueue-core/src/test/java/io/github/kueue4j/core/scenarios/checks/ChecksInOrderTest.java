// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckOrder;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A check that is asked after another; the test answers both. */
@Simulated
class ChecksInOrderTest {
  private static final String BOTH =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: nodes}]}";

  private static void after(TestCluster cluster, String check, String others) {
    cluster.api.patch(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster(check),
        TestCluster.merge(
            "{\"metadata\": {\"annotations\": {\""
                + CheckOrder.ANNOTATION
                + "\": "
                + others
                + "}}}"));
  }

  private static void start(TestCluster cluster) {
    start(cluster, BOTH);
  }

  private static void start(TestCluster cluster, String strategy) {
    cluster.check("budget");
    cluster.check("nodes");
    after(cluster, "nodes", "\"budget\"");
    cluster.queue(strategy, "default=1");
    cluster.startCore();
  }

  private static boolean asked(Workload workload, String check) {
    return TestCluster.reserved(workload)
        && workload
            .status()
            .admissionCheck(check)
            .filter(entry -> entry.is(CheckState.PENDING))
            .isPresent();
  }

  private static void awaitAskedAlone(TestCluster cluster) {
    cluster.awaitWorkload("job", workload -> asked(workload, "budget"));
    cluster.settle();
    assertThat(cluster.workload("job").status().admissionChecks())
        .extracting(AdmissionCheckState::name)
        .containsExactly("budget");
  }

  @Test
  void theSecondIsAskedOnceTheFirstIsReadyAlsoByAnotherCore() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster);
      cluster.job("job", 1);
      awaitAskedAlone(cluster);
      cluster.pass(Duration.ofHours(1));
      awaitAskedAlone(cluster);

      cluster.crashCore();
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.startCore();
      cluster.awaitWorkload("job", workload -> asked(workload, "nodes"));

      cluster.answer("job", "nodes", CheckState.READY, null);
      cluster.awaitSuspended("job", false);
      assertThat(cluster.workload("job").conditions().find(WorkloadConditions.WITHHELD_CHECKS))
          .isEmpty();
    }
  }

  @Test
  void aRetryOfTheSecondHasBothAskedInOrderAnewAndItsCountGoesOn() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster);
      cluster.job("job", 1);
      for (int round = 0; round < 3; round++) {
        cluster.passUntil("the first is asked", world -> asked(world.workload("job"), "budget"));
        awaitAskedAlone(cluster);
        cluster.answer("job", "budget", CheckState.READY, null);
        cluster.awaitWorkload("job", workload -> asked(workload, "nodes"));
        Integer count =
            cluster.workload("job").status().admissionCheck("nodes").orElseThrow().retryCount();
        assertThat(count).isEqualTo(round == 0 ? null : (Integer) round);
        cluster.answer("job", "nodes", CheckState.RETRY, 60);
        cluster.awaitWorkload("job", workload -> workload.conditions().heldForChecks());
      }
    }
  }

  @Test
  void anOrderThatIsTakenAwayHasTheSecondAskedAtOnce() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster);
      cluster.job("job", 1);
      awaitAskedAlone(cluster);
      after(cluster, "nodes", "null");
      cluster.awaitWorkload("job", workload -> asked(workload, "nodes"));
      // Given again, it takes nothing back.
      after(cluster, "nodes", "\"budget\"");
      cluster.settle();
      assertThat(asked(cluster.workload("job"), "nodes")).isTrue();
    }
  }

  private static String active(TestCluster cluster) {
    return Conditions.find(cluster.clusterQueue().status().conditions(), "Active")
        .filter(Condition::isTrue)
        .orElseThrow()
        .message();
  }

  @Test
  void aNameThatNoCheckHasIsReportedUntilThereIsOne() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster);
      after(cluster, "nodes", "\"budget,policy\"");
      cluster.pass(Duration.ofSeconds(5));
      assertThat(active(cluster))
          .contains(
              "AdmissionCheck nodes: metadata.annotations['kueue4j.io/after'] is 'budget,policy',"
                  + " but there is no AdmissionCheck policy, so it waits for none of that name:"
                  + " correct the name or leave it out");
      cluster.check("policy");
      cluster.pass(Duration.ofSeconds(5));
      assertThat(active(cluster)).doesNotContain("policy");
    }
  }

  @Test
  void aCheckThatLeavesTheQueueHoldsUpNoOther() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster);
      cluster.job("job", 1);
      awaitAskedAlone(cluster);
      cluster.api.patch(
          KueueTypes.CLUSTER_QUEUE,
          ObjectKey.of(cluster.clusterQueue()),
          TestCluster.merge(
              "{\"spec\": {\"admissionChecksStrategy\": {\"admissionChecks\": [{\"name\": \"nodes\"}]}}}"));
      cluster.awaitWorkload("job", workload -> asked(workload, "nodes"));
    }
  }

  @Test
  void noCheckIsAskedOnceTwoBeforeItContradictEachOther() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("policy");
      start(
          cluster,
          "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: policy}, {name: nodes}]}");
      after(cluster, "nodes", "\"budget,policy\"");
      cluster.job("job", 1);
      cluster.awaitWorkload("job", workload -> asked(workload, "policy"));
      for (String check : List.of("budget", "policy")) {
        cluster.writeEntry(
            () -> cluster.workload("job"),
            check,
            entry ->
                entry
                    .withState(CheckState.READY)
                    .withPodSetUpdates(
                        List.of(PodSetUpdate.of("main").withLabels(Map.of("team", check)))));
      }
      cluster.awaitWorkload("job", workload -> workload.conditions().finished());
      assertThat(cluster.workload("job").status().admissionCheck("nodes")).isEmpty();
    }
  }

  @Test
  void aCircleMakesTheQueueInactiveAndHoldsNoQuotaForEver() {
    try (TestCluster cluster = new TestCluster()) {
      start(cluster);
      cluster.job("job", 1);
      awaitAskedAlone(cluster);
      after(cluster, "budget", "\"nodes\"");
      cluster.awaitWorkload("job", workload -> asked(workload, "nodes"));
      cluster.pass(Duration.ofSeconds(5));
      assertThat(
              Conditions.find(cluster.clusterQueue().status().conditions(), "Active").orElseThrow())
          .satisfies(
              active -> {
                assertThat(active.isFalse()).isTrue();
                assertThat(active.message())
                    .contains(
                        "budget (metadata.annotations['kueue4j.io/after'] is 'nodes', so it comes"
                            + " after itself by way of nodes: leave one of these names out)");
              });
      after(cluster, "budget", "null");
      cluster.pass(Duration.ofSeconds(5));
      assertThat(Conditions.isTrue(cluster.clusterQueue().status().conditions(), "Active"))
          .isTrue();
    }
  }
}
