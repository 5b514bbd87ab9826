// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An image that never pulls: its pods never get ready, and the number of tries is limited
 * (KEP-1282, story 2). The Job runs again without being made anew when its Workload is activated
 * (story 3).
 */
class ImagePullTest {
  private static final Configuration ONE_MORE_TRY =
      Configuration.parse(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          leaderElection: {leaderElect: false}
          health: {healthProbeBindAddress: "0"}
          metrics: {bindAddress: "0"}
          waitForPodsReady:
            timeout: 5m
            requeuingStrategy: {backoffLimitCount: 1, backoffBaseSeconds: 60}
          """);

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "BINARIES"})
  void aJobWhoseImageIsMissingIsGivenUpAndItsQuotaIsForOthers(ScenarioCluster kind)
      throws InterruptedException {
    try (Stage stage = new Stage(kind, ONE_MORE_TRY, 10)) {
      stage.create(job("misspelt", "example.invalid/no-such-image:1.0"));
      stage.until("its pod waits for its image", () -> waitsForImage(stage));
      stage.until("it is admitted", () -> stage.is("misspelt", WorkloadConditions.ADMITTED));
      assertThat(stage.is("misspelt", WorkloadConditions.PODS_READY)).isFalse();
      stage.create(job("patient", "busybox"));

      stage.letTimePass(Duration.ofSeconds(4));
      stage.until(
          "it is given up after the second try",
          () ->
              Conditions.is(
                  stage.jobs.workload("misspelt").status().conditions(),
                  WorkloadConditions.EVICTED,
                  "True",
                  "DeactivatedDueToRequeuingLimitExceeded"));
      stage.until("its Job stops", () -> stage.jobs.suspended("misspelt"));
      stage.until("the quota is free", stage::quotaIsFree);
      stage.until("the other one has run on it", () -> stage.jobs.complete("patient"));
      assertThat(timeouts(stage, "misspelt")).isEqualTo(1);

      stage.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(stage.jobs.workload("misspelt")),
          new MergePatch(
              JsonParser.parseString("{\"spec\": {\"active\": true}}").getAsJsonObject()));
      // With the old count it would be given up without a further try.
      stage.until(
          "it has another try when a user activates it", () -> timeouts(stage, "misspelt") == 2);
    }
  }

  /** How often a Workload was evicted since its pods did not get ready. */
  private static int timeouts(Stage stage, String job) {
    return stage.jobs.workload(job).status().schedulingStats().evictions().stream()
        .filter(evictions -> evictions.reason().equals("PodsReadyTimeout"))
        .mapToInt(evictions -> evictions.count())
        .sum();
  }

  private static boolean waitsForImage(Stage stage) {
    return stage.api.list(CoreTypes.POD, ListOptions.inNamespace("ml")).items().stream()
        .filter(pod -> ObjectKey.of(pod).name().startsWith("misspelt"))
        .filter(pod -> pod.getStatus() != null)
        .flatMap(pod -> statuses(pod).stream())
        .anyMatch("ImagePullBackOff"::equals);
  }

  private static List<String> statuses(V1Pod pod) {
    return Objects.requireNonNull(pod.getStatus()).getContainerStatuses() == null
        ? List.of()
        : pod.getStatus().getContainerStatuses().stream()
            .map(container -> container.getState().getWaiting().getReason())
            .toList();
  }

  private static String job(String name, String image) {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: ml
          labels: {kueue.x-k8s.io/queue-name: main}
          annotations: {simulation.kueue4j.io/runtime: 2m}
        spec:
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: "%s",
              resources: {requests: {cpu: 8}}}]}
        """
        .formatted(name, image);
  }
}
