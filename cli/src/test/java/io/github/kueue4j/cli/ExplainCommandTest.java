// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.core.config.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.yaml.snakeyaml.Yaml;

/** {@code kueue4j explain} on a cluster with a core, in which a Job asks for too much. */
@Isolated("swaps System.out and System.err")
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
    core =
        RunningCore.start(
            Target.of(kubeconfig),
            Configuration.parse(
                """
                apiVersion: config.kueue.x-k8s.io/v1beta2
                kind: Configuration
                leaderElection: {leaderElect: false}
                health: {healthProbeBindAddress: "0"}
                metrics: {bindAddress: "0"}
                """),
            time);
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
    await()
        .atMost(Duration.ofSeconds(90))
        .until(() -> explain("training").out().contains("ExceedsQuota"));
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
    assertThat(outcome.err()).contains("exclude each other").hasLineCount(1);
  }

  @Test
  void reportsThatNoServerAnswers() {
    CommandRun outcome = CommandRun.of("explain", "training", "--server", "http://127.0.0.1:1");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("http://127.0.0.1:1").hasLineCount(1);
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
