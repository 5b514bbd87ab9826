// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checks of a ClusterQueue: which of them a Workload needs, and what changing them does. */
@Simulated
class CheckStrategyTest {
  private static final String ONE = "admissionChecksStrategy: {admissionChecks: [{name: budget}]}";
  private static final String TWO =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: license}]}";

  @Test
  void aRuleWithFlavorsCountsForThoseOnly() {
    try (TestCluster cluster = new TestCluster()) {
      for (String check : List.of("everywhere", "old-only", "new-only", "nowhere")) {
        cluster.check(check);
      }
      cluster.queue(
          "admissionChecksStrategy: {admissionChecks: [{name: everywhere},"
              + " {name: old-only, onFlavors: [old]}, {name: new-only, onFlavors: [new]},"
              + " {name: nowhere, onFlavors: [elsewhere]}]}",
          "old=1",
          "new=1");
      cluster.startCore();
      cluster.job("first", 1);
      assertThat(names(cluster.awaitWorkload("first", TestCluster::reserved)))
          .containsExactly("everywhere", "old-only");
      cluster.job("second", 1);
      assertThat(names(cluster.awaitWorkload("second", TestCluster::reserved)))
          .containsExactly("everywhere", "new-only");

      cluster.answer("second", "everywhere", CheckState.READY, null);
      cluster.answer("second", "new-only", CheckState.READY, null);

      cluster.awaitSuspended("second", false);
    }
  }

  @Test
  void whileReservedTheChecksFollowTheStrategy() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.check("license");
      cluster.queue(ONE, "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);

      cluster.queue(TWO, "default=1");
      cluster.awaitWorkload("job", workload -> names(workload).contains("license"));
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.settle();
      assertThat(TestCluster.admitted(cluster.workload("job"))).isFalse();

      cluster.queue(ONE, "default=1");
      Workload admitted = cluster.awaitWorkload("job", TestCluster::admitted);
      assertThat(names(admitted)).containsExactly("budget");
    }
  }

  @Test
  void aCheckAddedAfterTheAdmissionDoesNotEvict() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.check("license");
      cluster.queue(ONE, "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.awaitSuspended("job", false);
      cluster.settle();

      cluster.queue(TWO, "default=1");
      cluster.pass(Duration.ofMinutes(1));

      Workload still = cluster.workload("job");
      assertThat(TestCluster.admitted(still)).isTrue();
      assertThat(TestCluster.isTrue(still, WorkloadConditions.EVICTED)).isFalse();
      cluster.awaitSuspended("job", false);
    }
  }

  @Test
  void aQueueWithAMissingOrInactiveCheckAdmitsNothingAndSaysWhy() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue(TWO, "default=1");
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: AdmissionCheck
          metadata: {name: license}
          spec: {controllerName: example.com/test}
          """);
      cluster.startCore();
      cluster.job("job", 1);

      cluster.passUntil(
          "both are named",
          world ->
              active(world)
                  .equals(
                      "False AdmissionCheckNotFound Can't admit new workloads: references missing"
                          + " AdmissionCheck(s): budget, references inactive AdmissionCheck(s):"
                          + " license."));
      assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();

      cluster.check("budget");
      cluster.passUntil(
          "one is left",
          world ->
              active(world)
                  .equals(
                      "False AdmissionCheckInactive Can't admit new workloads: references inactive"
                          + " AdmissionCheck(s): license."));
      assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();

      cluster.check("license");
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.passUntil(
          "it recovers", world -> active(world).equals("True Ready Can admit new workloads"));
    }
  }

  @Test
  void moreChecksThanAStatusHoldsMakeTheQueueInactive() {
    String nine =
        IntStream.rangeClosed(1, 9)
            .mapToObj(number -> "{name: c" + number + "}")
            .collect(Collectors.joining(", "));
    try (TestCluster cluster = new TestCluster()) {
      IntStream.rangeClosed(1, 9).forEach(number -> cluster.check("c" + number));
      cluster.queue("admissionChecksStrategy: {admissionChecks: [" + nine + "]}", "default=1");
      cluster.startCore();
      cluster.job("job", 1);

      cluster.passUntil(
          "the queue says so",
          world ->
              active(world)
                  .equals(
                      "False TooManyAdmissionChecks Can't admit new workloads: requires more than 8"
                          + " AdmissionChecks, as many as the status of a Workload holds, on"
                          + " ResourceFlavor(s): default."));
      cluster.passUntil(
          "the workload says why",
          world ->
              Conditions.find(
                      world.workload("job").status().conditions(),
                      WorkloadConditions.QUOTA_RESERVED)
                  .filter(
                      reserved ->
                          reserved
                              .message()
                              .startsWith(
                                  "ClusterQueue cq is inactive. Can't admit new workloads: requires more than 8"))
                  .isPresent());

      String eight = nine.replace(", {name: c9}", "");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [" + eight + "]}", "default=1");
      assertThat(names(cluster.awaitWorkload("job", TestCluster::reserved))).hasSize(8);
    }
  }

  /** Otherwise it could never be admitted, nor give back what it holds. */
  @Test
  void aReservationThatComesToNeedTooManyChecksIsWithdrawn() {
    try (TestCluster cluster = new TestCluster()) {
      IntStream.rangeClosed(1, 9).forEach(number -> cluster.check("c" + number));
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: c1}]}", "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);

      cluster.queue(
          "admissionChecksStrategy: {admissionChecks: ["
              + IntStream.rangeClosed(1, 9)
                  .mapToObj(number -> "{name: c" + number + "}")
                  .collect(Collectors.joining(", "))
              + "]}",
          "default=1");

      Workload back = cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      assertThat(TestCluster.condition(back, WorkloadConditions.QUOTA_RESERVED).reason())
          .isEqualTo("Misconfigured");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"StrictFIFO", "BestEffortFIFO"})
  void whatDoesNotFitBesideAReservationWaits(String strategy) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(ONE + ", queueingStrategy: " + strategy, "default=3");
      cluster.startCore();
      cluster.job("reserving", 2);
      cluster.awaitWorkload("reserving", TestCluster::reserved);
      cluster.job("waiting", 2);
      cluster.passUntil(
          "it says what it waits for",
          world ->
              Conditions.find(
                      world.workload("waiting").status().conditions(),
                      WorkloadConditions.QUOTA_RESERVED)
                  .filter(reserved -> reserved.reason().equals("WaitingForQuota"))
                  .isPresent());
      assertThat(TestCluster.reserved(cluster.workload("waiting"))).isFalse();

      cluster.answer("reserving", "budget", CheckState.RETRY, 60);
      cluster.awaitWorkload("waiting", TestCluster::reserved);
    }
  }

  @Test
  void noReadyOutlivesTheReservationAndTheNextOneStartsWithoutVerdicts() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.check("license");
      cluster.queue(TWO, "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.answer("job", "license", CheckState.READY, null);
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");
      cluster.answer("job", "license", CheckState.RETRY, 60);

      // The Job is stopped; as long as its pods last the quota stays reserved.
      cluster.awaitSuspended("job", true);
      cluster.settle();
      Workload evicting = cluster.workload("job");
      assertThat(TestCluster.reserved(evicting)).isTrue();
      assertThat(states(evicting)).containsExactly(CheckState.READY, CheckState.RETRY);
      cluster.podsGone("job");
      Workload released = cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      assertThat(states(released)).containsExactly(CheckState.PENDING, CheckState.RETRY);

      cluster.pass(Duration.ofSeconds(61));
      Workload again = cluster.awaitWorkload("job", TestCluster::reserved);
      assertThat(states(again)).containsExactly(CheckState.PENDING, CheckState.PENDING);
      cluster.answer("job", "license", CheckState.READY, null);
      cluster.settle();
      assertThat(TestCluster.admitted(cluster.workload("job"))).isFalse();
    }
  }

  @Test
  void aRejectionAfterTheAdmissionStopsTheJobForGood() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(ONE, "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.awaitSuspended("job", false);

      cluster.answer("job", "budget", CheckState.REJECTED, null);

      Workload rejected = cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      assertThat(rejected.spec().active()).isFalse();
      cluster.awaitSuspended("job", true);
      cluster.pass(Duration.ofHours(1));
      assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Hold", "HoldAndDrain"})
  void aQueueStoppedWhileTheChecksRunWithdrawsTheReservation(String policy) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(ONE, "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);

      cluster.queue(ONE + ", stopPolicy: " + policy, "default=1");
      cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.pass(Duration.ofMinutes(1));
      assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();

      cluster.queue(ONE + ", stopPolicy: None", "default=1");
      Workload again = cluster.awaitWorkload("job", TestCluster::reserved);
      assertThat(states(again)).containsExactly(CheckState.PENDING);
    }
  }

  @Test
  void aCheckThatIsDeletedUnderAReservationIsKeptWhileItIsNeeded() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(ONE, "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.settle();

      cluster.api.delete(
          KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("budget"), DeleteOptions.background());
      cluster.answer("job", "budget", CheckState.READY, null);

      cluster.awaitSuspended("job", false);
      assertThat(cluster.api.get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("budget")))
          .isPresent();
      cluster.queue("", "default=1");
      cluster.api.patch(
          KueueTypes.CLUSTER_QUEUE,
          ObjectKey.cluster("cq"),
          TestCluster.merge("{\"spec\": {\"admissionChecksStrategy\": null}}"));
      cluster.awaitThat(
          "it goes",
          world ->
              world.api.get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("budget")).isEmpty());
    }
  }

  private static String active(TestCluster cluster) {
    return Conditions.find(cluster.clusterQueue().status().conditions(), "Active")
        .map(CheckStrategyTest::text)
        .orElse("");
  }

  private static String text(Condition condition) {
    return condition.status() + " " + condition.reason() + " " + condition.message();
  }

  private static List<String> names(Workload workload) {
    return workload.status().admissionChecks().stream().map(AdmissionCheckState::name).toList();
  }

  private static List<CheckState> states(Workload workload) {
    return workload.status().admissionChecks().stream().map(AdmissionCheckState::state).toList();
  }
}
