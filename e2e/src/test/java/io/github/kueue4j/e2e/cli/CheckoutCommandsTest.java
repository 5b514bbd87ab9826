// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.cli.Main;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a wrong call of the commands that only a checkout has prints: one line, exit 2. */
@Isolated("swaps System.out and System.err")
class CheckoutCommandsTest {
  @TempDir Path folder;

  private record Outcome(int status, String out, String err) {}

  @Test
  void namesAnUnknownOption() {
    Outcome outcome = run("up", "--prot", "1");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("'--prot'").contains("Try 'kueue4j up --help'.");
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
  void namesAProgramThatIsNone() {
    for (String[] command :
        new String[][] {
          {"aot-cache", folder.toString()},
          {"bench", "--program", folder.toString()},
          {"bench-start", "--program", folder.toString()},
          {"bench-soak", "--program", folder.toString()}
        }) {
      Outcome outcome = run(command);

      assertThat(outcome.status()).isEqualTo(2);
      assertThat(outcome.err())
          .contains(folder + " is neither the folder of a distribution")
          .hasLineCount(1);
    }
  }

  /** The file is missing, so that none starts anything. */
  @ParameterizedTest
  @CsvSource({
    "--load, --keep, 'which only a cluster of your own has: name it with --kubeconfig'",
    "--kubeconfig, --core-java-option=-Xmx99m, are for a core that bench starts",
    "--kubeconfig, --program=core, are for a core that bench starts"
  })
  void optionsOfBenchThatExcludeEachOtherAreRefused(String option, String with, String problem) {
    Outcome outcome = run("bench", option, folder.resolve("missing").toString(), with);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains(problem).hasLineCount(1);
  }

  @Test
  void namesAJavaThatIsNone() {
    Outcome outcome = run("aot-cache", folder.toString(), "--java", folder.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("--java=" + folder).hasLineCount(1);
  }

  @Test
  void namesAClusterThatIsNoneForTheStories() throws IOException {
    Path missing = folder.resolve("missing");
    assertThat(run("e2e", "--kubeconfig", missing.toString()))
        .satisfies(
            outcome -> {
              assertThat(outcome.status()).isEqualTo(2);
              assertThat(outcome.err()).contains(missing.toString()).hasLineCount(1);
            });
  }

  @Test
  void namesWhatIsWrongWithAClusterForTheStories() {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(0, Clock.systemUTC())) {
      String kubeconfig = cluster.kubeconfig().toString();

      Outcome empty = run("e2e", "--kubeconfig", kubeconfig);
      Outcome half = run("e2e", "--kubeconfig", kubeconfig, "--lost-node", "n1");

      assertThat(empty.status()).isEqualTo(2);
      assertThat(empty.err()).contains("has no nodes to run pods on").hasLineCount(1);
      assertThat(half.status()).isEqualTo(2);
      assertThat(half.err()).contains("--lose-node", "--bring-node-back");
    }
  }

  /** A core in a process of its own; what it costs is of no interest here. */
  @Test
  @Tag("nightly")
  void measuresAStart() {
    Outcome outcome = run("bench-start", "--jobs=2", "--idle=1s");

    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .containsSubsequence("first admission", "all is done", "idle", "% of a CPU");
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
}
