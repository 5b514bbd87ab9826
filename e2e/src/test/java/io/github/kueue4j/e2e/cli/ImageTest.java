// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.e2e.charts.Repository;
import io.github.kueue4j.e2e.cluster.LocalProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
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
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String APPLICATION = "/app/";

  /** project.build.outputTimestamp. */
  private static final Instant BUILD_TIME = Instant.parse("2026-01-01T00:00:00Z");

  /** Of the files that Jib itself adds. */
  private static final Instant JIB_TIME = Instant.EPOCH.plusSeconds(1);

  private Path root;
  private JsonNode config;

  @BeforeAll
  void unpack(@TempDir Path folder) throws Exception {
    Path target = Repository.root().resolve("cli/target");
    List<Path> images = List.of();
    if (Files.isDirectory(target)) {
      try (Stream<Path> files = Files.list(target)) {
        images = files.filter(each -> each.toString().endsWith("-image.tar")).toList();
      }
    }
    assumeThat(images).as("images in " + target + ": this build doesn't package cli").isNotEmpty();
    Path image = Files.createDirectory(folder.resolve("image"));
    run("tar", "xf", images.getFirst().toString(), "-C", image.toString());
    JsonNode manifest =
        blob(image, JSON.readTree(image.resolve("index.json").toFile()).at("/manifests/0/digest"));
    config = blob(image, manifest.at("/config/digest"));
    root = Files.createDirectory(folder.resolve("root"));
    for (JsonNode layer : manifest.get("layers")) {
      run("tar", "xzf", path(image, layer.get("digest")).toString(), "-C", root.toString());
    }
  }

  private static JsonNode blob(Path image, JsonNode digest) throws IOException {
    return JSON.readTree(path(image, digest).toFile());
  }

  private static Path path(Path image, JsonNode digest) {
    return image.resolve("blobs").resolve(digest.asText().replace(':', '/'));
  }

  @Test
  void runsAsAUserWithoutRights() {
    assertThat(config.at("/config/User").asText()).isEqualTo("65532:65532");
    assertThat(config.at("/config/Labels/org.opencontainers.image.version").asText())
        .isEqualTo(version());
  }

  /** What depends on when, where and by whom it was built would make two builds differ. */
  @Test
  void holdsNothingOfTheMachineThatBuiltIt() throws Exception {
    assertThat(config.get("created").asText()).isEqualTo(BUILD_TIME.toString());
    try (Stream<Path> files = Files.walk(root)) {
      assertThat(files.filter(Files::isRegularFile))
          .allSatisfy(
              file ->
                  assertThat(Files.getLastModifiedTime(file).toInstant())
                      .as(file.toString())
                      .isIn(BUILD_TIME, JIB_TIME));
    }
  }

  /** A build without network makes no list. */
  @Test
  void listsItsLibraries() {
    Path list = root.resolve("app/sbom/kueue4j.cdx.json");
    assumeThat(list).as("the list that a build with network makes").exists();
    assertThat(list)
        .content()
        .contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/io.kubernetes/client-java@")
        .doesNotContain("\"timestamp\"", "\"serialNumber\"", "junit", "jetty");
  }

  @Test
  void sharesTheVersionOfTheBuild() throws Exception {
    assertThat(run(entryPoint("--version")).strip()).isEqualTo("kueue4j " + version());
  }

  /** As its chart starts it: nothing can be written but the temporary folder. */
  @Test
  void startsACheck(@TempDir Path folder) throws Exception {
    run("chmod", "-R", "a-w", root.toString());
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server.apply(run(entryPoint("crds")));
      try (LocalProcess check =
          LocalProcess.start(
              "check", folder, List.of(entryPoint("check", "gpu", "--server=" + server.uri())))) {
        Awaitility.await("it runs or ends")
            .atMost(Duration.ofMinutes(2))
            .until(() -> !check.isAlive() || check.tail().contains("gpu-check is running on"));
        assertThat(check.tail()).contains("gpu-check is running on " + server.uri());
      }
    } finally {
      run("chmod", "-R", "u+w", root.toString());
    }
  }

  /** The entry point with what it names in the image's folders found in the unpacked ones. */
  private String[] entryPoint(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    for (JsonNode word : config.at("/config/Entrypoint")) {
      command.add(located(word.asText()));
    }
    assertThat(command.getFirst()).isEqualTo("java");
    command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    return command.toArray(String[]::new);
  }

  private String located(String word) throws IOException {
    if (!word.startsWith("@" + APPLICATION)) {
      return word;
    }
    return Files.readString(root.resolve(word.substring(2)))
        .strip()
        .replaceAll("(^|:)" + APPLICATION, "$1" + root + APPLICATION);
  }

  private static String version() {
    StringWriter out = new StringWriter();
    Main.run(new PrintWriter(out, true), new PrintWriter(out, true), "--version");
    return out.toString().strip().replace("kueue4j ", "");
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(String.join(" ", command) + "\n" + out).isZero();
    return out;
  }
}
