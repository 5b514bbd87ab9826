// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.AdmissionCheckStatus;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.testdefaults.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The example of KEP-3258: budget asks for 14 hours, gpu for 8 minutes on its fourth attempt,
 * license names no delay. The Workload comes back when the last of them says so.
 */
class DelayedRetryTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
  private static final Duration BUDGET = Duration.ofHours(14);
  private static final Duration PATIENCE = Patience.LIMIT;

  private static final List<String> CHECKS = List.of("budget", "gpu", "license");

  private static final String QUEUE =
      QueueYaml.ML.cpus(
          4,
          "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: gpu}, {name: license}]}");

  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: train
        namespace: ml
        labels: {kueue.x-k8s.io/queue-name: main}
      spec:
        suspend: true
        template:
          spec:
            restartPolicy: Never
            containers:
              - {name: train, image: example.invalid/train, resources: {requests: {cpu: "4"}}}
      """;

  @ParameterizedTest
  @CsvSource({
    "EMBEDDED, false",
    "EMBEDDED, true",
    "BINARIES, false",
    "BINARIES, true",
    "K3S, false"
  })
  void comesBackAtTheLatestDeadlineAndNotBefore(ScenarioCluster kind, boolean crash)
      throws InterruptedException {
    try (ManualTime time = new ManualTime(START);
        Cluster cluster = kind.start(time);
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("scenario")) {
      KubernetesApi api = connection.api();
      ClusterWait wait = ClusterWait.on(api, PATIENCE);
      Definitions.installKueueUnconverted(api);
      RunningCore core = start(cluster, time);
      try {
        CHECKS.forEach(check -> Manifests.parse(check(check)).createIn(api));
        Manifests.parse(QUEUE).createIn(api);
        Manifests.parse(JOB).createIn(api);
        // The core may add its finalizer at the same moment.
        CHECKS.forEach(
            check -> wait.untilWritten(check + " is active", () -> activate(api, check)));
        wait.until(
            "quota is reserved and all are asked", () -> reserved(api) && entries(api).size() == 3);

        wait.untilWritten("all say Retry", () -> retryAll(api, time.instant()));

        wait.until("the quota is given back", () -> !reserved(api));
        Instant deadline = START.plus(BUDGET);
        wait.until(
            "it comes back at " + deadline, () -> requeueAt(api).equals(Optional.of(deadline)));

        if (crash) {
          core.crash();
          time.advanceTo(deadline.minus(Duration.ofHours(1)));
          core = start(cluster, time);
        }
        time.advanceTo(deadline.minusSeconds(1));
        wait.untilAndFor(
            Duration.ofSeconds(1),
            "it waits until " + deadline,
            () -> !reserved(api) && requeueAt(api).equals(Optional.of(deadline)));

        time.advanceTo(deadline);
        wait.until("quota is reserved again", () -> reserved(api));
        assertThat(entries(api))
            .allMatch(entry -> entry.is(CheckState.PENDING))
            .extracting(AdmissionCheckState::name, AdmissionCheckState::retryCount)
            .containsExactlyInAnyOrder(tuple("budget", 1), tuple("gpu", 5), tuple("license", 1));
        assertThat(requeueAt(api)).isEmpty();
      } finally {
        core.close();
      }
    }
  }

  private static RunningCore start(Cluster cluster, ManualTime time) throws InterruptedException {
    return RunningCore.start(
        Target.of(cluster.kubeconfig()), Playground.quietConfiguration(), time);
  }

  private static String check(String name) {
    return """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: %1$s}
        spec: {controllerName: example.com/%1$s}
        """
        .formatted(name);
  }

  /** What the check's own controller says first. */
  private static void activate(KubernetesApi api, String name) {
    AdmissionCheck check =
        api.get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name)).orElseThrow();
    AdmissionCheck active =
        check.withStatus(
            new AdmissionCheckStatus(
                List.of(Condition.isTrue("Active", "Active", "It runs", START))));
    api.patchStatus(KueueTypes.ADMISSION_CHECK, GuardedPatch.ofStatus(check, active));
  }

  private static void retryAll(KubernetesApi api, Instant now) {
    Workload before = workload(api);
    WorkloadStatus after =
        before
            .status()
            .withAdmissionCheck(retry("budget", now, (int) BUDGET.toSeconds(), null))
            .withAdmissionCheck(retry("gpu", now, 8 * 60, 4))
            .withAdmissionCheck(retry("license", now, null, null));
    api.patchStatus(KueueTypes.WORKLOAD, GuardedPatch.ofStatus(before, before.withStatus(after)));
  }

  private static AdmissionCheckState retry(
      String name, Instant now, @Nullable Integer afterSeconds, @Nullable Integer retryCount) {
    return AdmissionCheckState.pending(name, now)
        .withState(CheckState.RETRY)
        .withMessage("not now")
        .withRequeueAfterSeconds(afterSeconds)
        .withRetryCount(retryCount);
  }

  private static Workload workload(KubernetesApi api) {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("ml")).items().getFirst();
  }

  private static boolean reserved(KubernetesApi api) {
    List<Workload> all = api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("ml")).items();
    return !all.isEmpty()
        && Conditions.isTrue(
            all.getFirst().status().conditions(), WorkloadConditions.QUOTA_RESERVED);
  }

  private static List<AdmissionCheckState> entries(KubernetesApi api) {
    return workload(api).status().admissionChecks();
  }

  private static Optional<Instant> requeueAt(KubernetesApi api) {
    return Optional.ofNullable(workload(api).status().requeueState()).map(RequeueState::requeueAt);
  }
}
