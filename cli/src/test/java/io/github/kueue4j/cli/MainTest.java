// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of a wrong command line or environment: one line, exit 2. */
@Tag("quick")
class MainTest {
  @TempDir Path folder;

  @Test
  void namesAnUnknownOption() {
    CommandRun outcome = CommandRun.of("core", "--confg", "1");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("'--confg'").contains("Try 'kueue4j core --help'.");
  }

  @Test
  void showsItsOwnCommandsWhereNoneIsGiven() {
    CommandRun outcome = inADistribution(CommandRun::of);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .startsWith("Usage: kueue4j COMMAND [OPTION]...")
        .containsSubsequence(
            "\nOn a cluster:\n  core\n",
            "\n  check NAME\n",
            "\n  explain NAME\n",
            "\nFor authors of checks:\n  new-check NAME\n",
            "\n  rbac (--controller-name=NAME | --for=CHECK)\n",
            "\nOptions:\n",
            "\nExit status:\n",
            "\nEnvironment:\n",
            "\n'kueue4j COMMAND --help' says more.\n")
        .doesNotContain("Without a cluster", "Measurement");
  }

  /** Without the commands that other modules add, which may be on the class path of a build. */
  private static CommandRun inADistribution(Supplier<CommandRun> run) {
    String added = "META-INF/services/" + Subcommands.class.getName();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(
        new ClassLoader(before) {
          @Override
          public Enumeration<URL> getResources(String name) throws IOException {
            return name.equals(added) ? Collections.emptyEnumeration() : super.getResources(name);
          }
        });
    try {
      return run.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void listsACommandWithItsArgumentsAndDefaults() {
    assertThat(CommandRun.of("--help").out())
        .contains(
            "\n  explain NAME\n      Says why a Workload or Job isn't running, ",
            "\n      NAME                            a Workload, or else a Job or JobSet; ",
            "\n      -o, --output=FORMAT             text, json or yaml (default: text)\n");
  }

  @Test
  void saysMoreOfOneCommand() {
    assertThat(CommandRun.of("check", "--help").out())
        .startsWith("Usage: kueue4j check [-hV] NAME")
        .contains("\nNAME is one of:\n", "  gpu ", "'check NAME --help' lists the options.");
    assertThat(CommandRun.of("check", "gpu", "--help").out())
        .startsWith("Usage: kueue4j check gpu [-hV]")
        .containsSubsequence(
            "Runs the check of GPUs that are free on the nodes until Ctrl-C.",
            "  --kubeconfig=FILE ",
            "\nExit status:\n",
            "  1     another replica has become the leader; start it again\n");
  }

  @Test
  void saysItsVersionAndThatOfItsCommands() {
    assertThat(CommandRun.of("--version").out()).matches("kueue4j \\d+\\.\\d+\\.\\d+\\S*\\R");
    assertThat(CommandRun.of("core", "--version").out())
        .isEqualTo(CommandRun.of("--version").out());
  }

  @Test
  void namesTheChecksThatThereAre() {
    CommandRun outcome = CommandRun.of("check", "nope");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("no check 'nope'").contains("budget, gpu, provisioning");
    assertThat(CommandRun.of("check").err()).contains("no check was named; choose one of budget");
  }

  @Test
  void aCheckWhoseKindsAreMissingSaysWhatToInstall() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server.apply(CommandRun.of("crds").out());

      CommandRun check = CommandRun.of("check", "http", "--server", server.uri().toString());

      assertThat(check.status()).isEqualTo(2);
      assertThat(check.err())
          .contains("httpchecks.checks.kueue4j.io", "./kueue4j crds --all")
          .hasLineCount(1);
    }
  }

