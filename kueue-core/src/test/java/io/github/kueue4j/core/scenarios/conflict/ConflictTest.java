// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.conflict;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writes that are refused, or that fail, are decided again and never counted twice. */
@Tag("quick")
@Simulated
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
class ConflictTest {
  @Test
  void aConflictIsReadFromTheServerAndDecidedAgain() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.failNextPatches(3, "workloads", 409);
      cluster.job("first", 1);

      cluster.awaitWorkload("first", TestCluster::admitted);
      cluster.awaitSuspended("first", false);
      assertThat(
              cluster
                  .server
                  .requests()
                  .count(
                      RequestMatcher.verbs("get")
                          .and(RequestMatcher.resource("workloads"))
                          .and(request -> request.userAgent().contains("kueue-core"))))
          .isEqualTo(3);
    }
  }

  @Test
  void aFailingServerDelaysButTheQuotaStaysConsistent() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.failNextPatches(2, "workloads", 500);
      cluster.job("first", 1);
      cluster.job("second", 1);
      cluster.workload("first");
      cluster.workload("second");
      for (int i = 0; i < 5; i++) {
        cluster.pass(Duration.ofSeconds(1));
      }

      cluster.awaitThat("exactly one is admitted", ConflictTest::exactlyOneAdmitted);
      cluster.settle();
      assertThat(exactlyOneAdmitted(cluster)).isTrue();
    }
  }

  @Test
  void aConflictOnTheJobDoesNotStopItFromStarting() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.failNextPatches(2, "jobs", 409);
      cluster.job("first", 1);

      cluster.awaitSuspended("first", false);
    }
  }

  private static boolean exactlyOneAdmitted(TestCluster cluster) {
    return cluster.workloads().stream().filter(TestCluster::admitted).count() == 1;
  }
}
