// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonObject;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.e2e.charts.Chart;
import io.github.kueue4j.e2e.cluster.LocalProcess;
import io.github.kueue4j.e2e.startup.Packaged;
import io.github.kueue4j.e2e.startup.UnpackedImage;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image that the module cli builds: its layers are unpacked, and its entry point is run by this
 * machine's Java, since its base has none.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the image is one of Linux")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImageTest {
  /** project.build.outputTimestamp. */
  private static final Instant BUILD_TIME = Instant.parse("2026-01-01T00:00:00Z");

  /** Of the files that Jib itself adds. */
  private static final Instant JIB_TIME = Instant.EPOCH.plusSeconds(1);

  private UnpackedImage image;

  @BeforeAll
  void unpack(@TempDir Path folder) throws Exception {
    image = UnpackedImage.of(Packaged.image(), folder);
  }

  @Test
  void runsAsAUserWithoutRights() {
    JsonObject container = image.config().getAsJsonObject("config");
    assertThat(container.get("User").getAsString()).isEqualTo("65532:65532");
    assertThat(
            container
                .getAsJsonObject("Labels")
                .get("org.opencontainers.image.version")
                .getAsString())
        .isEqualTo(version());
  }

  /** Then an import on a node is enough: no runtime completes a name that has a host. */
  @Test
  void isImportedUnderTheNameThatTheChartsAskFor() {
    assertThat(image.name()).isEqualTo("localhost/kueue4j:" + version());
    for (String chart : List.of("kueue-core", "admission-checks")) {
      assertThat(
              Chart.named(chart).render().stream().filter(each -> each.kind().equals("Deployment")))
          .isNotEmpty()
          .allSatisfy(
              each ->
                  assertThat(each.tree().toString())
                      .as(chart)
                      .contains("image=" + image.name() + ","));
    }
  }

  /** What depends on when, where and by whom it was built would make two builds differ. */
  @Test
  void holdsNothingOfTheMachineThatBuiltIt() throws Exception {
    assertThat(image.config().get("created").getAsString()).isEqualTo(BUILD_TIME.toString());
    try (Stream<Path> files = Files.walk(image.root())) {
      assertThat(files.filter(Files::isRegularFile))
          .isNotEmpty()
          .allSatisfy(
              file ->
                  assertThat(Files.getLastModifiedTime(file).toInstant())
                      .as(file.toString())
                      .isIn(BUILD_TIME, JIB_TIME));
    }
  }

  @Test
  void hasTheLibrariesOfTheDistribution() throws Exception {
    assertThat(libraries(image.root().resolve("app")))
        .containsExactlyElementsOf(libraries(Packaged.distribution().resolve("lib")));
  }

  private static List<String> libraries(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(".jar"))
          .sorted()
          .toList();
    }
  }

  /** A build without network makes no list. */
  @Test
  void listsItsLibraries() {
    Path list = image.root().resolve("app/sbom/kueue4j.cdx.json");
    assumeThat(list).as("the list that a build with network makes").exists();
    assertThat(list)
        .content()
        .contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/io.kubernetes/client-java@")
        .doesNotContain("\"timestamp\"", "\"serialNumber\"", "junit", "jetty");
  }

  @Tag("landing")
  @Test
  void sharesTheVersionOfTheBuild() throws Exception {
    assertThat(run(command("--version")).strip()).isEqualTo("kueue4j " + version());
  }

  /** As its chart starts it: nothing can be written but the temporary folder. */
  @Tag("landing")
  @Test
  void startsACheck(@TempDir Path folder) throws Exception {
    run(List.of("chmod", "-R", "a-w", image.root().toString()));
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server.apply(run(command("crds")));
      try (LocalProcess check =
          LocalProcess.start(
              "check", folder, command("check", "gpu", "--server=" + server.uri()))) {
        Awaitility.await("it runs or ends")
            .atMost(Patience.LIMIT)
            .until(() -> !check.isAlive() || check.hasPrinted("gpu-check is running on"));
        assertThat(check.hasPrinted("gpu-check is running on " + server.uri()))
            .as(check.tail())
            .isTrue();
      }
    } finally {
      run(List.of("chmod", "-R", "u+w", image.root().toString()));
    }
  }

  /** What the image's user gets, on this machine's Java. */
  private List<String> command(String... arguments) {
    return image.command(Path.of(System.getProperty("java.home")), List.of(), List.of(arguments));
  }

  private static String version() {
    StringWriter out = new StringWriter();
    Main.run(new PrintWriter(out, true), new PrintWriter(out, true), "--version");
    return out.toString().strip().replace("kueue4j ", "");
  }

  /** What it prints, without what it complains of: Java names the options that it was given. */
  private String run(List<String> command) throws IOException, InterruptedException {
    Path errors = image.root().resolveSibling("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor())
        .as(() -> String.join(" ", command) + "\n" + contentOf(errors.toFile()))
        .isZero();
    return out;
  }
}
