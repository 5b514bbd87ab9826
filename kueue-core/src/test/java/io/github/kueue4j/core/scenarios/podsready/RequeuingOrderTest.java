// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.podsready;

import static io.github.kueue4j.core.testing.TestCluster.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What the timestamp of KEP-1282 decides about the order of a queue, and the limit that ends what
 * it may cause. Its story 1 is in {@link StockOutTest}; stories 2 and 3 with real pods in the
 * scenario of an image that never pulls.
 */
@Simulated
@ExpectedLog(logger = "BlockingQueueWarning", message = "may block it")
class RequeuingOrderTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private static String waiting(String more) {
    return "waitForPodsReady: {timeout: 5m, " + more + "}\n";
  }

  private static boolean isReady(Workload workload) {
    return Conditions.isTrue(workload.status().conditions(), "PodsReady");
  }

  /** The pods of an admitted Job don't get ready in time, and it stops when it is told. */
  private static void failsToStart(TestCluster cluster, String job) {
    cluster.awaitSuspended(job, false);
    cluster.pods(job, 1, 0);
    cluster.settle();
    cluster.advance(TIMEOUT.plusSeconds(1));
    cluster.awaitSuspended(job, true);
    cluster.pods(job, 0, 0);
    cluster.awaitWorkload(job, workload -> !TestCluster.reserved(workload));
  }

  private static void starts(TestCluster cluster, String job) {
    cluster.awaitSuspended(job, false);
    cluster.pods(job, 1, 1);
    cluster.awaitWorkload(job, RequeuingOrderTest::isReady);
  }

  /** By default: a Job whose pods don't get ready releases its quota for those behind it. */
  @Test
  void withEvictionOneThatFailedGoesBehindThoseThatWaitedMeanwhile() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(waiting("requeuingStrategy: {backoffBaseSeconds: 0}"));
      cluster.job("first", 1);
      cluster.awaitSuspended("first", false);
      cluster.advance(Duration.ofSeconds(5));
      cluster.job("second", 1);
      cluster.workload("second");

      failsToStart(cluster, "first");

      starts(cluster, "second");
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("first"))).isFalse();
      cluster.jobSucceeds("second");
      cluster.awaitSuspended("first", false);
    }
  }

  /** What story 1 asks for, within one flavor: an old place is kept. */
  @Test
  void withCreationOneThatFailedComesBackToItsOldPlace() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(
          waiting("requeuingStrategy: {timestamp: Creation, backoffBaseSeconds: 10}"));
      cluster.job("first", 1);
      cluster.awaitSuspended("first", false);
      cluster.advance(Duration.ofSeconds(5));
      cluster.job("second", 1);
      cluster.workload("second");
      cluster.advance(Duration.ofSeconds(5));
      cluster.job("third", 1);
      cluster.workload("third");

      failsToStart(cluster, "first");
      starts(cluster, "second");
      cluster.advance(Duration.ofSeconds(30));
      cluster.awaitWorkload(
          "first", workload -> Conditions.isTrue(workload.status().conditions(), "Requeued"));
      cluster.settle();
      cluster.jobSucceeds("second");

      starts(cluster, "first");
      assertThat(TestCluster.reserved(cluster.workload("third"))).isFalse();
    }
  }

  /** Story 2: the limit ends what would go on for ever, here two that push each other out. */
  @Test
  void aJobThatPreemptsWithItsOldPlaceFlapsOnlyUpToItsLimit() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("preemption: {withinClusterQueue: LowerOrNewerEqualPriority}", "default=1");
      cluster.startCore(
          waiting(
              "requeuingStrategy: {timestamp: Creation, backoffBaseSeconds: 10,"
                  + " backoffMaxSeconds: 10, backoffLimitCount: 2}"));
      cluster.job("broken", 1);
      cluster.awaitSuspended("broken", false);
      cluster.advance(Duration.ofSeconds(5));
      cluster.job("healthy", 1);
      cluster.workload("healthy");

      for (int turn = 1; turn <= 2; turn++) {
        failsToStart(cluster, "broken");
        starts(cluster, "healthy");
        cluster.settle();
        cluster.advance(Duration.ofSeconds(11));
        // It is older: it takes its place from the one that runs.
        cluster.awaitSuspended("healthy", true);
        cluster.pods("healthy", 0, 0);
      }
      failsToStart(cluster, "broken");

      assertThat(cluster.workload("broken").spec().active()).isFalse();
      starts(cluster, "healthy");
      cluster.pass(Duration.ofHours(1));
      assertThat(TestCluster.admitted(cluster.workload("healthy"))).isTrue();
      assertThat(
              Objects.requireNonNull(cluster.workload("healthy").status().schedulingStats())
                  .evictions()
                  .getFirst()
                  .count())
          .as("preempted once per try of the other one")
          .isEqualTo(2);
    }
  }

  @Test
  void withEvictionARequeuedWorkloadPreemptsNone() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("preemption: {withinClusterQueue: LowerOrNewerEqualPriority}", "default=1");
      cluster.startCore(waiting("requeuingStrategy: {backoffBaseSeconds: 10}"));
      cluster.job("broken", 1);
      cluster.awaitSuspended("broken", false);
      cluster.advance(Duration.ofSeconds(5));
      cluster.job("healthy", 1);
      cluster.workload("healthy");

      failsToStart(cluster, "broken");
      starts(cluster, "healthy");
      cluster.pass(Duration.ofMinutes(10));

      assertThat(TestCluster.admitted(cluster.workload("healthy"))).isTrue();
      assertThat(condition(cluster.workload("broken"), "QuotaReserved").isFalse()).isTrue();
    }
  }

  @Test
  void aStrictQueueThatKeepsPlacesIsWarnedAbout() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue(
          "queueingStrategy: StrictFIFO, waitForPodsReady: {requeuingStrategy: {timestamp:"
              + " Creation}}",
          "default=1");
      cluster.startCore();

      cluster.awaitThat(
          "the warning",
          there ->
              there.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
                  .anyMatch(
                      event ->
                          "RequeuingMayBlock".equals(event.getReason())
                              && "cq".equals(event.getRegarding().getName())));
    }
  }
}
