// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.KueueScript;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.script.RunningController;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@KueueTest(start = "2026-06-01T20:00:00Z")
class SmallBudgetCheckTest {
  private KueueCluster cluster;
  private RunningController controller;

  @BeforeEach
  void begin(KueueCluster given) {
    cluster = given;
    cluster.apply(
        """
        {apiVersion: v1, kind: Namespace, metadata: {name: budgets}}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: daily, namespace: budgets}
        data: {cpuHours: "100", zone: Europe/Berlin}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: budget}
        spec:
          controllerName: example.com/small-budget
          parameters: {apiGroup: v1, kind: ConfigMap, name: daily}
        """);
    controller = cluster.run(CheckStarter.of(SmallBudgetCheck::controller));
  }

  @Test
  void whatIsExhaustedWaitsUntilMidnightAndARestartForgetsNothing() {
    answered("first", 6, 10 * 3600, CheckState.READY).admit();
    controller.restart();

    PlayedWorkload second = answered("second", 5, 10 * 3600, CheckState.RETRY);
    assertThat(second.entry("budget").message())
        .matches(
            "It costs 50\\.0 CPU-hours, 40\\.0 CPU-hours of today's 100\\.0 CPU-hours are left;"
                + " queued again in 2 h( 1 min)?\\.");
    // It is ten in the evening in Berlin, and up to a minute is added.
    assertThat(second.entry("budget").requeueAfterSeconds()).isBetween(7200, 7260);
    second.backOff().requeue().reserve().awaitState("budget", CheckState.READY);
    assertThat(second.entry("budget").message()).isEqualTo("50.0 CPU-hours are left for today.");
  }

  @Test
  void theBudgetIsThatOfANamespace() {
    cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: team-b}}");
    answered("all", 10, 10 * 3600, CheckState.READY);

    cluster.apply(workload("other", "team-b", 10, 36_000));
    try (JsonApi api = JsonApi.at(cluster.uri());
        KueueScript others = KueueScript.builder(api, cluster.time()).namespace("team-b").start()) {
      others.existing("other").reserve("budget").awaitState("budget", CheckState.READY);
    }
    answered("more", 1, 60, CheckState.RETRY);
  }

  @Test
  void whatEndedEarlyGivesTheRestBackToThoseThatComeLater() {
    PlayedWorkload brief = answered("brief", 10, 10 * 3600, CheckState.READY).admit();
    cluster.advance(Duration.ofHours(1));
    brief.finish();

    answered("more", 9, 10 * 3600, CheckState.READY);
    answered("most", 1, 60, CheckState.RETRY);
  }

  /** All are asked about at the same time, before the watch shows any answer. */
  @Test
  void ofManyAtOnceNoMoreStartThanTheBudgetHas() {
    List<PlayedWorkload> all =
        Stream.of("a", "b", "c", "d", "e", "f").map(name -> reserved(name, 3, 36_000)).toList();

    all.forEach(
        one ->
            one.await(
                "an answer",
                workload ->
                    workload.status().admissionCheck("budget").stream()
                        .noneMatch(entry -> entry.is(CheckState.PENDING))));
    assertThat(all).filteredOn(one -> one.entry("budget").is(CheckState.READY)).hasSize(3);
  }

  @Test
  void whatCanNeverStartIsRejected() {
    assertThat(answered("large", 11, 10 * 3600, CheckState.REJECTED).entry("budget").message())
        .isEqualTo("It costs 110.0 CPU-hours, a day's budget is 100.0 CPU-hours.");
    assertThat(answered("endless", 1, 0, CheckState.REJECTED).entry("budget").message())
        .contains("kueue.x-k8s.io/max-exec-time-seconds");
  }

  private PlayedWorkload answered(String name, int cpus, int seconds, CheckState state) {
    return reserved(name, cpus, seconds).awaitState("budget", state);
  }

  private PlayedWorkload reserved(String name, int cpus, int seconds) {
    cluster.apply(workload(name, "default", cpus, seconds));
    return cluster.script().existing(name).reserve("budget");
  }

  private static String workload(String name, String namespace, int cpus, int seconds) {
    return """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: %s, namespace: %s}
        spec:
          queueName: script
          %s
          podSets:
            - name: main
              count: 1
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - {name: main, image: example.invalid/main, resources: {requests: {cpu: %d}}}
        """
        .formatted(
            name, namespace, seconds == 0 ? "" : "maximumExecutionTimeSeconds: " + seconds, cpus);
  }
}
