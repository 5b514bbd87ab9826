// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guide to Jobs that depend on others, with the real core and the check. */
class DependencyTest {
  private static final String PAGE = "docs/guides/dependency.md";

  private TimeSource time;
  private Playground playground;
  private ClusterConnection connection;
  private KubernetesApi api;
  private ClusterWait wait;
  private Map<String, String> files;

  private void start(Duration jobRuntime) throws IOException, InterruptedException {
    start(jobRuntime, "job/prepare, job/load");
  }

  /**
   * @param last what the last one depends on
   */
  private void start(Duration jobRuntime, String last) throws IOException, InterruptedException {
    Page page = Page.parse(PAGE, Files.readString(Checkout.root().resolve(PAGE)));
    files =
        page.snippets().stream()
            .filter(snippet -> snippet.markers().containsKey("file"))
            .collect(
                Collectors.toMap(snippet -> snippet.markers().get("file"), Page.Snippet::code));
    playground =
        Playground.start(
            new Playground.Options(
                0, Playground.quietConfiguration(), Set.of(CheckName.DEPENDENCY), jobRuntime),
            time);
    connection = playground.target().connect("people");
    api = connection.api();
    wait = ClusterWait.on(api, Patience.LIMIT);
    Manifests.parse(files.get("queue.yaml")).createIn(api);
    Manifests.parse(
            files
                .get("jobs.yaml")
                .replace("job/prepare, job/load", last)
                .replace("  suspend: true", "  suspend: true\n  backoffLimit: 0"))
        .createIn(api);
  }

  @BeforeEach
  void open() {
    time = TimeSource.system();
  }

  @AfterEach
  void stop() {
    connection.close();
    playground.close();
    time.close();
  }

  private Workload workload(String job) {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("default")).items().stream()
        .filter(each -> each.key().name().startsWith("job-" + job + "-"))
        .findFirst()
        .orElseGet(() -> Workload.named("default", "none"));
  }

  private boolean succeeded(String job) {
    return workload(job)
        .conditions()
        .findTrue("Finished")
        .filter(end -> end.reason().equals("Succeeded"))
        .isPresent();
  }

  private Instant at(String job, String condition) {
    return workload(job).conditions().trueSince(condition).orElseThrow();
  }

  private boolean waits(String job) {
    Workload workload = workload(job);
    return workload
            .status()
            .admissionCheck("dependencies")
            .filter(entry -> entry.is(CheckState.RETRY))
            .isPresent()
        && !workload.conditions().holdsQuota();
  }

  /** Its only pod ends so, and with it the Job. */
  private void end(String job, String phase) {
    ObjectKey pod =
        wait.untilPresent(
            "a running pod of " + job,
            () ->
                api
                    .list(
                        CoreTypes.POD,
                        ListOptions.inNamespace("default")
                            .withLabelSelector("batch.kubernetes.io/job-name=" + job))
                    .items()
                    .stream()
                    .filter(each -> "Running".equals(each.getStatus().getPhase()))
                    .map(ObjectKey::of)
                    .findFirst());
    api.patchStatus(
        CoreTypes.POD,
        pod,
        new MergePatch(
            JsonParser.parseString("{'status': {'phase': '" + phase + "'}}").getAsJsonObject()));
  }

  @Test
  void eachJobStartsAfterTheOneBefore() throws IOException, InterruptedException {
    start(Duration.ofSeconds(2));

    wait.until("the last has succeeded", () -> succeeded("train"));

    assertThat(at("load", "Admitted")).isAfterOrEqualTo(at("prepare", "Finished"));
    assertThat(at("train", "Admitted")).isAfterOrEqualTo(at("load", "Finished"));
    assertThat(workload("train").status().schedulingStats())
        .as("it was asked before quota, and so never evicted")
        .isNull();
    assertThat(workload("train").status().admissionCheck("dependencies"))
        .map(AdmissionCheckState::message)
        .contains("job/prepare, job/load succeeded.");
  }

  private void awaitDeactivated(String job, String why) {
    wait.until(
        job + " is deactivated, with the reason",
        () ->
            !workload(job).spec().active()
                && workload(job)
                    .conditions()
                    .findFalse("Requeued")
                    .filter(held -> held.message().contains(why))
                    .isPresent());
  }

  /** It is deleted as by ttlSecondsAfterFinished. */
  @Test
  void whatHasSucceededMayBeDeletedBeforeAnotherFails() throws IOException, InterruptedException {
    start(Duration.ofHours(1));
    wait.until("they wait without quota", () -> waits("load") && waits("train"));
    playground.crashCore();
    playground.startCore();
    end("prepare", "Succeeded");
    wait.until("the second is admitted", () -> workload("load").conditions().admitted());
    api.delete(CoreTypes.JOB, new ObjectKey("default", "prepare"), DeleteOptions.background());
    wait.until("its Workload is gone", () -> workload("prepare").key().name().equals("none"));
    assertThat(waits("train")).isTrue();

    end("load", "Failed");

    awaitDeactivated("train", "job/load has failed: ");
  }

  @Test
  void aFailureIsTheEndOfTheChain() throws IOException, InterruptedException {
    start(Duration.ofHours(1), "job/load");
    wait.until("they wait without quota", () -> waits("load") && waits("train"));

    end("prepare", "Failed");

    awaitDeactivated("load", "job/prepare has failed: ");
    awaitDeactivated("train", "job/load has failed: it is stopped, and one that it depends on");
  }
}