  @Test
  void printsTheDefinitionsThatAClusterNeeds() {
    CommandRun kueue = CommandRun.of("crds");
    assertThat(kueue.status()).isZero();
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server.apply(kueue.out());
      server.apply(CommandRun.of("crds", "--all").out());
    }
    CommandRun none = CommandRun.of("crds", "--for", "provisioning");
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err()).contains("the check provisioning has no kinds of its own");
    CommandRun both = CommandRun.of("crds", "--all", "--for", "gpu");
    assertThat(both.err()).contains("--all and --for exclude each other");
  }

  @Test
  void saysWhatIsWrongWithAConfiguration() throws IOException {
    Path file = Files.writeString(folder.resolve("config.yaml"), "kind: Konfiguration\n");

    CommandRun outcome = CommandRun.of("core", "--config", file.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains(file.toString()).hasLineCount(1);
  }

  @Test
  void saysThatTheProbesPortIsTaken() throws IOException {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
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
      String kubeconfig = server.kubeconfig(folder.resolve("kubeconfig")).toString();

      CommandRun core =
          CommandRun.of("core", "--kubeconfig", kubeconfig, "--config", config.toString());
      CommandRun check =
          CommandRun.of("check", "gpu", "--kubeconfig", kubeconfig, "--http-port", port);

      assertThat(core.status()).isEqualTo(2);
      assertThat(core.err()).contains("port " + port, "healthProbeBindAddress").hasLineCount(1);
      assertThat(check.status()).isEqualTo(2);
      assertThat(check.err()).contains("port " + port, "--http-port").hasLineCount(1);
    }
  }

  @Test
  void saysWhatIsNotServedAndThatTheLeasesNamespaceIsMissing() throws IOException {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      Path config =
          Files.writeString(
              folder.resolve("config.yaml"),
              """
              apiVersion: config.kueue.x-k8s.io/v1beta2
              kind: Configuration
              namespace: nowhere
              health: {healthProbeBindAddress: "0"}
              metrics: {bindAddress: "0"}
              """);

      CommandRun core =
          CommandRun.of(
              "core",
              "--install-crds",
              "--kubeconfig",
              server.kubeconfig(folder.resolve("kubeconfig")).toString(),
              "--config",
              config.toString());

      assertThat(core.status()).isEqualTo(2);
      assertThat(core.out()).contains("v1beta1", "is not served", "webhook").hasLineCount(1);
      assertThat(core.err()).contains("namespace nowhere", "Lease").hasLineCount(1);
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

    CommandRun outcome = CommandRun.of("check", "gpu", "--kubeconfig", kubeconfig.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("http://127.0.0.1:1").hasLineCount(1);
  }

  /** A configuration that takes none of the default ports, which may be in use here. */
  private String withoutPorts() throws IOException {
    return Files.writeString(
            folder.resolve("config.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            health: {healthProbeBindAddress: "0"}
            metrics: {bindAddress: "0"}
            """)
        .toString();
  }

  @Test
  void saysThatThereIsNoKubeconfig() throws IOException {
    CommandRun outcome =
        CommandRun.of(
            "core", "--kubeconfig", folder.resolve("none").toString(), "--config", withoutPorts());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains(folder.resolve("none").toString()).hasLineCount(1);
  }

  @Test
  void gatesWithoutEffectAreNotedAndGivenOnce() throws IOException {
    String nowhere = folder.resolve("none").toString();

    CommandRun noted =
        CommandRun.of("core", "--kubeconfig", nowhere, "--feature-gates", "MultiKueue=true");
    assertThat(noted.err())
        .startsWith(
            "kueue4j: note: what has no effect in --feature-gates: featureGates.MultiKueue (no"
                + " effect here)\n");
    String file = withoutPorts();
    CommandRun besideAFile =
        CommandRun.of(
            "core",
            "--kubeconfig",
            nowhere,
            "--config",
            file,
            "--feature-gates",
            "MultiKueue=true");
    assertThat(besideAFile.err())
        .startsWith("kueue4j: note: what has no effect in " + file + " and --feature-gates: ");
    CommandRun unknown = CommandRun.of("core", "--config", file, "--feature-gates", "No=true");
    assertThat(unknown.err()).startsWith("kueue4j: --feature-gates names an unknown gate \"No\"");
    CommandRun twice =
        CommandRun.of("core", "--feature-gates", "A=true", "--feature-gates", "B=true");
    assertThat(twice.status()).isEqualTo(2);
    assertThat(twice.err()).contains("'--feature-gates'", "only once");
  }

  @Test
  void limitsThatCannotBeReadAreRefusedBeforeAnythingRuns(@TempDir Path folder) throws Exception {
    Path guards = Files.writeString(folder.resolve("guards.yaml"), "timeot: 3s\n");

    CommandRun outcome = CommandRun.of("check", "gpu", "--guards", guards.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("guards.yaml", "timeot", "timeout").hasLineCount(1);
  }
}
