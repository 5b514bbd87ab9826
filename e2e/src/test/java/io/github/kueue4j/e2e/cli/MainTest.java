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

import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a person gets to read whose command line or surroundings are wrong: one line, exit 2. */
class MainTest {
  @TempDir Path folder;

  private record Outcome(int status, String out, String err) {}

  @Test
  void namesAnUnknownOption() {
    Outcome outcome = run("up", "--prot", "1");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("'--prot'").contains("Try './kueue4j up --help'.");
  }

  @Test
  void namesTheChecksThatThereAre() {
    Outcome outcome = run("check", "nope");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("no check 'nope'").contains("budget, gpu, provisioning");
  }

  @Test
  void saysWhatIsWrongWithAConfiguration() throws IOException {
    Path file = Files.writeString(folder.resolve("config.yaml"), "kind: Konfiguration\n");

    Outcome outcome = run("up", "--port", "0", "--config", file.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains(file.toString()).hasLineCount(1);
  }

  @Test
  void saysThatThePortIsTaken() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Outcome outcome = run("up", "--port", Integer.toString(taken.getLocalPort()));

      assertThat(outcome.status()).isEqualTo(2);
      assertThat(outcome.err())
          .contains("port " + taken.getLocalPort() + " on 127.0.0.1 is taken")
          .hasLineCount(1);
    }
  }

  @Test
  void saysThatTheProbesPortIsTaken() throws IOException {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(0, InstantSource.system());
        ServerSocket taken = new ServerSocket(0)) {
      String port = Integer.toString(taken.getLocalPort());
      Path config =
          Files.writeString(
              folder.resolve("config.yaml"),
              """
              apiVersion: config.kueue.x-k8s.io/v1beta2
              kind: Configuration
              health: {healthProbeBindAddress: ":%s"}
              metrics: {bindAddress: "0"}
              leaderElection: {leaderElect: false}
              """
                  .formatted(port));
      String kubeconfig = cluster.kubeconfig().toString();

      Outcome core =
          run("core", "--install-crds", "--kubeconfig", kubeconfig, "--config", config.toString());
      Outcome check = run("check", "gpu", "--kubeconfig", kubeconfig, "--http-port", port);

      assertThat(core.status()).isEqualTo(2);
      assertThat(core.err()).contains("port " + port, "healthProbeBindAddress").hasLineCount(1);
      assertThat(core.out()).contains("v1beta1", "is not served", "webhook").hasLineCount(1);
      assertThat(check.status()).isEqualTo(2);
      assertThat(check.err()).contains("port " + port, "--http-port").hasLineCount(1);
    }
  }

  @Test
  void saysThatTheClusterCannotBeReached() throws IOException {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: gone
            clusters: [{name: gone, cluster: {server: "http://127.0.0.1:1"}}]
            users: [{name: gone, user: {}}]
            contexts: [{name: gone, context: {cluster: gone, user: gone}}]
            """);

    Outcome outcome = run("check", "gpu", "--kubeconfig", kubeconfig.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("http://127.0.0.1:1").hasLineCount(1);
  }

  @Test
  void saysThatThereIsNoKubeconfig() {
    Outcome outcome = run("core", "--kubeconfig", folder.resolve("none").toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains(folder.resolve("none").toString()).hasLineCount(1);
  }

  @Test
  void theUsageOfTheLauncherNamesEveryCommandAndOption() throws IOException {
    String usage;
    try (InputStream in = Main.class.getResourceAsStream("usage.txt")) {
      usage = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    new CommandLine(new Kueue4jCommand())
        .getSubcommands()
        .forEach(
            (name, command) -> {
              assertThat(usage).contains("  " + name + " ");
              command.getCommandSpec().options().stream()
                  .map(option -> option.longestName())
                  .filter(option -> !option.equals("--help") && !option.equals("--version"))
                  .forEach(option -> assertThat(usage).contains(option));
            });
  }

  private static Outcome run(String... arguments) {
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      int status = Main.run(arguments);
      return new Outcome(
          status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
  }

  @Test
  void limitsThatCannotBeReadAreRefusedBeforeAnythingRuns(@TempDir Path folder) throws Exception {
    Path guards = Files.writeString(folder.resolve("guards.yaml"), "timeot: 3s\n");

    Outcome outcome = run("check", "gpu", "--guards", guards.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("guards.yaml", "timeot", "timeout").hasLineCount(1);
  }
}
