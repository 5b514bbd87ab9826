// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A patch of the core is written, its answer is lost on the way, and the watch is late. */
@Simulated
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
class LostAnswerTest {
  private static final RequestMatcher OF_THE_CORE =
      request -> request.userAgent().contains("kueue-core");

  /** What was reserved uses the quota. */
  @Test
  void quotaIsNotGivenTwice() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=0");
      cluster.startCore();
      cluster.job("first", 1);
      cluster.awaitWorkload("first", workload -> true);
      cluster.pass(Duration.ofSeconds(2)); // Among Workloads of the same second, names decide.
      cluster.job("second", 1);
      cluster.awaitWorkload("second", workload -> true);
      cluster.settle();
      Fault lost = loseTheNextAnswer(cluster, "first");

      cluster.queue("", "default=1");
      await().until(() -> lost.hits() == 1);
      cluster.awaitWorkload("first", TestCluster::reserved);
      // The next try finds out, once the error backoff is over.
      cluster.pass(Duration.ofMinutes(1));
      cluster.settle();

      assertThat(TestCluster.reserved(cluster.workload("first"))).isTrue();
      assertThat(TestCluster.reserved(cluster.workload("second"))).isFalse();
    }
  }

  /** R3 replaces the date of a check whose clock is off, and recognises its own date. */
  @Test
  void aDelayThatWasRecordedIsNotCountedAgain() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.job("first", 1);
      cluster.awaitWorkload("first", TestCluster::reserved);
      cluster.settle();
      Instant seen = cluster.time.instant();
      Fault lost = loseTheNextAnswer(cluster, "first");

      cluster.answer("first", "budget", CheckState.RETRY, 600, seen.minusSeconds(3600));
      await().until(() -> lost.hits() == 1);
      Workload recorded =
          cluster.awaitWorkload("first", workload -> !TestCluster.reserved(workload));
      cluster.pass(Duration.ofMinutes(1));

      assertThat(cluster.workload("first")).isEqualTo(recorded);
      assertThat(recorded.status().requeueAt()).isEqualTo(seen.plusSeconds(600));
      cluster.pass(Duration.ofSeconds(539));
      assertThat(cluster.workload("first")).isEqualTo(recorded);
      cluster.advance(Duration.ofSeconds(1));
      cluster.awaitWorkload("first", TestCluster::reserved);
    }
  }

  /**
   * Cuts the answer to the core's next patch of this Job's Workload, and silences the watches of
   * Workloads from then on.
   */
  private static Fault loseTheNextAnswer(TestCluster cluster, String job) {
    AtomicBoolean next = new AtomicBoolean(true);
    return cluster
        .server
        .faults()
        .cutAnswers(
            1,
            OF_THE_CORE
                .and(RequestMatcher.verbs("patch"))
                .and(
                    RequestMatcher.object(
                        TestCluster.NAMESPACE, cluster.workload(job).metadata().getName()))
                .and(
                    request -> {
                      boolean lost = next.getAndSet(false);
                      if (lost) {
                        cluster.silence("workloads");
                      }
                      return lost;
                    }),
            new Random());
  }
}
