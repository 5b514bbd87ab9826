// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobCondition;
import io.kubernetes.client.openapi.models.V1JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A Job that is played starts, stops late, starts again and ends, as API servers demand it. */
class PlayedJobControllerTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final Duration STEP = Duration.ofMillis(100);
  private static final ObjectKey PLAYED = new ObjectKey(TortureCluster.NAMESPACE, "played");

  @Test
  void playsOnTheEmbeddedServer() throws InterruptedException {
    try (ManualTime time = new ManualTime(START);
        Cluster cluster = ScenarioCluster.EMBEDDED.start(time);
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("scenario")) {
      play(connection, time);
    }
  }

  @Test
  void theJobControllerOfAClusterLeavesThemAlone() throws InterruptedException {
    try (ManualTime time = new ManualTime(START);
        Cluster cluster = ScenarioCluster.binariesWithJobs();
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("scenario")) {
      KubernetesApi api = connection.api();
      play(connection, time);

      Manifests.parse(
              TortureCluster.job("other", 1)
                  .replace(TortureCluster.NAMESPACE, "default")
                  .replace("suspend: true", "suspend: false"))
          .createIn(api);
      ClusterWait.on(api, PATIENCE)
          .until(
              "the cluster's Job controller has made a pod of the other Job",
              () -> !api.list(CoreTypes.POD, ListOptions.inNamespace("default")).items().isEmpty());
      assertThat(api.list(CoreTypes.POD, ListOptions.inNamespace(TortureCluster.NAMESPACE)).items())
          .isEmpty();
    }
  }

  private static void play(ClusterConnection connection, ManualTime time)
      throws InterruptedException {
    KubernetesApi api = connection.api();
    Manifests.parse(
            "{apiVersion: v1, kind: Namespace, metadata: {name: "
                + TortureCluster.NAMESPACE
                + "}}\n---\n"
                + TortureCluster.jobOf(PlayedJobController.NAME, PLAYED.name(), 1))
        .createIn(api);
    try (PlayedJobController jobs = PlayedJobController.start(connection, time, new Dice(1))) {
      suspend(api, false);
      awaitThatIt(api, "runs", PlayedJobControllerTest::runs);

      suspend(api, true);
      assertThat(runs(status(api))).as("it stops late").isTrue();
      awaitThatIt(
          api, "has stopped", status -> pass(time) && !runs(status) && is(status, "Suspended"));

      suspend(api, false);
      awaitThatIt(api, "runs again", status -> runs(status) && !is(status, "Suspended"));
      assertThat(Objects.requireNonNull(status(api).getStartTime()).toInstant())
          .isEqualTo(time.instant().truncatedTo(ChronoUnit.SECONDS));

      awaitThatIt(api, "is complete", status -> pass(time) && is(status, "Complete"));
      assertThat(status(api).getSucceeded()).isEqualTo(1);
      jobs.throwIfFailed();
    }
  }

  /** Lets a little time pass at each look, so that it may be looked before a timer is set. */
  private static boolean pass(ManualTime time) {
    time.advance(STEP);
    return true;
  }

  private static void awaitThatIt(
      KubernetesApi api, String what, Predicate<V1JobStatus> condition) {
    ClusterWait.on(api, PATIENCE).until("the Job " + what, () -> condition.test(status(api)));
  }

  private static void suspend(KubernetesApi api, boolean suspend) {
    api.patch(
        CoreTypes.JOB,
        PLAYED,
        new MergePatch(
            JsonParser.parseString("{spec: {suspend: " + suspend + "}}").getAsJsonObject()));
  }

  private static V1JobStatus status(KubernetesApi api) {
    V1Job job = api.get(CoreTypes.JOB, PLAYED).orElseThrow();
    return Objects.requireNonNullElseGet(job.getStatus(), V1JobStatus::new);
  }

  private static boolean runs(V1JobStatus status) {
    return Objects.requireNonNullElse(status.getActive(), 0) == 1;
  }

  private static boolean is(V1JobStatus status, String condition) {
    return Objects.requireNonNullElse(status.getConditions(), List.<V1JobCondition>of()).stream()
        .anyMatch(each -> each.getType().equals(condition) && each.getStatus().equals("True"));
  }
}
