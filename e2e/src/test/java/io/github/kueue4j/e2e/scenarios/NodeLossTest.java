// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.runtime.client.DeleteOptions;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes and pods are lost while a Job runs. At first the Job controller replaces the pods. */
class NodeLossTest {
  /** All pods start on the first node by name. */
  private static final ObjectKey NODE = ObjectKey.cluster("gpu-1");

  private static final Configuration RECOVERY =
      Configuration.parse(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          leaderElection: {leaderElect: false}
          health: {healthProbeBindAddress: "0"}
          metrics: {bindAddress: "0"}
          waitForPodsReady:
            timeout: 30m
            recoveryTimeout: 2m
            requeuingStrategy: {backoffBaseSeconds: 86400, backoffMaxSeconds: 86400}
          """);

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "BINARIES"})
  void lostPodsAreReplacedAndTheJobFinishesOnItsQuota(ScenarioCluster kind)
      throws InterruptedException {
    try (Stage stage = new Stage(kind, Playground.quietConfiguration(), 20)) {
      stage.create(job("train", 2, 10));
      stage.until("both pods run", () -> stage.jobs.ready("train", 2));
      String admitted = stage.jobs.workload("train").metadata().getUid();
      assertThat(stage.jobs.activePods("train"))
          .hasSize(2)
          .allMatch(pod -> NODE.name().equals(pod.getSpec().getNodeName()));

      stage.api.delete(CoreTypes.NODE, NODE, DeleteOptions.background());
      stage.until(
          "both pods run elsewhere",
          () ->
              stage.jobs.activePods("train").size() == 2
                  && stage.jobs.activePods("train").stream()
                      .noneMatch(pod -> NODE.name().equals(pod.getSpec().getNodeName())));
      // The status may still tell of the two before.
      stage.until(
          "and are counted",
          () ->
              stage.jobs.ready("train", 2)
                  && Integer.valueOf(2).equals(stage.jobs.status("train").getFailed()));

      String before = stage.jobs.activePods("train").getFirst().getMetadata().getUid();
      stage.api.delete(
          CoreTypes.POD,
          ObjectKey.of(stage.jobs.activePods("train").getFirst()),
          DeleteOptions.background());
      stage.until(
          "a deleted pod is replaced, too",
          () ->
              stage.jobs.ready("train", 2)
                  && stage.jobs.activePods("train").size() == 2
                  && stage.jobs.activePods("train").stream()
                      .noneMatch(pod -> pod.getMetadata().getUid().equals(before)));
      assertThat(stage.jobs.workload("train").metadata().getUid()).isEqualTo(admitted);
      assertThat(stage.is("train", WorkloadConditions.ADMITTED)).isTrue();
      assertThat(
              Conditions.find(
                  stage.jobs.workload("train").status().conditions(), WorkloadConditions.EVICTED))
          .isEmpty();

      stage.letTimePass(Duration.ofMinutes(2));
      stage.until("the Job finishes", () -> stage.jobs.complete("train"));
      stage.until("so does its Workload", () -> stage.is("train", WorkloadConditions.FINISHED));
      stage.until("the quota is free", stage::quotaIsFree);
    }
  }

  /** No other machine is large enough: after the time to recover the quota goes to others. */
  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "BINARIES"})
  void podsThatFindNoOtherNodeAreEvictedAfterTheTimeToRecover(ScenarioCluster kind)
      throws InterruptedException {
    try (Stage stage = new Stage(kind, RECOVERY, 40)) {
      stage.create(job("large", 1, 40));
      stage.until("its pod runs", () -> stage.jobs.ready("large", 1));
      stage.until("it is ready", () -> stage.is("large", WorkloadConditions.PODS_READY));

      stage.api.delete(CoreTypes.NODE, NODE, DeleteOptions.background());
      stage.until("it isn't any more", () -> !stage.is("large", WorkloadConditions.PODS_READY));
      assertThat(stage.jobs.ready("large", 0)).isTrue();
      assertThat(stage.is("large", WorkloadConditions.ADMITTED)).isTrue();

      stage.letTimePass(Duration.ofSeconds(3));
      stage.until(
          "it is evicted",
          () ->
              Conditions.is(
                  stage.jobs.workload("large").status().conditions(),
                  WorkloadConditions.EVICTED,
                  "True",
                  "PodsReadyTimeout"));
      stage.until("its Job stops", () -> stage.jobs.suspended("large"));
      stage.until("the quota is free", stage::quotaIsFree);
    }
  }

  private static String job(String name, int pods, int cpus) {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: ml, labels: {kueue.x-k8s.io/queue-name: main}}
        spec:
          parallelism: %d
          completions: %d
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: %d}}}]}
        """
        .formatted(name, pods, pods, cpus);
  }
}
