// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.cohort;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues of one Cohort use what the others leave, as far as limits let them. */
@Simulated
class BorrowingTest {
  private final TestCluster cluster = new TestCluster();
  private final Family family = new Family(cluster);

  @BeforeEach
  void start() {
    cluster.startCore();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void whatOneLeavesTheOtherUsesUntilItIsNeededBack() {
    family.queue("a", "pool", "nominalQuota: 2");
    family.queue("b", "pool", "nominalQuota: 2");
    family.job("a", "borrower", 3);
    cluster.awaitWorkload("borrower", TestCluster::admitted);
    cluster.passUntil(
        "the status says what is borrowed",
        world ->
            family.queue("a").status().flavorsUsage().stream()
                .flatMap(flavor -> flavor.resources().stream())
                .anyMatch(
                    resource ->
                        Quantity.of(3).equals(resource.total())
                            && Quantity.ONE.equals(resource.borrowed())));

    family.job("b", "owner", 2);
    Condition refused = refused("owner");
    assertThat(refused.reason()).isEqualTo("WaitingForQuota");
    assertThat(refused.message())
        .contains("insufficient unused quota for cpu in flavor default, 1 more needed");

    cluster.jobSucceeds("borrower");
    cluster.awaitWorkload("owner", TestCluster::admitted);
  }

  @Test
  void twoHeadsOfOneCycleDoNotTakeTheSameQuota() {
    family.queue("a", "pool", "nominalQuota: 0");
    family.queue("b", "pool", "nominalQuota: 0");
    family.job("a", "one", 3);
    family.job("b", "two", 3);
    refused("one");
    refused("two");

    family.cohort("pool", "", "nominalQuota: 4");

    cluster.awaitThat(
        "one of them gets it",
        world ->
            TestCluster.admitted(world.workload("one"))
                != TestCluster.admitted(world.workload("two")));
    cluster.settle();
    assertThat(
            TestCluster.admitted(cluster.workload("one"))
                && TestCluster.admitted(cluster.workload("two")))
        .isFalse();
  }

  @Test
  void noMoreThanTheBorrowingLimit() {
    family.queue("a", "pool", "nominalQuota: 1, borrowingLimit: 2");
    family.queue("b", "pool", "nominalQuota: 9");
    family.job("a", "too-much", 4);
    family.job("a", "enough", 3);

    cluster.awaitWorkload("enough", TestCluster::admitted);
    Condition refused = refused("too-much");
    assertThat(refused.reason()).isEqualTo("ExceedsMaxQuota");
    assertThat(refused.message()).contains("maximum capacity (3)");
  }

  @Test
  void noMoreThanIsLent() {
    family.queue("a", "pool", "nominalQuota: 0");
    family.queue("b", "pool", "nominalQuota: 3, lendingLimit: 1");
    family.job("a", "too-much", 2);
    family.job("a", "enough", 1);

    cluster.awaitWorkload("enough", TestCluster::admitted);
    assertThat(refused("too-much").reason()).isEqualTo("ExceedsMaxQuota");
    family.job("b", "own", 2);
    cluster.awaitWorkload("own", TestCluster::admitted);
  }

  @Test
  void quotaOfAnAncestorIsForAllBelow() {
    family.queue("a", "team", "nominalQuota: 1");
    family.queue("b", "division", "nominalQuota: 1");
    family.job("a", "wide", 6);
    assertThat(refused("wide").reason()).isEqualTo("ExceedsMaxQuota");

    family.cohort("team", "division", "nominalQuota: 2");
    family.cohort("division", "", "nominalQuota: 2");
    cluster.awaitWorkload("wide", TestCluster::admitted);

    family.job("b", "late", 1);
    assertThat(refused("late").reason()).isEqualTo("WaitingForQuota");
    family.cohort("division", "", "nominalQuota: 3");
    cluster.awaitWorkload("late", TestCluster::admitted);
  }

  private Condition refused(String job) {
    cluster.passUntil(
        job + " is refused",
        world ->
            world.workload(job).status().conditions().stream()
                .anyMatch(
                    condition ->
                        condition.type().equals(WorkloadConditions.QUOTA_RESERVED)
                            && condition.isFalse()
                            && !condition.reason().equals("PendingEvaluation")));
    cluster.pass(Duration.ofSeconds(1));
    return TestCluster.condition(cluster.workload(job), WorkloadConditions.QUOTA_RESERVED);
  }
}
