// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.clock;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The machine's clock is set while a Workload pauses, because its reservation was refused. */
@Tag("quick")
@Simulated
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
class SetClockTest {
  private static final RequestMatcher STATUSES =
      RequestMatcher.verbs("patch")
          .and(RequestMatcher.resource("workloads"))
          .and(RequestMatcher.subresource("status"));

  /** As long as after a refusal. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  @Test
  void setBackItDoesNotStretchThePause() {
    try (TestCluster cluster = new TestCluster();
        ManualTime steady = ManualTime.create()) {
      refused(cluster, steady);

      steady.advance(PAUSE);

      cluster.awaitSuspended("job", false);
    }
  }

  @Test
  void setForwardItDoesNotCutThePauseShort() {
    try (TestCluster cluster = new TestCluster();
        ManualTime steady = ManualTime.create()) {
      refused(cluster, steady);

      cluster.time.advance(Duration.ofHours(1));
      // Anything that happens lets the scheduler look again.
      cluster.job("other", 1);
      cluster.awaitSuspended("other", false);
      assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();

      steady.advance(PAUSE);
      cluster.awaitSuspended("job", false);
    }
  }

  private static void refused(TestCluster cluster, ManualTime steady) {
    cluster.queue("", "default=2");
    cluster.startCoreBeside(steady);
    cluster.settle();
    cluster.failNextPatches(1, "workloads", 403);
    cluster.job("job", 1);
    Awaitility.await().until(() -> cluster.server.requests().count(STATUSES, 403) == 1);
    cluster.settle();
  }
}
