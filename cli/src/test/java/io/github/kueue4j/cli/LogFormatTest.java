// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What processes of the launcher log under {@code KUEUE4J_LOG_FORMAT}. */
class LogFormatTest {
  private static final String CONFIGURATION =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      leaderElection: {leaderElect: false}
      health: {healthProbeBindAddress: "0"}
      metrics: {bindAddress: "0"}
      """;

  @TempDir Path folder;
  private Path output;

  @BeforeEach
  void choose() {
    output = folder.resolve("output");
  }

  @Test
  void theCoreLogsJsonAndNothingElse() throws Exception {
    List<JsonObject> lines =
        outputOfCore("JSON", "\"Running\"")
            .lines()
            .map(line -> JsonParser.parseString(line).getAsJsonObject())
            .toList();

    assertThat(lines)
        .allSatisfy(
            line -> {
              assertThat(Instant.parse(line.get("time").getAsString())).isNotNull();
              assertThat(line.keySet()).contains("level", "logger", "message");
            })
        .anySatisfy(
            line -> {
              assertThat(line.get("message").getAsString()).isEqualTo("Running");
              assertThat(line.get("server").getAsString()).startsWith("http://127.0.0.1:");
            });
  }

  @Tag("landing")
  @Test
  void theCoreLogsTextWithTheTimeAndItsZone() throws Exception {
    String text = outputOfCore("", "the core is running on http://127.0.0.1:");

    assertThat(OffsetDateTime.parse(text.substring(0, text.indexOf(' ')))).isNotNull();
  }

  @Test
  void anUnknownFormatIsRefusedByEachCommand() throws Exception {
    Process program = start("xml", "crds");

    assertThat(program.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(program.exitValue()).isEqualTo(2);
    assertThat(output)
        .hasContent(
            "kueue4j: the variable KUEUE4J_LOG_FORMAT is 'xml'; it takes one of text, json\n");
  }

  /** What it has printed and logged once it runs. */
  private String outputOfCore(String format, String last) throws IOException {
    Path config = Files.writeString(folder.resolve("core.yaml"), CONFIGURATION);
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start()) {
      Process core =
          start(
              format,
              "core",
              "--config=" + config,
              "--kubeconfig=" + server.kubeconfig(folder.resolve("kubeconfig")));
      try {
        await("it runs")
            .failFast(() -> assertThat(core.isAlive()).as(Files.readString(output)).isTrue())
            .until(() -> Files.readString(output).contains(last));
      } finally {
        core.destroyForcibly();
      }
      String text = Files.readString(output);
      return text.substring(0, text.lastIndexOf('\n') + 1);
    }
  }

  private Process start(String format, String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName()),
                        Stream.of(arguments))
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("KUEUE4J_LOG_FORMAT", format);
    builder.environment().put("KUEUE4J_LOG", "DEBUG");
    return builder.start();
  }
}
