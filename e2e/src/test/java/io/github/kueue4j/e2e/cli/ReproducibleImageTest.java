// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two builds of the same sources, in two folders, one after the other, make the same image. Neither
 * is that of this build, which may have a cache, or the list of libraries that only a build with
 * network has.
 */
@Tag("nightly")
class ReproducibleImageTest {
  private static final long MINUTES = 30;

  @TempDir private Path folder;

  @Test
  void twoBuildsHaveOneDigest() throws Exception {
    Path here = sources("here");
    Path elsewhere = sources("elsewhere");

    assertThat(build(here)).startsWith("sha256:").isEqualTo(build(elsewhere));
  }

  private Path sources(String name) throws Exception {
    Path checkout = Files.createDirectory(folder.resolve(name));
    copySources(Checkout.root(), checkout);
    return checkout;
  }

  /** Builds the image; returns its digest. */
  private String build(Path checkout) throws Exception {
    run(
        checkout,
        "./mvnw",
        "-o",
        "-q",
        "-B",
        "-Dmaven.test.skip=true",
        "-pl",
        "cli",
        "-am",
        "package");
    try (Stream<Path> files = Files.list(checkout.resolve("cli/target"))) {
      return digest(
          files.filter(each -> each.toString().endsWith("-image.tar")).findFirst().orElseThrow());
    }
  }

  /** What git knows, as it is in the folder. */
  private void copySources(Path from, Path to) throws IOException, InterruptedException {
    for (String name : run(from, "git", "ls-files", "-z", "--cached").split("\0", -1)) {
      Path file = from.resolve(name);
      if (Files.isRegularFile(file)) {
        Path copy = to.resolve(name);
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private String digest(Path image) throws IOException, InterruptedException {
    JsonNode index =
        new ObjectMapper().readTree(run(folder, "tar", "xOf", image.toString(), "index.json"));
    return index.at("/manifests/0/digest").asText();
  }

  private String run(Path where, String... command) throws IOException, InterruptedException {
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    process.getOutputStream().close();
    assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as(String.join(" ", command)).isTrue();
    String text = Files.readString(said, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(String.join(" ", command) + "\n" + text).isZero();
    return text;
  }
}
