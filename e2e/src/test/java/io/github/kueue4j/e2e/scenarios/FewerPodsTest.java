// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.e2e.assembly.Playground;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** KEP-420 with pods that really run: a Job of four finds quota for two. */
class FewerPodsTest {
  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "BINARIES"})
  void aJobRunsWithFewerPodsGetsItsSizeBackWhenPreemptedAndFinishes(ScenarioCluster kind)
      throws InterruptedException {
    try (Stage stage = new Stage(kind, Playground.quietConfiguration(), 5)) {
      stage.create(
          """
          apiVersion: batch/v1
          kind: Job
          metadata:
            name: elastic
            namespace: ml
            labels: {kueue.x-k8s.io/queue-name: main}
            annotations: {kueue.x-k8s.io/job-min-parallelism: "2"}
          spec:
            suspend: true
            parallelism: 4
            completions: 4
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                resources: {requests: {cpu: 2}}}]}
          """);
      stage.until("two of its pods run", () -> stage.jobs.ready("elastic", 2));
      assertThat(parallelism(stage)).isEqualTo(2);
      assertThat(stage.jobs.activePods("elastic")).hasSize(2);
      assertThat(admitted(stage)).isEqualTo(2);

      stage.create(
          """
          apiVersion: batch/v1
          kind: Job
          metadata:
            name: urgent
            namespace: ml
            labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/priority-class: urgent}
          spec:
            suspend: true
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                resources: {requests: {cpu: 5}}}]}
          """);
      stage.until("the urgent one runs", () -> stage.jobs.ready("urgent", 1));
      assertThat(stage.jobs.suspended("elastic")).isTrue();
      assertThat(parallelism(stage)).as("as its user wrote it").isEqualTo(4);
      assertThat(stage.jobs.activePods("elastic")).isEmpty();
      assertThat(stage.is("elastic", WorkloadConditions.QUOTA_RESERVED)).isFalse();

      stage.letTimePass(Duration.ofMinutes(2));
      stage.until("the urgent one finishes", () -> stage.jobs.complete("urgent"));
      stage.until("then the elastic one, in two rounds", () -> stage.jobs.complete("elastic"));
      assertThat(stage.jobs.status("elastic").getSucceeded()).isEqualTo(4);
      assertThat(parallelism(stage)).as("it ran with two again").isEqualTo(2);
      stage.until("the quota is free", stage::quotaIsFree);
    }
  }

  private static Integer parallelism(Stage stage) {
    return Objects.requireNonNull(stage.jobs.job("elastic").getSpec()).getParallelism();
  }

  private static Integer admitted(Stage stage) {
    return Objects.requireNonNull(stage.jobs.workload("elastic").status().admission())
        .podSetAssignments()
        .getFirst()
        .count();
  }
}
