// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.kueue4j.cli.Main;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.jobs.kinds.BuiltInKinds;
import io.github.kueue4j.jobs.kinds.JobKindTrial;
import io.github.kueue4j.jobs.kinds.SampleTrial;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/guides/job-kinds.md: its declaration and its objects are tried as it says. */
class JobKindsPageTest {
  private static final Path PAGE = Checkout.root().resolve("docs/guides/job-kinds.md");

  private static Page page;

  @TempDir Path folder;

  @BeforeAll
  static void read() throws IOException {
    page = Page.parse(PAGE.toString(), Files.readString(PAGE));
  }

  @Test
  void itsCommandsPrintWhatItShows() throws IOException {
    for (Page.Snippet snippet : page.snippets()) {
      if (snippet.markers().containsKey("file")) {
        Files.writeString(folder.resolve(snippet.markers().get("file")), snippet.code());
      }
    }
    List<String> checks =
        page.snippets().stream()
            .filter(snippet -> snippet.language().equals("sh"))
            .filter(snippet -> !snippet.markers().containsKey("untested"))
            .map(snippet -> snippet.code().strip())
            .toList();
    assertThat(checks).hasSize(4).allMatch(line -> line.startsWith("./kueue4j kind check "));

    List<String> printed = checks.stream().map(this::printed).toList();

    assertThat(printed.getFirst())
        .isEqualTo(
            page.snippets().stream()
                .filter(snippet -> snippet.language().equals("text"))
                .findFirst()
                .orElseThrow()
                .code());
    assertThat(printed.get(1)).contains("  pod set    worker: 4 pods, each with cpu 4\n");
    assertThat(printed.get(2))
        .contains("  pod set    submitter: 1 pod with cpu 500m, memory 200Mi");
    assertThat(printed.get(3))
        .contains(
            "  pod set    train-0: 2 pods, each with cpu 1\n",
            "  pod set    train-1: 4 pods, each with cpu 4\n",
            "  spec.components[0].podSetInfos[0].nodeSelector[\"example.com/nodes\"]: \"example\"\n",
            "  spec.components[1].podSetInfos[0].labels[\"kueue.x-k8s.io/podset\"]: \"train-1\"\n",
            "a stop takes that back\n")
        .doesNotContain("template.spec.worker.");
  }

  /** What a command line prints that ends well, with files of the page. */
  private String printed(String line) {
    String[] words = line.split(" ");
    for (int i = 0; i < words.length; i++) {
      if (words[i].endsWith(".yaml")) {
        words[i] = folder.resolve(words[i]).toString();
      }
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.run(
            new PrintWriter(out),
            new PrintWriter(err),
            List.of(words).subList(1, words.length).toArray(new String[0]));
    assertThat(status).as(line + "\n" + out + err).isZero();
    return out.toString();
  }

  @Test
  void itsConfigurationHasTheDeclaration() {
    String declared = file("trainingrun.yaml").strip().replace("\n", "\n      ");

    assertThat(file("configuration.yaml")).endsWith("    - " + declared + "\n");
    assertThat(Configuration.parse(file("configuration.yaml")).integrations().frameworks())
        .contains("ml.example.com/trainingrun");
  }

  /** What the page says of Ray is what its declaration refuses. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          headGroupSpec:, 'enableInTreeAutoscaling: true\n    headGroupSpec:', spec.rayClusterSpec.enableInTreeAutoscaling is true
          entrypoint:, 'clusterSelector: {a: b}\n  entrypoint:', spec.clusterSelector has it run
          shutdownAfterJobFinishes: true, shutdownAfterJobFinishes: false, spec.shutdownAfterJobFinishes isn't true
          """)
  void whatIsRefusedIsRefused(String part, String instead, String refusal) {
    SampleTrial trial =
        JobKindTrial.builtIn("rayjob").orElseThrow().on(file("rayjob.yaml").replace(part, instead));

    assertThat(trial.text()).contains("  refused    " + refusal);
    assertThat(trial.sound()).isFalse();
  }

  /** A key that is unknown everywhere is answered with those that are known there. */
  @Test
  void everyKeyIsInItsTables() throws IOException {
    String text = Files.readString(PAGE);
    String declaration = file("trainingrun.yaml");

    for (String key : known(declaration + "qqqqqqqqqq: 1\n")) {
      assertThat(text).containsPattern("\\| [^|]*`" + key + "`[^|]* \\|");
    }
    for (String key :
        known(declaration.replace("- name: leader", "- qqqqqqqqqq: 1\n    name: leader"))) {
      assertThat(text).contains("| `podSets[]." + key + "` |");
    }
    for (String key :
        known(declaration.replace("{condition: Ready}", "{condition: Ready, qqqqqqqqqq: 1}"))) {
      assertThat(text).containsPattern("\\| `\\{.*\\b" + key + ": ");
    }
  }

  private static List<String> known(String declaration) {
    String refusal =
        Objects.requireNonNull(catchThrowable(() -> JobKindTrial.of(declaration)).getMessage());
    assertThat(refusal).contains("qqqqqqqqqq is not a known key; known here: ");
    return List.of(refusal.replaceFirst(".*known here: ", "").split(", "));
  }

  @Test
  void everyBuiltInKindIsNamed() throws IOException {
    String text = Files.readString(PAGE);

    assertThat(BuiltInKinds.FILES)
        .allSatisfy(
            file -> assertThat(text).contains(JobKindTrial.builtIn(file).orElseThrow().kind()));
  }

  private static String file(String name) {
    return page.snippets().stream()
        .filter(snippet -> name.equals(snippet.markers().get("file")))
        .findFirst()
        .orElseThrow()
        .code();
  }
}
