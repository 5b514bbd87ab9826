// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.shrink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An administrator takes quota away: what runs keeps running, of what only holds a reservation the
 * youngest give theirs back, and everything goes on when the quota returns.
 */
@Tag("quick")
@Simulated
class QuotaShrinksTest {
  private static final String CHECKS =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}]}";

  @Test
  void theYoungestReservationsAreWithdrawnAndNothingThatRuns() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=3");
      cluster.startCore();
      for (String job : new String[] {"running", "older", "younger"}) {
        cluster.job(job, 1);
        cluster.awaitWorkload(job, TestCluster::reserved);
        cluster.advance(Duration.ofSeconds(2));
      }
      cluster.answer("running", "budget", CheckState.READY, null);
      cluster.awaitSuspended("running", false);
      cluster.settle();

      cluster.queue(CHECKS, "default=2");

      Workload younger =
          cluster.awaitWorkload("younger", workload -> !TestCluster.reserved(workload));
      assertThat(TestCluster.condition(younger, WorkloadConditions.QUOTA_RESERVED).reason())
          .isEqualTo("WaitingForQuota");
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("older"))).isTrue();
      assertThat(TestCluster.admitted(cluster.workload("running"))).isTrue();

      cluster.queue(CHECKS, "default=3");
      cluster.awaitWorkload("younger", TestCluster::reserved);
    }
  }

  @Test
  void aFlavorThatIsTakenAwayWithdrawsItsReservations() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "old=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);

      cluster.queue(CHECKS, "new=1");

      Workload moved =
          cluster.awaitWorkload(
              "job",
              workload ->
                  workload.status().admission() != null
                      && workload
                          .status()
                          .admission()
                          .podSetAssignments()
                          .getFirst()
                          .flavors()
                          .containsValue("new"));
      assertThat(TestCluster.reserved(moved)).isTrue();
    }
  }
}
