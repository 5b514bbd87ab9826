// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The API server's sources, tests, build file and page don't mention Kueue: what {@link
 * ModulesTest} can't see, since it looks at the dependencies of classes alone.
 */
class ApiServerSourcesTest {
  private static final Path MODULE = Checkout.root().resolve("sdk/apiserver");

  /** The project's own name is in every package and licence header. */
  private static final Pattern KUEUE =
      Pattern.compile(
          "kueue(?!4j)|ClusterQueue|LocalQueue|ResourceFlavor|AdmissionCheck|testkit",
          Pattern.CASE_INSENSITIVE);

  @Test
  void kueueIsNotMentioned() throws IOException {
    List<Path> files = files();
    List<String> mentions = new ArrayList<>();
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        if (KUEUE.matcher(line).find()) {
          mentions.add(MODULE.relativize(file) + ": " + line.strip());
        }
      }
    }

    assertThat(files).hasSizeGreaterThan(100);
    assertThat(mentions).isEmpty();
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(MODULE)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().matches(".*\\.(java|yaml|xml|md)"))
          .filter(file -> !MODULE.relativize(file).startsWith("target"))
          .toList();
    }
  }
}
