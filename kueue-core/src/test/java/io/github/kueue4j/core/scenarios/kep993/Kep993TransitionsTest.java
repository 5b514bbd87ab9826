// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kep993;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The seven transitions that KEP-993 (two-stage admission) names in its test plan, with the core at
 * work on an API server.
 */
@Tag("quick")
@Simulated
class Kep993TransitionsTest {
  private static final String BOTH =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: license}]}";

  @Test
  void suspendedToReservedWithChecksAdded() {
    try (TestCluster cluster = withBothChecks()) {
      cluster.job("job", 1);

      Workload reserved = cluster.awaitWorkload("job", TestCluster::reserved);

      Condition reservation = TestCluster.condition(reserved, WorkloadConditions.QUOTA_RESERVED);
      assertThat(reserved.status().admissionChecks())
          .containsExactly(
              AdmissionCheckState.pending("budget", reservation.lastTransitionTime()),
              AdmissionCheckState.pending("license", reservation.lastTransitionTime()));
      assertThat(TestCluster.admitted(reserved)).isFalse();
      cluster.settle();
      cluster.awaitSuspended("job", true);
    }
  }

  @Test
  void reservedAndPassedToAdmitted() {
    try (TestCluster cluster = withBothChecks()) {
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);

      cluster.answer("job", "license", CheckState.READY, null);
      cluster.settle();
      assertThat(TestCluster.admitted(cluster.workload("job"))).isFalse();
      cluster.awaitSuspended("job", true);
      cluster.answer("job", "budget", CheckState.READY, null);

      cluster.awaitWorkload("job", TestCluster::admitted);
      cluster.awaitSuspended("job", false);
    }
  }

  @Test
  void backBecauseOfAQuotaChange() {
    try (TestCluster cluster = withBothChecks()) {
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.settle();

      cluster.queue(BOTH, "default=0");

      Workload back = cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      assertThat(back.status().admission()).isNull();
      assertThat(TestCluster.condition(back, WorkloadConditions.QUOTA_RESERVED).reason())
          .isEqualTo("WaitingForQuota");
      // The last check agrees too late: there is nothing to admit.
      cluster.answer("job", "license", CheckState.READY, null);
      cluster.settle();
      assertThat(TestCluster.admitted(cluster.workload("job"))).isFalse();

      cluster.queue(BOTH, "default=1");
      Workload again = cluster.awaitWorkload("job", TestCluster::reserved);
      assertThat(again.status().admissionChecks())
          .extracting(AdmissionCheckState::state)
          .containsExactly(CheckState.PENDING, CheckState.PENDING);
    }
  }

  @Test
  void backBecauseOfOtherFlavors() {
    String byFlavor =
        "admissionChecksStrategy: {admissionChecks: [{name: budget, onFlavors: [old]},"
            + " {name: license, onFlavors: [new]}]}";
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.check("license");
      cluster.queue(byFlavor, "old=1", "new=0");
      cluster.startCore();
      cluster.job("job", 1);
      Workload first = cluster.awaitWorkload("job", TestCluster::reserved);
      assertThat(names(first)).containsExactly("budget");

      cluster.queue(byFlavor, "old=0", "new=1");

      Workload second =
          cluster.awaitWorkload(
              "job",
              workload -> TestCluster.reserved(workload) && names(workload).contains("license"));
      assertThat(names(second)).containsExactly("license");
      assertThat(Objects.requireNonNull(second.status().admission()).podSetAssignments())
          .hasSize(1)
          .allMatch(podSet -> podSet.flavors().containsValue("new"));
      cluster.answer("job", "license", CheckState.READY, null);
      cluster.awaitSuspended("job", false);
    }
  }

  @ParameterizedTest
  @MethodSource("oneCheckAndTwo")
  void retryOfOneCheckAndOfTwo(List<String> retrying) {
    try (TestCluster cluster = withBothChecks()) {
      cluster.job("job", 1);
      Workload reserved = cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "license", CheckState.READY, null);
      for (String check : retrying.reversed()) {
        cluster.answer("job", check, CheckState.RETRY, 30);
      }

      Workload back = cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      assertThat(TestCluster.condition(back, WorkloadConditions.EVICTED).reason())
          .isEqualTo("AdmissionCheck");
      cluster.pass(Duration.ofSeconds(31));

      Workload again =
          cluster.awaitWorkload(
              "job",
              workload ->
                  TestCluster.reserved(workload)
                      && reservedAt(workload).isAfter(reservedAt(reserved)));
      assertThat(again.status().admissionChecks())
          .allMatch(entry -> entry.is(CheckState.PENDING))
          .filteredOn(entry -> Integer.valueOf(1).equals(entry.retryCount()))
          .extracting(AdmissionCheckState::name)
          .containsExactlyElementsOf(retrying);
      for (AdmissionCheckState entry : again.status().admissionChecks()) {
        cluster.answer("job", entry.name(), CheckState.READY, null);
      }
      cluster.awaitSuspended("job", false);
    }
  }

  @ParameterizedTest
  @MethodSource("oneCheckAndTwo")
  void rejectedByOneCheckAndByTwo(List<String> rejecting) {
    try (TestCluster cluster = withBothChecks()) {
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      for (String check : rejecting) {
        cluster.answer("job", check, CheckState.REJECTED, null);
      }

      Workload rejected =
          cluster.awaitWorkload(
              "job", workload -> !workload.spec().active() && !TestCluster.reserved(workload));
      assertThat(TestCluster.condition(rejected, WorkloadConditions.EVICTED).reason())
          .isEqualTo("DeactivatedDueToAdmissionCheck");
      cluster.pass(Duration.ofHours(1));
      assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();
      cluster.awaitSuspended("job", true);
    }
  }

  @Test
  void admittedWithNoChecks() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("job", 1);

      Workload admitted = cluster.awaitWorkload("job", TestCluster::admitted);

      assertThat(admitted.status().admissionChecks()).isEmpty();
      cluster.awaitSuspended("job", false);
    }
  }

  static Stream<List<String>> oneCheckAndTwo() {
    return Stream.of(List.of("budget"), List.of("budget", "license"));
  }

  private static TestCluster withBothChecks() {
    TestCluster cluster = new TestCluster();
    cluster.check("budget");
    cluster.check("license");
    cluster.queue(BOTH, "default=1");
    cluster.startCore();
    return cluster;
  }

  private static List<String> names(Workload workload) {
    return workload.status().admissionChecks().stream().map(AdmissionCheckState::name).toList();
  }

  private static Instant reservedAt(Workload workload) {
    return TestCluster.condition(workload, WorkloadConditions.QUOTA_RESERVED).lastTransitionTime();
  }
}
