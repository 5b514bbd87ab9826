// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.cohort;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cohorts come, change, go and point at each other while their queues are in use. */
@Tag("quick")
@Simulated
class CohortChangesTest {
  private static final String CHECKS =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}]}";

  private final TestCluster cluster = new TestCluster();
  private final Family family = new Family(cluster);

  @BeforeEach
  void start() {
    cluster.check("budget");
    cluster.startCore();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void itsOwnAncestorKeepsItsMembersFromAdmitting() {
    family.cohort("egg", "hen", "nominalQuota: 1");
    family.queue("a", "egg", "nominalQuota: 1");
    family.queue("other", "", "nominalQuota: 1");
    cluster.awaitThat("active", world -> active().isTrue());

    family.cohort("hen", "egg", "nominalQuota: 1");
    cluster.passUntil("inactive", world -> active().isFalse());
    assertThat(active().reason()).isEqualTo("CohortCycle");
    assertThat(active().message())
        .isEqualTo(
            "Can't admit new workloads: belongs to a Cohort that is its own ancestor:"
                + " egg > hen > egg.");
    family.job("a", "stuck", 1);
    family.job("other", "free", 1);
    cluster.awaitWorkload("free", TestCluster::admitted);
    cluster.passUntil(
        "it is said",
        world ->
            world.workload("stuck").status().conditions().stream()
                .anyMatch(
                    condition ->
                        condition.type().equals(WorkloadConditions.QUOTA_RESERVED)
                            && condition.reason().equals("Misconfigured")
                            && condition
                                .message()
                                .startsWith(
                                    "ClusterQueue a is inactive. Can't admit new workloads: belongs"
                                        + " to a Cohort that is its own ancestor")));

    family.cohort("hen", "", "nominalQuota: 1");
    cluster.awaitWorkload("stuck", TestCluster::admitted);
  }

  @Test
  void whatOfItHasNoEffectIsToldByItsMembers() {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Cohort
        metadata: {name: company}
        spec:
          admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 1}]}]
        """);
    family.cohort("pool", "company", "");
    family.queue("a", "pool", "nominalQuota: 1");
    String told =
        "Can admit new workloads. Cohort company: spec.admissionScope has no effect: admission fair"
            + " sharing is off (admissionFairSharing of the configuration)";

    cluster.passUntil(
        "the flavor is missing",
        world ->
            active()
                .message()
                .equals(
                    told
                        + ". Cohort company: spec.resourceGroups references missing"
                        + " ResourceFlavor(s) spot"));
    cluster.flavor("spot");
    cluster.passUntil("it is there", world -> active().message().equals(told));
  }

  @Test
  void deletedItLeavesItsMembersTogetherWithoutItsQuota() {
    family.cohort("pool", "company", "nominalQuota: 1");
    family.cohort("company", "", "nominalQuota: 5");
    family.queue("a", "pool", "nominalQuota: 1");
    family.queue("b", "pool", "nominalQuota: 1");

    cluster.api.delete(KueueTypes.COHORT, ObjectKey.cluster("pool"), DeleteOptions.background());
    cluster.settle();
    family.job("a", "both", 2);
    cluster.awaitWorkload("both", TestCluster::admitted);
    family.job("b", "more", 1);
    cluster.passUntil("refused", world -> refused("more"));

    family.cohort("pool", "company", "nominalQuota: 0");
    cluster.awaitWorkload("more", TestCluster::admitted);
  }

  @Test
  void withLessQuotaTheYoungestThatBorrowGiveTheirsBack() {
    family.cohort("pool", "", "nominalQuota: 2");
    family.queue("owner", "pool", "nominalQuota: 1", CHECKS);
    family.queue("borrower", "pool", "nominalQuota: 0", CHECKS);
    for (String job : new String[] {"running", "young"}) {
      family.job("borrower", job, 1);
      cluster.awaitWorkload(job, TestCluster::reserved);
      cluster.advance(Duration.ofSeconds(2));
    }
    cluster.answer("running", "budget", CheckState.READY, null);
    cluster.awaitSuspended("running", false);
    family.job("owner", "own", 1);
    cluster.awaitWorkload("own", TestCluster::reserved);
    cluster.settle();

    family.cohort("pool", "", "nominalQuota: 1");

    cluster.awaitWorkload("young", workload -> !TestCluster.reserved(workload));
    cluster.settle();
    assertThat(TestCluster.reserved(cluster.workload("own"))).isTrue();
    assertThat(TestCluster.admitted(cluster.workload("running"))).isTrue();
  }

  private Condition active() {
    return Conditions.find(family.queue("a").status().conditions(), "Active")
        .orElseGet(() -> new Condition("Active", "Unknown", "", "", cluster.time.instant(), null));
  }

  private boolean refused(String job) {
    return Conditions.find(
            cluster.workload(job).status().conditions(), WorkloadConditions.QUOTA_RESERVED)
        .filter(condition -> condition.reason().equals("WaitingForQuota"))
        .isPresent();
  }
}
