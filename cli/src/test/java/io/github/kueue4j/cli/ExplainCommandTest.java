// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** {@code kueue4j explain} on a cluster with a core, in which a Job asks for too much. */
class ExplainCommandTest {
  @TempDir private static Path shared;

  private static TimeSource time;
  private static EmbeddedApiServer server;
  private static Path kubeconfig;
  private static RunningCore core;

  @BeforeAll
  static void start() throws InterruptedException {
    time = TimeSource.system();
    server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
    kubeconfig = server.kubeconfig(shared.resolve("kubeconfig"));
    core = QuietCore.start(kubeconfig, time, "");
    server.apply(
        """
          apiVersion: v1
          kind: Namespace
          metadata: {name: team}
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ResourceFlavor
          metadata: {name: default}
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: cq}
          spec:
            namespaceSelector: {}
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: lq, namespace: team}
          spec: {clusterQueue: cq}
          ---
          apiVersion: batch/v1
          kind: Job
          metadata: {name: training, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
          spec:
            suspend: true
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                resources: {requests: {cpu: 5}}}]}
          """);
    await().until(() -> explain("training").out().contains("ExceedsQuota"));
  }

  @AfterAll
  static void stop() {
    core.close();
    server.close();
    time.close();
  }

  @Test
  void namesTheReasonTheActorAndTheNextTime() {
    CommandRun outcome = explain("job/training");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out())
        .contains(
            "ExceedsQuota",
            "Evidence",
            "ClusterQueue/cq quota",
            "cpu in default: 0 of 1 used",
            "Who acts: the owner of the Job",
            "Next wake: not by itself");
  }

  /** Through the Job that controls it, or by the name of its Workload. */
  @Test
  void takesAPod() {
    pod("training-abcde", "ownerReferences: [" + owner() + "]");
    assertThat(explain("pod/training-abcde").out()).contains("ExceedsQuota");

    String workload = workload();
    pod("deeper", "annotations: {kueue.x-k8s.io/workload: " + workload + "}");
    assertThat(explain("pods/deeper").out()).contains("ExceedsQuota");
  }

  @Test
  void saysThatAPodIsNotManaged() {
    pod("alone", "labels: {app: web}");
    CommandRun alone = explain("pod/alone");
    assertThat(alone.status()).isZero();
    assertThat(alone.out()).contains("KindNotManaged", "runs without quota");

    CommandRun unknown = explain("pod/alnoe");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("no pod called 'alnoe'", "did you mean pod/alone");
  }

  @Test
  void takesAContext(@TempDir Path folder) throws IOException {
    Path configuration =
        Files.writeString(
            folder.resolve("core.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            health: {healthProbeBindAddress: "0"}
            metrics: {bindAddress: "0"}
            """);
    for (String command : List.of("explain training -n team", "core --config " + configuration)) {
      List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
      words.addAll(List.of("--kubeconfig", kubeconfig.toString(), "--context", "elsewhere"));
      CommandRun outcome = CommandRun.of(words.toArray(String[]::new));
      assertThat(outcome.status()).as(command).isEqualTo(2);
      assertThat(outcome.err()).as(command).contains("elsewhere").hasLineCount(1);
    }
    assertThat(explain("training", "--context", "elsewhere").err())
        .contains("--server excludes --kubeconfig and --context");
  }

  @Test
  void tellsAProgramTheSame() {
    JsonObject json =
        JsonParser.parseString(explain("training", "-o", "json").out()).getAsJsonObject();
    Map<String, Object> yaml = new Yaml().load(explain("training", "-o", "yaml").out());

    assertThat(json.get("reason").getAsString()).isEqualTo("ExceedsQuota");
    assertThat(json.getAsJsonArray("evidence")).isNotEmpty();
    assertThat(yaml).containsEntry("reason", "ExceedsQuota").containsKeys("summary", "whoActs");
  }

  @Test
  void namesWhatSoundsLikeAnUnknownName() {
    CommandRun outcome = explain("trainnig");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("did you mean", "job/training").hasLineCount(1);
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void refusesAConfigurationThatTheCoreWouldRefuse(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("core.yaml");
    Files.writeString(
        file,
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        waitForPodsRaedy: {timeout: 5m}
        """);

    CommandRun outcome = explain("training", "--config", file.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("core.yaml", "waitForPodsReady").hasLineCount(1);
  }

  @Test
  void refusesTwoClusters() {
    CommandRun outcome = explain("training", "--kubeconfig", kubeconfig.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("--server excludes --kubeconfig and --context")
        .hasLineCount(1);
  }

  @Test
  void reportsThatNoServerAnswers() {
    CommandRun outcome = CommandRun.of("explain", "training", "--server", "http://127.0.0.1:1");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("http://127.0.0.1:1").hasLineCount(1);
  }

  private static void pod(String name, String metadata) {
    server.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: team, %s}
        spec: {containers: [{name: c, image: example.com/c}]}
        """
            .formatted(name, metadata));
  }

  private static String owner() {
    try (ClusterConnection connection = Target.of(kubeconfig).connect("test")) {
      V1Job job =
          connection.api().get(CoreTypes.JOB, new ObjectKey("team", "training")).orElseThrow();
      return "{apiVersion: batch/v1, kind: Job, name: training, controller: true, uid: "
          + Uids.of(job)
          + "}";
    }
  }

  private static String workload() {
    try (ClusterConnection connection = Target.of(kubeconfig).connect("test")) {
      return connection
          .api()
          .list(KueueTypes.WORKLOAD, ListOptions.inNamespace("team"))
          .items()
          .getFirst()
          .key()
          .name();
    }
  }

  @Test
  void whatTheServerAnswersUnexpectedlyIsOneLine() {
    for (int answer : new int[] {404, 503}) {
      try (Fault unexpected =
          server
              .faults()
              .failNext(
                  Integer.MAX_VALUE,
                  RequestMatcher.resource("jobs")
                      .and(request -> request.userAgent().contains("kueue4j")),
                  answer)) {
        CommandRun outcome = explain("job/training");

        assertThat(unexpected.hits()).isPositive();
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.err().strip().lines())
            .singleElement()
            .asString()
            .contains(
                String.valueOf(answer),
                answer == 404 ? "does not serve such objects" : "try again");
      }
    }
  }

  private static CommandRun explain(String name, String... more) {
    String[] arguments = new String[6 + more.length];
    System.arraycopy(
        new String[] {"explain", "-n", "team", name, "--server", server.uri().toString()},
        0,
        arguments,
        0,
        6);
    System.arraycopy(more, 0, arguments, 6, more.length);
    return CommandRun.of(arguments);
  }
}
