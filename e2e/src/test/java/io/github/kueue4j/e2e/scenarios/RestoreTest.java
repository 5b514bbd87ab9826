// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.AdmissionCheckStatus;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.e2e.world.JobProgress;
import io.github.kueue4j.observe.restore.Restoration;
import io.github.kueue4j.observe.restore.RestoreReport;
import io.github.kueue4j.observe.restore.RestoredWorkload;
import io.github.kueue4j.observe.restore.RestoredWorkload.RestoreOutcome;
import io.github.kueue4j.observe.restore.WorkloadBackup;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1Job;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The way of docs/guides/backup.md: a backup is made, Workloads, their statuses or the uids of
 * everything are lost, the backup is restored while no core runs, and the core starts. Jobs that
 * run aren't stopped, their quota isn't given to others, and those that wait keep their order and
 * their delays.
 */
class RestoreTest {
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
  private static final int DELAY_SECONDS = 3600;
  private static final Instant DEADLINE = START.plusSeconds(DELAY_SECONDS);

  /** In the order in which they are created; the queue has room for one. */
  private static final List<String> JOBS = List.of("running", "walrus", "antelope");

  private static final String DELAYED = "delayed";

  private static final String QUEUES =
      QueueYaml.ML.cpus(1)
          + """

          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: AdmissionCheck
          metadata: {name: approval}
          spec: {controllerName: example.com/approval}
          ---
          %s
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: checked, namespace: ml}
          spec: {clusterQueue: checked}
          """
              .formatted(
                  QueueYaml.clusterQueue(
                      "checked",
                      2,
                      "admissionChecksStrategy: {admissionChecks: [{name: approval}]}"));

  @ParameterizedTest
  @CsvSource({
    "EMBEDDED, STATUSES",
    "EMBEDDED, WORKLOADS",
    "EMBEDDED, UIDS_OF_WORKLOADS_TOO",
    "BINARIES, STATUSES",
    "BINARIES, WORKLOADS",
    "BINARIES, UIDS",
    "BINARIES, UIDS_OF_WORKLOADS_TOO"
  })
  void whatRunsRunsOnAndWhatWaitsKeepsItsPlace(ScenarioCluster kind, Loss loss) throws Exception {
    try (ManualTime time = new ManualTime(START);
        Cluster cluster = kind.start(time);
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("scenario")) {
      KubernetesApi api = connection.api();
      StringBuilder file = new StringBuilder();
      backupOf(cluster, api, time).write(file);
      WorkloadBackup backup = WorkloadBackup.read(new StringReader(file.toString()));
      loss.happen(api);
      long generation = generation(job(api, "running"));

      RestoreReport report = new Restoration(api).restore(backup, time.instant());

      assertThat(report.complete()).as("%s", report).isTrue();
      assertThat(report.workloads())
          .extracting(RestoredWorkload::outcome)
          .containsExactly(
              RestoreOutcome.WAITS,
              RestoreOutcome.RUNS_ON,
              RestoreOutcome.WAITS,
              RestoreOutcome.WAITS);
      try (RunningCore core = start(cluster, time)) {
        assertThat(core.server()).isEqualTo(connection.server());
        awaitOneCycle(api);
        assertThat(reserved(api)).containsExactlyInAnyOrder("running", "probe");

        waitOn(api).untilWritten("running is complete", () -> finish(api, "running"));
        awaitReserved(api, "walrus");
        assertThat(reserved(api)).containsExactlyInAnyOrder("walrus", "probe");
        assertThat(generation(job(api, "running")))
            .as("the running Job was never stopped")
            .isEqualTo(generation);
        assertThat(workload(api, DELAYED).orElseThrow().status().requeueAt()).isEqualTo(DEADLINE);
        waitOn(api)
            .until("each Job has a Workload", () -> workloads(api).size() == JOBS.size() + 2);

        time.advanceTo(DEADLINE.minusSeconds(1));
        assertThat(reserved(api)).doesNotContain(DELAYED);
        time.advanceTo(DEADLINE);
        awaitReserved(api, DELAYED);
        assertThat(entry(api, DELAYED).retryCount()).isEqualTo(1);
      }
    }
  }

  /** On a cluster with the Job controller and the garbage collector of Kubernetes. */
  @Test
  void podsOfJobsThatRunAreLeftAlone() throws InterruptedException {
    try (ManualTime time = new ManualTime(START);
        Cluster cluster = ScenarioCluster.binariesWithJobs();
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("scenario")) {
      KubernetesApi api = connection.api();
      WorkloadBackup backup = backupOf(cluster, api, time);
      waitOn(api).until("one pod runs", () -> pods(api).size() == 1);
      List<String> before = pods(api);
      Loss.WORKLOADS.happen(api);

      assertThat(new Restoration(api).restore(backup, time.instant()).complete()).isTrue();

      try (RunningCore core = start(cluster, time)) {
        assertThat(core.server()).isEqualTo(connection.server());
        awaitOneCycle(api);
        assertThat(reserved(api)).containsExactlyInAnyOrder("running", "probe");
        assertThat(pods(api)).isEqualTo(before);
      }
    }
  }

  private static List<String> pods(KubernetesApi api) {
    return api.list(CoreTypes.POD, ListOptions.inNamespace("ml")).items().stream()
        .map(pod -> Uids.of(pod) + " " + pod.getMetadata().getDeletionTimestamp())
        .toList();
  }

