/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.ClusterConnection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** {@code ./kueue4j explain} against a playground in which a Job asks for too much. */
class ExplainCommandTest {
  private static TimeSource time;
  private static Playground playground;

  private record Outcome(int status, String out, String err) {}

  @BeforeAll
  static void start() throws InterruptedException {
    time = TimeSource.system();
    playground =
        Playground.start(
            new Playground.Options(
                0, Playground.quietConfiguration(), Set.of(), Duration.ofSeconds(1)),
            time);
    try (ClusterConnection connection = playground.target().connect("test")) {
      Manifests.parse(
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
          """)
          .createIn(connection.api());
    }
    await()
        .atMost(Duration.ofSeconds(90))
        .until(() -> explain("training").out().contains("ExceedsQuota"));
  }

  @AfterAll
  static void stop() {
    playground.close();
    time.close();
  }

  @Test
  void tellsAPersonWhyWhoAndWhen() {
    Outcome outcome = explain("job/training");

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
    Outcome outcome = explain("trainnig");

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

    Outcome outcome = explain("training", "--config", file.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("core.yaml", "waitForPodsReady").hasLineCount(1);
  }

  @Test
  void wantsOneCluster() {
    Outcome outcome = explain("training", "--kubeconfig", playground.kubeconfig().toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("exclude each other").hasLineCount(1);
  }

  @Test
  void saysThatNobodyAnswers() {
    Outcome outcome = run("explain", "training", "--server", "http://127.0.0.1:1");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("http://127.0.0.1:1").hasLineCount(1);
  }

  private static Outcome explain(String name, String... more) {
    String[] arguments = new String[6 + more.length];
    System.arraycopy(
        new String[] {"explain", "-n", "team", name, "--server", playground.address()},
        0,
        arguments,
        0,
        6);
    System.arraycopy(more, 0, arguments, 6, more.length);
    return run(arguments);
  }

  private static Outcome run(String... arguments) {
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      return new Outcome(
          Main.run(arguments),
          out.toString(StandardCharsets.UTF_8),
          err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
  }
}
