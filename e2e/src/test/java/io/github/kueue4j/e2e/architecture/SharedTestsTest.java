// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests of all modules, which a build of all runs together: {@code config/tests}. */
class SharedTestsTest {
  private static final Path ROOT = Checkout.root();

  /** A module that leaves its tests to others and isn't named there would have none. */
  @Test
  void theTestsOfAllModulesThatLeaveThemToOthersRun() throws IOException {
    List<String> leaving =
        named("pom.xml", "<module>(.*?)</module>")
            .filter(module -> Files.exists(ROOT.resolve(module + "/src/test/java")))
            .toList();

    assertThat(shared()).isNotEmpty().containsExactlyInAnyOrderElementsOf(leaving);
  }

  /** Else they would be copied before they are compiled, or not at all. */
  @Test
  void theyAreBuiltBeforeTheyAreCopied() throws IOException {
    Set<String> built =
        named("config/tests/pom.xml", "<artifactId>(.*?)</artifactId>").collect(toSet());
    for (String module : shared().toList()) {
      assertThat(built)
          .contains(
              named(module + "/pom.xml", "</parent>\\s*<artifactId>(.*?)</artifactId>")
                  .findFirst()
                  .orElseThrow());
    }
  }

  /** They are copied into one folder. */
  @Test
  void noTwoOfThemHaveAFileOfOneName() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String module : shared().toList()) {
      for (String kind : List.of("java", "resources")) {
        Path folder = ROOT.resolve(module).resolve("src/test").resolve(kind);
        if (Files.isDirectory(folder)) {
          try (Stream<Path> found = Files.walk(folder)) {
            found.filter(Files::isRegularFile).map(folder::relativize).forEach(files::add);
          }
        }
      }
    }

    assertThat(files).isNotEmpty().doesNotHaveDuplicates();
  }

  /** Else a test that a module adds would run there in a build of this module only. */
  @Test
  void theyRunInAnotherZoneAsTheirModulesHaveIt() throws IOException {
    List<String> ofModules = new ArrayList<>();
    for (String module : shared().toList()) {
      inAnotherZone(module + "/pom.xml").forEach(ofModules::add);
    }

    assertThat(inAnotherZone("config/tests/pom.xml"))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(ofModules);
    assertThat(Files.readString(ROOT.resolve("config/tests/pom.xml")))
        .as("their lane, which would else be that of the first execution")
        .containsPattern(
            "(?s)<id>tests-in-another-zone</id>(?:(?!</execution>).)*<kueue4j.lane>all</kueue4j.lane>");
  }

  private static Stream<String> inAnotherZone(String pom) throws IOException {
    return named(pom, "(?s)<id>tests-in-another-zone</id>.*?<includes>(.*?)</includes>")
        .flatMap(String::lines)
        .map(String::strip)
        .filter(line -> !line.isEmpty());
  }

  private static Stream<String> shared() throws IOException {
    return named(
        "config/tests/pom.xml",
        "<directory>\\$\\{project.basedir}/../../(.*?)/\\$\\{built}/test-classes</directory>");
  }

  private static Stream<String> named(String pom, String element) throws IOException {
    return Pattern.compile(element)
        .matcher(Files.readString(ROOT.resolve(pom)))
        .results()
        .map((MatchResult match) -> match.group(1));
  }
}
