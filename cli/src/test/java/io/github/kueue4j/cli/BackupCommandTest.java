// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kueue4j backup} and {@code kueue4j restore}. */
class BackupCommandTest {
  private static final String ADMITTED =
      """
      {"status": {
        "admission": {"clusterQueue": "cq", "podSetAssignments": [{"name": "main", "count": 1}]},
        "conditions": [
          {"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved",
            "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"},
          {"type": "Admitted", "status": "True", "reason": "Admitted",
            "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
      """;

  @TempDir private Path folder;
  private EmbeddedApiServer server;
  private ClusterConnection connection;
  private KubernetesApi api;
  private Path file;

  @BeforeEach
  void anAdmittedWorkloadOfEachKind() {
    server = EmbeddedApiServer.builder().objects(Crds.kueue()).keepsOrphans().start();
    connection = ClusterConnection.builder("backup-test").url(server.uri()).connect();
    api = connection.api();
    file = folder.resolve("workloads.json");
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: team}}");
    job("train", false);
    job("stopped", true);
    job("altered", false);
    job("report", false);
    api.patchStatus(
        CoreTypes.JOB,
        new ObjectKey("team", "report"),
        merge(
            """
            {"status": {"startTime": "2026-01-01T00:00:00Z", "conditions": [
              {"type": "FailureTarget", "status": "True"}, {"type": "Failed", "status": "True"}]}}
            """));
    workload("earlier", owner("batch/v1", "Job", "train", "earlier"), "1");
    workload("ended", owner("batch/v1", "Job", "report", "before"), "1");
    workload("running", owner("batch/v1", "Job", "train", "before"), "1");
    workload("stopped", owner("batch/v1", "Job", "stopped", "before"), "1");
    workload("altered", owner("batch/v1", "Job", "altered", "before"), "2");
    workload("bare", "", "1");
    workload("missing", owner("batch/v1", "Job", "missing", "lost"), "1");
    workload("ray", owner("sparkoperator.k8s.io/v1beta2", "SparkApplication", "ray", "lost"), "1");
  }

  @AfterEach
  void stop() {
    connection.close();
    server.close();
  }

  @Test
  void theReportNamesWhatIsNotAsItWas() throws IOException {
    CommandRun saved = run("backup", file.toString());
    assertThat(saved.status()).as(saved.err()).isZero();
    assertThat(saved.out()).contains("8 Workloads saved in " + file);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    deleteWorkloads();
    job("late", false);

    CommandRun rehearsed = run("restore", "--dry-run", file.toString());
    assertThat(api.list(KueueTypes.WORKLOAD, ListOptions.all()).items()).isEmpty();
    CommandRun restored = run("restore", file.toString());

    assertThat(restored.status()).as(restored.err()).isEqualTo(1);
    assertThat(restored.out())
        .isEqualToIgnoringNewLines(
            """
            Workloads of the backup:
              2 run on
              0 wait as before, or have finished
              1 wait again, since their Jobs don't run
                team/stopped
              2 need nothing
                team/earlier: it belonged to an earlier Job team/train
                team/ended: Job team/report has ended
              3 not restored
                team/altered: Job team/altered asks for other pods than the Workload in the backup
                team/missing: Job team/missing doesn't exist; restore it and run this again, unless it was deleted
                team/ray: it belongs to SparkApplication team/ray, whose own controller has to create it; then run this again
            2 run without an admission; the core will stop and queue them, and delete pods:
              Job team/altered
              Job team/late
            """);
    assertThat(rehearsed.out().lines().skip(1))
        .containsExactlyElementsOf(restored.out().lines().skip(1).toList());
    assertThat(rehearsed.out()).startsWith("Workloads of the backup, nothing was changed:");
    Workload running = ofJob("train").orElseThrow();
    assertThat(running.conditions().admitted()).isTrue();
    assertThat(running.status().admission()).isNotNull();
    Workload stopped = ofJob("stopped").orElseThrow();
    assertThat(stopped.conditions().reserved()).isFalse();
    assertThat(stopped.status().admission()).isNull();
  }

  @Test
  void aSecondRunChangesNothingAndAnotherStatusIsLeftAlone() {
    run("backup", file.toString());
    deleteWorkloads();
    CommandRun first = run("restore", file.toString());
    Workload restored = ofJob("train").orElseThrow();

    assertThat(run("restore", file.toString()).out()).isEqualTo(first.out());
    assertThat(ofJob("train")).contains(restored);

    api.patchStatus(
        KueueTypes.WORKLOAD,
        GuardedPatch.ofStatus(
            restored, restored.withStatus(restored.status().withAdmission(null))));
    assertThat(run("restore", file.toString()).out())
        .contains("team/running: the one in the cluster has a status already");
    assertThat(ofJob("train").orElseThrow().status().admission()).isNull();
  }

  @Test
  void kindsThatTheConfigurationDeclaresAreRestoredToo(@TempDir Path folder) throws IOException {
    Path configuration = folder.resolve("core.yaml");
    Files.writeString(
        configuration,
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        kueue4j:
          jobKinds:
            - framework: sparkoperator.k8s.io/sparkapplication
              apiVersion: sparkoperator.k8s.io/v1beta2
              kind: SparkApplication
              suspend: spec.suspend
              podSets: [{name: main, template: spec.template}]
        """);
    run("backup", file.toString());
    deleteWorkloads();

    CommandRun known =
        run("restore", "--dry-run", "--config", configuration.toString(), file.toString());
    assertThat(known.out())
        .contains("team/ray: SparkApplication team/ray doesn't exist; restore it");

    Files.writeString(configuration, "kind: Other\n");
    CommandRun refused =
        run("restore", "--dry-run", "--config", configuration.toString(), file.toString());
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("core.yaml: apiVersion is \"\"");
  }

  @Test
  void nothingIsRestoredWhileACoreRuns() {
    run("backup", file.toString());
    server.apply(
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: kueue-system}
        ---
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: c1f6bfd2.kueue.x-k8s.io, namespace: kueue-system}
        spec: {holderIdentity: manager-0, leaseDurationSeconds: 15, renewTime: "2999-01-01T00:00:00.000000Z"}
        """);

    CommandRun refused = run("restore", file.toString());

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err())
        .contains("manager-0 holds the Lease kueue-system/c1f6bfd2.kueue.x-k8s.io")
        .contains("scale its Deployment to 0");
    assertThat(run("restore", "--dry-run", file.toString()).status()).isEqualTo(1);
  }

  @Test
  void whatIsNoBackupIsRefused() throws IOException {
    run("backup", file.toString());
    String whole = Files.readString(file);
    Files.writeString(file, whole.substring(0, whole.length() / 2));
    assertThat(run("restore", file.toString()).err())
        .contains(file + " is no backup: it is no List, or incomplete");
    Files.writeString(file, whole.replace("v1beta2", "v1beta1"));
    assertThat(run("restore", file.toString()).err())
        .contains("kind Workload in kueue.x-k8s.io/v1beta1");
    CommandRun missing = run("restore", folder.resolve("other").toString());
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains("can't be read");
    CommandRun unwritable = run("backup", folder.resolve("none/file").toString());
    assertThat(unwritable.status()).isEqualTo(2);
    assertThat(unwritable.err()).contains("can't be written");
  }

  private CommandRun run(String command, String... arguments) {
    List<String> line = new ArrayList<>(List.of(command, "--server", server.uri().toString()));
    line.addAll(List.of(arguments));
    return CommandRun.of(line.toArray(String[]::new));
  }

  private void job(String name, boolean suspend) {
    server.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec:
          suspend: %s
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: "1"}}}]}
        """
            .formatted(name, suspend));
  }

  private static String owner(String apiVersion, String kind, String name, String uid) {
    return "{apiVersion: %s, kind: %s, name: %s, uid: %s, controller: true}"
        .formatted(apiVersion, kind, name, uid);
  }

  private void workload(String name, String owner, String cpu) {
    server.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: %1$s, namespace: team, ownerReferences: [%2$s]}
        spec:
          queueName: lq
          podSets:
          - name: main
            count: 1
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                resources: {requests: {cpu: "%3$s"}}}]}
        """
            .formatted(name, owner, cpu));
    api.patchStatus(KueueTypes.WORKLOAD, new ObjectKey("team", name), merge(ADMITTED));
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  private Optional<Workload> ofJob(String job) {
    return api.list(KueueTypes.WORKLOAD, ListOptions.all()).items().stream()
        .filter(each -> ObjectKey.of(each).name().startsWith("job-" + job))
        .findFirst();
  }

  private void deleteWorkloads() {
    for (Workload each : api.list(KueueTypes.WORKLOAD, ListOptions.all()).items()) {
      api.delete(KueueTypes.WORKLOAD, ObjectKey.of(each), DeleteOptions.background());
    }
  }
}