  /** Without a backup nothing is admitted twice either, but what runs begins anew. */
  @ParameterizedTest
  @CsvSource("EMBEDDED, UIDS_OF_WORKLOADS_TOO")
  void withoutBackupWhatRunsIsStoppedAndQueued(ScenarioCluster kind, Loss loss)
      throws InterruptedException {
    try (ManualTime time = new ManualTime(START);
        Cluster cluster = kind.start(time);
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("scenario")) {
      KubernetesApi api = connection.api();
      backupOf(cluster, api, time);
      loss.happen(api);
      long generation = generation(job(api, "running"));

      try (RunningCore core = start(cluster, time)) {
        assertThat(core.server()).isEqualTo(connection.server());
        waitOn(api).until("running is stopped", () -> generation(job(api, "running")) > generation);
        awaitOneCycle(api);
        waitOn(api)
            .until(
                "one Job holds quota",
                () -> JOBS.stream().filter(reserved(api)::contains).count() == 1);
      }
    }
  }

  /** Has one Job running, two waiting for its quota and one waiting out a delay, and no core. */
  private static WorkloadBackup backupOf(Cluster cluster, KubernetesApi api, ManualTime time)
      throws InterruptedException {
    Definitions.installKueueUnconverted(api);
    Manifests.parse(QUEUES).createIn(api);
    try (RunningCore core = start(cluster, time)) {
      ClusterWait wait = waitOn(api);
      wait.untilWritten("the check is active", () -> activate(api));
      create(api, DELAYED, "checked");
      awaitReserved(api, DELAYED);
      wait.untilWritten("the check says Retry", () -> retry(api, DELAYED));
      wait.until(
          DELAYED + " waits until " + DEADLINE,
          () ->
              DEADLINE.equals(workload(api, DELAYED).orElseThrow().status().requeueAt())
                  && !reserved(api).contains(DELAYED));
      create(api, JOBS.getFirst(), "main");
      wait.until(
          "running runs", () -> Boolean.FALSE.equals(job(api, "running").getSpec().getSuspend()));
      for (String name : JOBS.subList(1, JOBS.size())) {
        create(api, name, "main");
        wait.until(name + " has a Workload", () -> workload(api, name).isPresent());
      }
      assertThat(core.leading()).isTrue();
    }
    return WorkloadBackup.of(api);
  }

  private static RunningCore start(Cluster cluster, ManualTime time) throws InterruptedException {
    return RunningCore.start(
        Target.of(cluster.kubeconfig()), Playground.quietConfiguration(), time);
  }

  /** The scheduler reserves quota for a new Job in the other queue. */
  private static void awaitOneCycle(KubernetesApi api) {
    create(api, "probe", "checked");
    awaitReserved(api, "probe");
  }

  private static void awaitReserved(KubernetesApi api, String job) {
    waitOn(api).until(job + " has quota", () -> reserved(api).contains(job));
  }

  private static ClusterWait waitOn(KubernetesApi api) {
    return ClusterWait.on(api, PATIENCE);
  }

  private static void create(KubernetesApi api, String name, String queue) {
    Manifests.parse(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: %s, namespace: ml, labels: {kueue.x-k8s.io/queue-name: %s}}
            spec:
              suspend: true
              template:
                spec: {restartPolicy: Never, containers: [{name: main, image: example.invalid/main,
                  resources: {requests: {cpu: 1}}}]}
            """
                .formatted(name, queue))
        .createIn(api);
  }

  private static void activate(KubernetesApi api) {
    AdmissionCheck check =
        api.get(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("approval")).orElseThrow();
    AdmissionCheckStatus active =
        new AdmissionCheckStatus(List.of(Condition.isTrue("Active", "Active", "", START)));
    api.patchStatus(
        KueueTypes.ADMISSION_CHECK, GuardedPatch.ofStatus(check, check.withStatus(active)));
  }

  private static void retry(KubernetesApi api, String job) {
    Workload before = workload(api, job).orElseThrow();
    AdmissionCheckState retry =
        AdmissionCheckState.pending("approval", START)
            .withState(CheckState.RETRY)
            .withRequeueAfterSeconds(DELAY_SECONDS);
    api.patchStatus(
        KueueTypes.WORKLOAD,
        GuardedPatch.ofStatus(
            before, before.withStatus(before.status().withAdmissionCheck(retry))));
  }

  private static void finish(KubernetesApi api, String name) {
    V1Job before = job(api, name);
    V1Job after = JobProgress.of(before).resume(START).ended(1, 0).complete(START).in(before);
    api.patchStatus(CoreTypes.JOB, GuardedPatch.ofStatus(before, after));
  }

  private static V1Job job(KubernetesApi api, String name) {
    return api.get(CoreTypes.JOB, new ObjectKey("ml", name)).orElseThrow();
  }

  private static long generation(V1Job job) {
    return Objects.requireNonNull(job.getMetadata().getGeneration());
  }

  private static List<Workload> workloads(KubernetesApi api) {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("ml")).items();
  }

  /** The Workload that has this Job, and not one that had its name, as its controller. */
  private static Optional<Workload> workload(KubernetesApi api, String job) {
    String uid = Uids.of(job(api, job));
    return workloads(api).stream()
        .filter(
            workload ->
                Objects.requireNonNull(workload.metadata().getOwnerReferences()).stream()
                    .anyMatch(owner -> owner.getUid().equals(uid)))
        .findFirst();
  }

  private static AdmissionCheckState entry(KubernetesApi api, String job) {
    return workload(api, job).orElseThrow().status().admissionCheck("approval").orElseThrow();
  }

  /** The names of the Jobs whose Workloads hold quota, whichever uid they name. */
  private static Set<String> reserved(KubernetesApi api) {
    Set<String> names = new TreeSet<>();
    for (Workload workload : workloads(api)) {
      if (workload.conditions().holdsQuota()) {
        String name = workload.metadata().getOwnerReferences().getFirst().getName();
        assertThat(names.add(name)).as("%s holds quota once", name).isTrue();
      }
    }
    return names;
  }
}
