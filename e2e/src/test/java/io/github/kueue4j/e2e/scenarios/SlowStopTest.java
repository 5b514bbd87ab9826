// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Pods that take 25 s of their grace period of 30 s to end: meanwhile no other Job's pods run on
 * their quota. When they were told to end, the API server says by its own clock, so a simulated
 * world can't play this on a real one; the stories do, with real kubelets.
 */
class SlowStopTest {
  private static final int STOP_SECONDS = 25;

  @Test
  void aPreemptorDoesNotRunBesideItsVictim() throws InterruptedException {
    try (Stage stage = stage()) {
      runSlow(stage);
      stage.create(job("next", "labels: {kueue.x-k8s.io/priority-class: urgent,"));
      Instant told = stage.toldToEnd("slow");
      stage.until("its Job counts the pod", () -> Integer.valueOf(1).equals(terminating(stage)));
      assertThat(stage.jobs.status("slow").getActive()).isNull();
      assertThat(stage.is("slow", WorkloadConditions.QUOTA_RESERVED)).isTrue();

      assertNextStartsAfterTheStop(stage, told);
      assertThat(stage.is("slow", WorkloadConditions.QUOTA_RESERVED)).isFalse();
    }
  }

  @Test
  void norDoesTheNextInTheQueueBesideAJobThatWasDeleted() throws InterruptedException {
    try (Stage stage = stage()) {
      runSlow(stage);
      stage.create(job("next", "labels: {"));
      stage.api.delete(CoreTypes.JOB, stage.jobs.key("slow"), DeleteOptions.background());
      Instant told = stage.toldToEnd("slow");

      assertNextStartsAfterTheStop(stage, told);
    }
  }

  /** The API server can't tell whether the pod still runs: it counts for five minutes more. */
  @Test
  @ExpectedLog(
      logger = "StoppedPods",
      message = "Released quota although pods on lost nodes may still run")
  void aPodOnALostNodeKeepsItsQuotaForALimitedTime() throws InterruptedException {
    try (Stage stage = stage()) {
      runSlow(stage);
      ObjectKey node =
          ObjectKey.cluster(
              Objects.requireNonNull(
                  stage.jobs.activePods("slow").getFirst().getSpec().getNodeName()));
      ready(stage, node, "Unknown");
      stage.create(job("next", "labels: {kueue.x-k8s.io/priority-class: urgent,"));
      Instant told = stage.toldToEnd("slow");

      Instant started = next(stage);

      assertThat(started).isAfterOrEqualTo(told.plusSeconds(30 + 5 * 60));
      assertThat(stage.jobs.pods("slow")).as("its pod stays").hasSize(1);
      ready(stage, node, "True");
      stage.until("its node is back and ends it", () -> stage.jobs.pods("slow").isEmpty());
    }
  }

  private static void ready(Stage stage, ObjectKey node, String status) {
    V1Node before = stage.api.get(CoreTypes.NODE, node).orElseThrow();
    V1Node after = KueueJson.fromTree(KueueJson.toTree(before), V1Node.class);
    Objects.requireNonNull(Objects.requireNonNull(after.getStatus()).getConditions()).stream()
        .filter(condition -> condition.getType().equals("Ready"))
        .forEach(condition -> condition.setStatus(status));
    stage.api.patchStatus(CoreTypes.NODE, GuardedPatch.ofStatus(before, after));
  }

  private static Stage stage() throws InterruptedException {
    return new Stage(ScenarioCluster.EMBEDDED, Playground.quietConfiguration(), 10);
  }

  private static void runSlow(Stage stage) {
    stage.create(job("slow", "labels: {"));
    stage.until("its pod runs", () -> stage.jobs.ready("slow", 1));
  }

  private static Integer terminating(Stage stage) {
    return stage.jobs.status("slow").getTerminating();
  }

  private static void assertNextStartsAfterTheStop(Stage stage, Instant told) {
    assertThat(next(stage)).isAfterOrEqualTo(told.plusSeconds(STOP_SECONDS));
    assertThat(stage.jobs.pods("slow")).isEmpty();
  }

  /** When the next one has started. */
  private static Instant next(Stage stage) {
    stage.letTimePass(Duration.ofSeconds(3));
    stage.until("the next one runs", () -> stage.jobs.ready("next", 1));
    V1Pod next = stage.jobs.activePods("next").getFirst();
    return Objects.requireNonNull(next.getStatus().getStartTime()).toInstant();
  }

  private static String job(String name, String labels) {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: ml, %s kueue.x-k8s.io/queue-name: main}}
        spec:
          template:
            metadata: {annotations: {simulation.kueue4j.io/stop-time: %ds}}
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 10}}}]}
        """
        .formatted(name, labels, STOP_SECONDS);
  }
}
