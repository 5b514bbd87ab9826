// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./kueue4j conformance} as a person or a pipeline uses it. */
class ConformanceCommandTest {
  @TempDir Path folder;

  private record Outcome(int status, String out, String err) {}

  private static Outcome run(List<String> arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new));
    return new Outcome(status, out.toString(), err.toString());
  }

  @Tag("landing")
  @Test
  void startsAndRestartsAControllerWithoutAnyCluster() throws IOException {
    Path proxy = folder.resolve("proxy");
    Path objects =
        Files.writeString(
            folder.resolve("objects.yaml"),
            """
            apiVersion: v1
            kind: Node
            metadata: {name: gpus}
            status: {allocatable: {nvidia.com/gpu: "64"}}
            """);
    List<String> arguments =
        new ArrayList<>(List.of("conformance", "--embedded", "--apply", objects.toString()));
    arguments.addAll(List.of("--controller-name", "kueue4j.io/gpu-availability"));
    arguments.addAll(List.of("--proxy-kubeconfig", proxy.toString()));
    arguments.addAll(List.of("--quiet", "200ms", "--patience", "2m", "--output", "json", "--"));
    arguments.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    arguments.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    arguments.addAll(List.of(Main.class.getName(), "check", "gpu"));
    arguments.addAll(List.of("--kubeconfig", proxy.toString()));

    Outcome outcome = run(arguments);

    assertThat(outcome.status()).as(outcome.out() + outcome.err()).isZero();
    JsonNode report = new ObjectMapper().readTree(outcome.out());
    assertThat(report.path("conformant").asBoolean()).isTrue();
    assertThat(report.path("rules")).hasSize(24);
    assertThat(report.path("rules"))
        .allSatisfy(rule -> assertThat(rule.path("result").asText()).isEqualTo("PASS"));
    assertThat(outcome.err())
        .contains("conformance: the controller is restarted ...")
        .contains("gpu-check is running");
  }

  @Test
  void aControllerThatIsNotThereFails() throws IOException {
    Path json = folder.resolve("report.json");
    Path junit = folder.resolve("report.xml");
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start()) {
      Outcome outcome =
          run(
              List.of(
                  "conformance",
                  "--controller-name",
                  "example.com/nobody",
                  "--server",
                  server.uri().toString(),
                  "--quiet",
                  "10ms",
                  "--patience",
                  "200ms",
                  "--json",
                  json.toString(),
                  "--junit",
                  junit.toString()));

      assertThat(outcome.status()).isEqualTo(1);
      assertThat(new ObjectMapper().readTree(json.toFile()).path("rules")).hasSize(24);
      assertThat(junit)
          .content()
          .contains("<testcase classname=\"example.com/nobody\" name=\"01 active\"><failure");
      assertThat(outcome.out())
          .contains("FAIL     1 active")
          .contains("does the controller run, and under this name?")
          .contains("remedy: patch status.conditions of the AdmissionCheck")
          .contains("see:    docs/guides/admission-check-flow.md#say-that-you-are-there")
          .contains("example.com/nobody: ")
          .contains("2 broken");
    }
  }

  @Tag("landing")
  @Test
  void aCommandThatEndsByItselfIsTold() {
    List<String> arguments =
        new ArrayList<>(List.of("conformance", "--embedded", "--controller-name", "example.com/x"));
    arguments.addAll(List.of("--quiet", "10ms", "--patience", "5s", "--", "sh", "-c", "exit 3"));

    Outcome outcome = run(arguments);

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err()).contains("conformance: your command ended with status 3");
  }

  @Test
  void theKubeconfigThatItMadeIsGoneAfterwards() throws IOException {
    Path told = Files.createFile(folder.resolve("told"));
    List<String> arguments =
        new ArrayList<>(List.of("conformance", "--embedded", "--controller-name", "example.com/x"));
    arguments.addAll(List.of("--quiet", "10ms", "--patience", "5s", "--", "sh", "-c"));
    arguments.add("echo $KUBECONFIG >>" + told + "; exec sleep 600");

    Outcome outcome = run(arguments);

    assertThat(outcome.status()).as(outcome.err()).isEqualTo(1);
    assertThat(Files.readAllLines(told))
        .isNotEmpty()
        .allSatisfy(kubeconfig -> assertThat(Path.of(kubeconfig)).doesNotExist());
  }

  @Test
  void whatIsWrongIsSaidInOneLine() throws IOException {
    Path noWorkload = Files.writeString(folder.resolve("job.yaml"), "kind: Job\n");
    try (EmbeddedApiServer empty = EmbeddedApiServer.start();
        EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start()) {
      List<String> plain =
          List.of(
              "conformance",
              "--controller-name",
              "example.com/x",
              "--server",
              server.uri().toString());

      assertThat(run(List.of("conformance")).status()).isEqualTo(2);
      complains(
          List.of(
              "conformance",
              "--controller-name",
              "example.com/x",
              "--server",
              empty.uri().toString()),
          "--install-crds");
      complains(
          List.of(
              "conformance",
              "--controller-name",
              "example.com/x",
              "--server",
              "http://127.0.0.1:1"),
          "no answer from http://127.0.0.1:1");
      complains(with(plain, "--parameters", "spot"), "GROUP/KIND/NAME");
      complains(with(plain, "--apply", noWorkload.toString()), "--apply goes with --embedded");
      complains(
          with(plain, "--embedded"), "--embedded starts a server of its own; leave out --server");
      complains(
          List.of("conformance", "--controller-name", "example.com/x", "--embedded"),
          "needs a COMMAND after --");
      complains(
          with(plain, "--junit", folder.resolve("none").resolve("x").toString()),
          "name a file in a folder that exists");
      complains(with(plain, "--json", folder.toString()), "name a file in a folder that exists");
      complains(with(plain, "--workload", noWorkload.toString()), "is no Workload with a spec");
      complains(with(plain, "--", folder.resolve("none").toString()), "can't start the controller");
    }
  }

  private static List<String> with(List<String> plain, String... more) {
    List<String> all = new ArrayList<>(plain);
    all.addAll(List.of(more));
    return all;
  }

  private static void complains(List<String> arguments, String about) {
    Outcome outcome = run(arguments);
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(2);
    assertThat(outcome.err()).contains(about).hasLineCount(1);
    assertThat(outcome.out()).isEmpty();
  }
}
