// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.e2e.charts.Chart;
import io.github.kueue4j.e2e.charts.Chart.Rendered;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What a user is told whose object names a queue and isn't managed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class UnmanagedKindsScenario {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STRICT = "strict";
  private static final String PODS = "/api/v1/namespaces/%s/pods";
  private static final String LABELLED =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: x, labels: {kueue.x-k8s.io/queue-name: gold}}
      spec: {containers: [{name: c, image: i}]}
      """;

  private final ScenarioCluster kind;
  private final List<AutoCloseable> running = new ArrayList<>();
  private JsonApi api;

  UnmanagedKindsScenario(ScenarioCluster kind) {
    this.kind = kind;
  }

  /** The chart twice: it warns everywhere, and denies in one namespace. */
  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    objects.add(tree(ForeignDefinition.of("ray.io", "v1", "RayJob")));
    policies("Warn", "{matchExpressions: [{key: kubernetes.io/metadata.name, operator: Exists}]}")
        .forEach(each -> objects.add(JSON.valueToTree(each.tree())));
    policies("Deny", "{matchLabels: {kubernetes.io/metadata.name: " + STRICT + "}}")
        .forEach(each -> objects.add(JSON.valueToTree(each.tree())));
    GuardedCluster cluster = GuardedCluster.start(kind, objects, folder);
    running.add(cluster);
    api = cluster.administrator();
    running.addFirst(api);
    api.create(
        "/api/v1/namespaces",
        tree("{apiVersion: v1, kind: Namespace, metadata: {name: " + STRICT + "}}"));
    await()
        .alias("both policies are in force")
        .until(
            () ->
                !send("default", PODS, LABELLED).warnings().isEmpty()
                    && send(STRICT, PODS, LABELLED).code() != 201);
    await()
        .alias("RayJobs are served")
        .ignoreException(RefusedRequestException.class)
        .until(() -> api.get("/apis/ray.io/v1/namespaces/default/rayjobs").isPresent());
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable each : running) {
      each.close();
    }
  }

  private static List<Rendered> policies(String action, String namespaces) {
    return Chart.named("kueue-core")
        .renderWith(
            """
            fullnameOverride: %s
            unmanagedKinds: {action: %s}
            managerConfig:
              controllerManagerConfigYaml: |
                managedJobsNamespaceSelector: %s
                integrations:
                  frameworks: [batch/job]
                  externalFrameworks: [AppWrapper.v1beta2.workload.codeflare.dev]
            """
                .formatted(action.toLowerCase(Locale.ROOT), action, namespaces))
        .stream()
        .filter(each -> String.valueOf(each.tree()).contains("-unmanaged-kinds"))
        .toList();
  }

  private static JsonNode tree(String yaml) {
    return JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml));
  }

  /** What the server answered, without storing anything. */
  private record Answer(int code, String body, List<String> warnings) {}

  private Answer send(String namespace, String collection, String object) throws IOException {
    Request.Builder request =
        new Request.Builder()
            .post(RequestBody.create(tree(object).toString(), MediaType.get("application/json")));
    try (Response response =
        api.exchange("POST", collection.formatted(namespace) + "?dryRun=All", request, false)
            .execute()) {
      return new Answer(
          response.code(),
          Objects.requireNonNull(response.body()).string(),
          response.headers("Warning"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a pod                           | /api/v1       | Pod         | true  | {labels: {QUEUE: gold}}
          a pod without a queue           | /api/v1       | Pod         | false | {labels: {app: x}}
          a pod with an empty name of one | /api/v1       | Pod         | false | {labels: {QUEUE: ''}}
          a pod of a managed Job          | /api/v1       | Pod         | false | {labels: {QUEUE: gold}, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u, controller: true}]}
          a pod that a Job merely owns    | /api/v1       | Pod         | true  | {labels: {QUEUE: gold}, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u}]}
          a pod of an external kind       | /api/v1       | Pod         | false | {labels: {QUEUE: gold}, ownerReferences: [{apiVersion: workload.codeflare.dev/v1beta2, kind: AppWrapper, name: a, uid: u, controller: true}]}
          a pod of a ReplicaSet           | /api/v1       | Pod         | true  | {labels: {QUEUE: gold}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u, controller: true}]}
          a pod of an admitted Workload   | /api/v1       | Pod         | false | {labels: {QUEUE: gold, kueue.x-k8s.io/podset: main}, ownerReferences: [{apiVersion: ray.io/v1, kind: RayCluster, name: r, uid: u, controller: true}]}
          a Deployment                    | /apis/apps/v1 | Deployment  | true  | {labels: {QUEUE: gold}}
          a StatefulSet                   | /apis/apps/v1 | StatefulSet | true  | {labels: {QUEUE: gold}}
          a RayJob                        | /apis/ray.io/v1 | RayJob    | true  | {labels: {QUEUE: gold}}
          a managed Job                   | /apis/batch/v1 | Job        | false | {labels: {QUEUE: gold}}
          """)
  void whoNamesAQueueInVainIsTold(
      String what, String root, String kindName, boolean told, String metadata) throws IOException {
    String object =
        """
        apiVersion: %s
        kind: %s
        metadata: %s
        spec: %s
        """
            .formatted(
                root.replaceFirst("/apis?/", ""),
                kindName,
                metadata
                    .replace("QUEUE", "kueue.x-k8s.io/queue-name")
                    .replaceFirst("\\{", "{name: x, "),
                switch (kindName) {
                  case "Pod" -> "{containers: [{name: c, image: i}]}";
                  case "RayJob" -> "{}";
                  case "Job" ->
                      "{template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}";
                  default ->
                      "{selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}},"
                          + " spec: {containers: [{name: c, image: i}]}}}";
                });
    String collection = root + "/namespaces/%s/" + kindName.toLowerCase(Locale.ROOT) + "s";

    Answer warned = send("default", collection, object);
    Answer refused = send(STRICT, collection, object);

    assertThat(warned.code()).as("%s: %s", what, warned.body()).isEqualTo(201);
    String says =
        kindName
            + " x names the queue gold, but is not managed: it starts at once, without quota."
            + " Managed: batch/v1 Job, workload.codeflare.dev/v1beta2 AppWrapper";
    if (told) {
      assertThat(warned.warnings()).singleElement().asString().contains(says);
      assertThat(refused.code()).isEqualTo(422);
      assertThat(refused.body()).contains(says);
    } else {
      assertThat(warned.warnings()).isEmpty();
      assertThat(refused.code()).as(refused.body()).isEqualTo(201);
    }
  }

  @ParameterizedTest
  @CsvSource({"{}, true", "{labels: {kueue.x-k8s.io/queue-name: gold}}, false"})
  void aCronJobNamesTheQueueForItsJobs(String ofItsJobs, boolean told) throws IOException {
    Answer answer =
        send(
            "default",
            "/apis/batch/v1/namespaces/%s/cronjobs",
            """
            apiVersion: batch/v1
            kind: CronJob
            metadata: {name: x, labels: {kueue.x-k8s.io/queue-name: gold}}
            spec:
              schedule: "0 3 * * *"
              jobTemplate:
                metadata: %s
                spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
            """
                .formatted(ofItsJobs));

    assertThat(answer.code()).as(answer.body()).isEqualTo(201);
    if (told) {
      assertThat(answer.warnings())
          .singleElement()
          .asString()
          .contains(
              "CronJob x names the queue gold, but its Jobs do not: write the label into"
                  + " spec.jobTemplate.metadata.labels");
    } else {
      assertThat(answer.warnings()).isEmpty();
    }
  }

  @Test
  void aLabelThatIsAddedLaterIsToldOnce() throws IOException {
    // A RayJob: what else changes in it is its controller's.
    String jobs = "/apis/ray.io/v1/namespaces/default/rayjobs";
    api.create(jobs, tree("{apiVersion: ray.io/v1, kind: RayJob, metadata: {name: later}}"));

    assertThat(patched(jobs, "{metadata: {labels: {kueue.x-k8s.io/queue-name: gold}}}")).hasSize(1);
    assertThat(patched(jobs, "{spec: {entrypoint: main.py}}")).isEmpty();
    assertThat(patched(jobs, "{metadata: {labels: {kueue.x-k8s.io/queue-name: other}}}"))
        .hasSize(1);
    assertThat(patched(jobs, "{metadata: {labels: {kueue.x-k8s.io/queue-name: null}}}")).isEmpty();
  }

  private List<String> patched(String collection, String patch) throws IOException {
    Request.Builder request =
        new Request.Builder()
            .patch(
                RequestBody.create(
                    tree(patch).toString(), MediaType.get("application/merge-patch+json")));
    try (Response response =
        api.exchange("PATCH", collection + "/later", request, false).execute()) {
      assertThat(response.code()).isEqualTo(200);
      return response.headers("Warning");
    }
  }

  @Test
  void noneMeansNone() {
    assertThat(policies("Warn", "{}")).hasSize(2);
    assertThat(policies("None", "{}")).isEmpty();
  }
}
