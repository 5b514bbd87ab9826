// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kueue4j.cli.Main;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * One version, in the poms, the command, the charts and the jars; ImageTest looks into the image.
 */
class VersionsTest {
  private static final String VERSION = Poms.root().text("/project/version");

  @Test
  void theCommandSaysIt() {
    StringWriter out = new StringWriter();
    Main.run(new PrintWriter(out, true), new PrintWriter(out, true), "--version");

    assertThat(out.toString().strip()).isEqualTo("kueue4j " + VERSION);
  }

  @Test
  void allModulesHaveIt() {
    assertThat(Poms.modules())
        .isNotEmpty()
        .allSatisfy(
            pom ->
                assertThat(pom.text("/project/version | /project/parent/version"))
                    .as(pom.toString())
                    .isEqualTo(VERSION));
  }

  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void aChartInstallsItsImage(String chart) throws IOException {
    Path file = Checkout.root().resolve("charts").resolve(chart).resolve("Chart.yaml");
    Map<String, Object> description = new Yaml().load(Files.readString(file));

    assertThat(description.get("appVersion")).isEqualTo(VERSION);
    // The chart has a version of its own, which the page of releases names.
    assertThat(Files.readString(Checkout.root().resolve("docs/releases.md")))
        .contains("| " + VERSION + " |", "| " + description.get("version") + ", Helm 3 |");
  }

  @Test
  void eachJarSaysItAndItsModuleName() throws IOException {
    Path libraries =
        Checkout.root().resolve("cli/target").resolve("kueue4j-" + VERSION).resolve("lib");
    assumeTrue(
        Files.isDirectory(libraries), "no " + libraries + ": this build doesn't package cli");
    List<Path> ours;
    try (Stream<Path> jars = Files.list(libraries)) {
      ours = jars.filter(jar -> jar.getFileName().toString().startsWith("kueue4j-")).toList();
    }

    assertThat(ours).hasSizeGreaterThan(8);
    for (Path jar : ours) {
      assertThat(jar.getFileName().toString()).endsWith("-" + VERSION + ".jar");
      try (JarFile file = new JarFile(jar.toFile())) {
        Attributes manifest = file.getManifest().getMainAttributes();
        assertThat(manifest.getValue("Implementation-Version"))
            .as(jar.toString())
            .isEqualTo(VERSION);
        assertThat(manifest.getValue("Automatic-Module-Name")).startsWith("io.github.kueue4j.");
      }
    }
  }
}
