// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.kueue4j.e2e.charts.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two builds of the same sources, in two folders, one after the other, make the same image. */
@Tag("nightly")
class ReproducibleImageTest {
  private static final long MINUTES = 30;

  @TempDir private Path folder;

  @Test
  void twoBuildsHaveOneDigest() throws Exception {
    Path here = Repository.root();
    List<Path> built = images(here);
    assumeThat(built).as("images of this build, which doesn't package cli").isNotEmpty();
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    copySources(here, elsewhere);
    run(elsewhere, "./mvnw", "-o", "-q", "-B", "-DskipTests", "-pl", "cli", "-am", "package");

    assertThat(digest(images(elsewhere).getFirst())).isEqualTo(digest(built.getFirst()));
  }

  private static List<Path> images(Path checkout) throws IOException {
    Path target = checkout.resolve("cli/target");
    if (!Files.isDirectory(target)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(target)) {
      return files.filter(each -> each.toString().endsWith("-image.tar")).toList();
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
