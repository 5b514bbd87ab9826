// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guide to approvals, with the real core, the check and the commands that the page shows. */
class ApprovalTest {
  private static final String PAGE = "docs/guides/approval.md";

  private TimeSource time;
  private Playground playground;
  private ClusterConnection connection;
  private KubernetesApi api;
  private ClusterWait wait;
  private Page page;
  private Map<String, String> files;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    page = Page.parse(PAGE, Files.readString(Checkout.root().resolve(PAGE)));
    files =
        page.snippets().stream()
            .filter(snippet -> snippet.markers().containsKey("file"))
            .collect(
                Collectors.toMap(snippet -> snippet.markers().get("file"), Page.Snippet::code));
    time = TimeSource.system();
    playground =
        Playground.start(
            new Playground.Options(
                0,
                Playground.quietConfiguration(),
                Set.of(CheckName.APPROVAL),
                Duration.ofHours(1)),
            time);
    connection = playground.target().connect("people");
    api = connection.api();
    wait = ClusterWait.on(api, Patience.LIMIT);
    Manifests.parse(files.get("queue.yaml")).createIn(api);
    Manifests.parse(files.get("job.yaml")).createIn(api);
    wait.until("it waits without quota", () -> waits(workload()));
  }

  @AfterEach
  void stop() {
    connection.close();
    playground.close();
    time.close();
  }

  /** What a command came to. */
  private record Printed(int status, String out, String err) {}

  private Printed run(String line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.run(
            new PrintWriter(out),
            new PrintWriter(err),
            Stream.concat(
                    Stream.of(line.split(" ", -1)),
                    Stream.of("--kubeconfig", playground.kubeconfig().toString()))
                .toArray(String[]::new));
    return new Printed(status, out.toString(), err.toString());
  }

  /** The command of the page that begins so. */
  private Printed shown(String words) {
    String launch =
        page.launches().stream()
            .filter(line -> line.startsWith("./kueue4j " + words + " "))
            .findFirst()
            .orElseThrow();
    return run(launch.substring("./kueue4j ".length()));
  }

  private Workload workload() {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace("default")).items().stream()
        .findFirst()
        .orElseGet(() -> Workload.named("default", "none"));
  }

  private static boolean says(Workload workload, Predicate<AdmissionCheckState> what) {
    return workload.status().admissionCheck("large-jobs").filter(what).isPresent();
  }

  private boolean waits(Workload workload) {
    return says(workload, entry -> entry.is(CheckState.RETRY))
        && !workload.conditions().holdsQuota()
        && quotaIsFree();
  }

  private boolean quotaIsFree() {
    return api
        .get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("large"))
        .orElseThrow()
        .status()
        .flavorsReservation()
        .stream()
        .flatMap(flavor -> flavor.resources().stream())
        .allMatch(resource -> resource.total().isZero());
  }

  @Test
  void anApprovalAdmits() {
    Printed listed = shown("approvals");
    assertThat(listed.status()).as(listed.err()).isZero();
    assertThat(listed.out())
        .containsPattern(
            workload().key().name()
                + " +job/training +80 +large-jobs +the operators, in the channel hpc-requests +\\d");
    assertThat(run("approvals -A -o json").out())
        .contains("\"approvers\": \"the operators, in the channel hpc-requests\"")
        .contains("\"uid\": \"" + workload().metadata().getUid() + '"')
        .contains("\"count\": 80", "\"cpu\": \"1\"");

    Printed approved = shown("approve");

    assertThat(approved.status()).as(approved.err()).isZero();
    assertThat(approved.out())
        .matches(
            "default/job-training-\\w+ is approved for large-jobs by \\S+ until \\S+Z"
                + " \\(job-training-\\w+-\\w+\\), as it is now: 80 pods in main\n");
    wait.until("it is admitted", () -> workload().conditions().admitted());
    assertThat(workload().status().admissionCheck("large-jobs"))
        .hasValueSatisfying(
            entry ->
                assertThat(entry.message())
                    .matches("Approved by \\S+ at \\S+Z until \\S+Z: Agreed"));
    assertThat(run("approvals -n default").out()).hasLineCount(1);
    assertThat(shown("approve").err())
        .contains("is admitted, and an approval is for the start; 'workload stop' stops it");
  }

  @Test
  void aDenialDeactivatesUntilItIsResumedAndApproved() {
    String name = "workload/" + workload().key().name();
    Printed denied = shown("deny");
    assertThat(denied.status()).as(denied.err()).isZero();
    wait.until("it is deactivated", () -> !workload().spec().active() && quotaIsFree());
    assertThat(run("approve " + name + " -n default").err())
        .contains("is stopped, and a decision is about it as it is now");

    assertThat(run("workload resume " + name + " -n default").status()).isZero();
    wait.until(
        "it waits again",
        () ->
            says(workload(), entry -> entry.message().matches("What \\S+ denied at .*"))
                && waits(workload()));
    assertThat(run("approvals -n default").out()).contains("denied at");

    assertThat(run("approve " + name + " -n default --check large-jobs").status()).isZero();
    wait.until("it is admitted", () -> workload().conditions().admitted());
  }

  /** What is held up by its queue is decided about once. */
  @Test
  void aSecondApprovalIsToldOfTheFirst() {
    stopPolicy("Hold");
    wait.until("the core has seen it", () -> !queueIsActive());
    assertThat(shown("approve").status()).isZero();

    for (String until : List.of("", " --until 2h")) {
      Printed again = run("approve job/training -n default" + until);

      assertThat(again.status()).isEqualTo(2);
      assertThat(again.err())
          .containsPattern(
              "was decided about already: Approved by \\S+ at \\S+ until \\S+: Agreed;"
                  + " .*--until with a later time extends it");
    }
    Printed extended = run("approve job/training -n default --until 6h");
    assertThat(extended.status()).as(extended.err()).isZero();
    stopPolicy("None");
    wait.until("it is admitted", () -> workload().conditions().admitted());
  }

  private boolean queueIsActive() {
    return Conditions.isTrue(
        api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("large"))
            .orElseThrow()
            .status()
            .conditions(),
        "Active");
  }

  private void stopPolicy(String policy) {
    api.patch(
        KueueTypes.CLUSTER_QUEUE,
        ObjectKey.cluster("large"),
        new MergePatch(
            JsonParser.parseString("{'spec': {'stopPolicy': '" + policy + "'}}")
                .getAsJsonObject()));
  }

  @Test
  void whatTheUserCanCorrectIsSaid() {
    Printed unknown = run("approve job/nothing -n default");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("nothing");
    assertThat(run("approve job/training -n default --check other").err())
        .contains("'other' is no AdmissionCheck that people answer; these are large-jobs");
    assertThat(run("approve job/training -n default --until yesterday").err())
        .contains("--until is 'yesterday': write a duration such as 2h, or a time such as");
    assertThat(run("approve job/training -n default --until 2020-01-01T00:00:00Z").err())
        .contains("which has passed");
    assertThat(run("deny job/training -n default").err()).contains("--comment");
    assertThat(run("approve job/training -n default --generation 7").err())
        .contains("--generation is 7, and the Workload ")
        .contains("was changed since: it has 1; look at it again");
    Manifests.parse(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: lagre-jobs}
            spec: {controllerName: kueue4j.io/approval}
            """)
        .createIn(api);
    assertThat(run("approve job/training -n default --check lagre-jobs").err())
        .contains("doesn't wait for 'lagre-jobs': its checks are large-jobs");
  }
}
