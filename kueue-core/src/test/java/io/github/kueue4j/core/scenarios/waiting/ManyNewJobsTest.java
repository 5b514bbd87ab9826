// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Seeds;
import io.github.kueue4j.testdefaults.Nightly;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What holds quota or has been given some doesn't wait until all of many new Jobs have a Workload.
 */
@Tag("simulates")
class ManyNewJobsTest {
  private static final int SEEDS = Nightly.bound(1, 20);
  private static final int JOBS = 200;

  @Test
  void theFirstIsAdmittedBeforeAllHaveAWorkload() throws Exception {
    Seeds.each(SEEDS, simulation -> simulation.run("test", ManyNewJobsTest::firstAdmission));
  }

  @Test
  void quotaIsFreeAfterARetryBeforeAllHaveAWorkload() throws Exception {
    Seeds.each(SEEDS, simulation -> simulation.run("test", ManyNewJobsTest::retry));
  }

  private static Void firstAdmission() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      submit(cluster);
      cluster.startCore();

      cluster.awaitThat("an admission", ManyNewJobsTest::anAdmission);

      assertThat(workloads(cluster)).isLessThan(JOBS / 2);
    }
    return null;
  }

  private static Void retry() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.job("holder", 1);
      cluster.answer("holder", "budget", CheckState.READY, null);
      cluster.awaitWorkload("holder", TestCluster::admitted);
      cluster.crashCore();
      submit(cluster);
      cluster.startCore();
      cluster.awaitThat("the first Workloads", running -> workloads(running) > 5);

      cluster.answer("holder", "budget", CheckState.RETRY, 600);
      cluster.awaitWorkload("holder", holder -> !TestCluster.reserved(holder));

      assertThat(workloads(cluster)).isLessThan(JOBS);
    }
    return null;
  }

  private static void submit(TestCluster cluster) {
    for (int job = 0; job < JOBS; job++) {
      cluster.job("job-" + job, 1);
    }
  }

  private static boolean anAdmission(TestCluster cluster) {
    return cluster.workloads().stream().anyMatch(TestCluster::admitted);
  }

  private static int workloads(TestCluster cluster) {
    return cluster.workloads().size();
  }
}
