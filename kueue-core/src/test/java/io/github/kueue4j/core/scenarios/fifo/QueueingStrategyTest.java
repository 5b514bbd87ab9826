// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.fifo;

import static io.github.kueue4j.core.testing.TestCluster.merge;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A head that doesn't fit blocks a StrictFIFO queue; BestEffortFIFO lets smaller ones pass. */
@Simulated
class QueueingStrategyTest {
  private static final List<String> IN_ONE_SECOND = List.of("h", "c", "g", "a", "f", "b", "e", "d");

  @Test
  void nothingPassesTheHeadOfAStrictQueue() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("queueingStrategy: StrictFIFO", "default=4");
      cluster.startCore();
      submitRunningBigAndSmall(cluster);

      cluster.pass(Duration.ofSeconds(2));
      assertThat(TestCluster.reserved(cluster.workload("big"))).isFalse();
      assertThat(TestCluster.reserved(cluster.workload("small"))).isFalse();

      cluster.jobSucceeds("running");
      cluster.awaitWorkload("big", TestCluster::admitted);
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("small"))).isFalse();

      cluster.jobSucceeds("big");
      cluster.awaitWorkload("small", TestCluster::admitted);
    }
  }

  @Test
  void aStrictQueueTellsWhichHeadCanNeverFit() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("queueingStrategy: StrictFIFO", "default=4");
      cluster.startCore();
      cluster.job("huge", 5);
      String huge = ObjectKey.of(cluster.workload("huge")).toString();
      cluster.job("small", 1);
      cluster.workload("small");

      cluster.passUntil(
          "the head is named", there -> active(there).message().contains(huge + " can never fit"));

      assertThat(active(cluster).isTrue()).isTrue();
      assertThat(active(cluster).message()).contains("ExceedsMaxQuota", "spec.active: false");
      cluster.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(cluster.workload("huge")),
          merge("{\"spec\": {\"active\": false}}"));
      cluster.awaitWorkload("small", TestCluster::admitted);
      cluster.passUntil(
          "nothing blocks it", there -> active(there).message().equals("Can admit new workloads"));
    }
  }

  private static Condition active(TestCluster cluster) {
    return Conditions.find(cluster.clusterQueue().status().conditions(), "Active").orElseThrow();
  }

  @Test
  void smallerOnesPassTheHeadOfABestEffortQueue() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("queueingStrategy: BestEffortFIFO", "default=4");
      cluster.startCore();
      submitRunningBigAndSmall(cluster);

      cluster.awaitWorkload("small", TestCluster::admitted);
      assertThat(TestCluster.reserved(cluster.workload("big"))).isFalse();

      cluster.jobSucceeds("small");
      cluster.jobSucceeds("running");
      cluster.awaitWorkload("big", TestCluster::admitted);
    }
  }

  /**
   * Also in a strict queue: a check's delay holds up the Workload that it is about, not the queue.
   * Afterwards it is ordered by its eviction, behind those that came before that.
   */
  @ParameterizedTest
  @ValueSource(strings = {"StrictFIFO", "BestEffortFIFO"})
  void aWorkloadInBackoffIsOvertakenAndKeepsThePlaceOfItsEviction(String strategy) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(
          "queueingStrategy: "
              + strategy
              + ", admissionChecksStrategy: {admissionChecks: [{name: budget}]}",
          "default=1");
      cluster.startCore();
      submit(cluster, "first");
      cluster.awaitWorkload("first", TestCluster::reserved);
      submit(cluster, "second");
      submit(cluster, "third");
      cluster.answer("first", "budget", CheckState.RETRY, 60);
      cluster.advance(Duration.ofSeconds(1));
      submit(cluster, "fourth");

      cluster.answer("second", "budget", CheckState.READY, null);
      cluster.awaitWorkload("second", TestCluster::admitted);
      cluster.pass(Duration.ofSeconds(61));
      assertThat(TestCluster.reserved(cluster.workload("first"))).as("as a head").isFalse();

      cluster.jobSucceeds("second");
      for (String next : List.of("third", "first", "fourth")) {
        cluster.awaitWorkload(next, TestCluster::reserved);
        cluster.answer(next, "budget", CheckState.READY, null);
        cluster.awaitWorkload(next, TestCluster::admitted);
        cluster.jobSucceeds(next);
      }
    }
  }

  private static void submit(TestCluster cluster, String name) {
    cluster.job(name, 1);
    cluster.workload(name);
    cluster.advance(Duration.ofSeconds(1));
  }

  @Test
  void equalsAreServedInTheOrderOfTheirCreation() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      for (String name : new String[] {"c", "a", "b"}) {
        cluster.job(name, 1);
        cluster.workload(name);
        cluster.advance(Duration.ofSeconds(1));
      }

      cluster.awaitWorkload("c", TestCluster::admitted);
      cluster.jobSucceeds("c");
      cluster.awaitWorkload("a", TestCluster::admitted);
      assertThat(TestCluster.reserved(cluster.workload("b"))).isFalse();
      cluster.jobSucceeds("a");
      cluster.awaitWorkload("b", TestCluster::admitted);
    }
  }

  /**
   * A creationTimestamp has whole seconds, so the server's order has to be known from elsewhere.
   */
  @Test
  void thoseOfOneSecondAreServedInTheOrderInWhichTheServerStoredThem() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      createInOneSecond(cluster);

      assertThat(servedOneByOne(cluster)).isEqualTo(IN_ONE_SECOND);
    }
  }

  /** What was not written since its creation keeps the version that the server gave it then. */
  @Test
  void aRestartKeepsTheOrderOfThoseOfOneSecond() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      createInOneSecond(cluster);
      cluster.crashCore();

      cluster.startCore();

      assertThat(servedOneByOne(cluster)).isEqualTo(IN_ONE_SECOND);
    }
  }

  @Test
  void aHigherPriorityGoesFirst() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: WorkloadPriorityClass
          metadata: {name: urgent}
          value: 100
          """);
      cluster.startCore();
      cluster.job("running", 1);
      cluster.awaitWorkload("running", TestCluster::admitted);
      cluster.job("ordinary", 1);
      cluster.workload("ordinary");
      cluster.apply(TestJob.named("important").queue("lq").priority("urgent").cpus(1).yaml());
      Workload important = cluster.workload("important");
      assertThat(important.spec().priority()).isEqualTo(100);
      cluster.settle();

      cluster.jobSucceeds("running");
      cluster.awaitWorkload("important", TestCluster::admitted);
      assertThat(TestCluster.reserved(cluster.workload("ordinary"))).isFalse();
    }
  }

  /** Creates Workloads while no time passes, one after the other. */
  private static void createInOneSecond(TestCluster cluster) {
    for (String name : IN_ONE_SECOND) {
      cluster.job(name, 1);
      cluster.workload(name);
    }
    cluster.settle();
  }

  /** The Workloads in the order in which they get the only CPU. */
  private static List<String> servedOneByOne(TestCluster cluster) {
    List<String> served = new ArrayList<>();
    while (served.size() < IN_ONE_SECOND.size()) {
      cluster.settle();
      List<String> next =
          IN_ONE_SECOND.stream()
              .filter(name -> !served.contains(name))
              .filter(name -> TestCluster.admitted(cluster.workload(name)))
              .toList();
      assertThat(next).hasSize(1);
      served.addAll(next);
      cluster.jobSucceeds(next.getFirst());
    }
    return served;
  }

  private static void submitRunningBigAndSmall(TestCluster cluster) {
    cluster.job("running", 2);
    cluster.awaitWorkload("running", TestCluster::admitted);
    cluster.advance(Duration.ofSeconds(1));
    cluster.job("big", 4);
    cluster.workload("big");
    cluster.advance(Duration.ofSeconds(1));
    cluster.job("small", 1);
    cluster.workload("small");
    cluster.settle();
  }
}
