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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Error Prone and NullAway analyse the sources of every module, tests and warnings included with
 * {@code -Panalyse} and {@code -Pnightly}.
 */
class ErrorProneTest {
  private static final Path ROOT = Checkout.root();
  private static final String POM = "config/error-prone/pom.xml";

  @Test
  void everySourceFolderOfEveryModuleIsAnalysed() throws IOException {
    List<String> folders =
        named("pom.xml", "<module>(.*?)</module>")
            .flatMap(module -> Stream.of(module + "/src/main/java", module + "/src/test/java"))
            .filter(folder -> Files.isDirectory(ROOT.resolve(folder)))
            .toList();

    assertThat(analysed())
        .as("the source folders in config/error-prone/pom.xml")
        .containsExactlyInAnyOrderElementsOf(folders);
  }

  /** Its checks about these are switched off, since they take time. */
  @Test
  void nobodyUsesWhatTheChecksThatAreOffAreAbout() throws IOException {
    Pattern used =
        Pattern.compile(
            "^import (static )?(android|androidx|dagger|javax\\.inject|jakarta\\.inject|com\\.google"
                + "\\.(inject|auto|common\\.(flogger|truth)|errorprone\\.(bugpatterns|refaster"
                + "|annotations\\.(?!Immutable;)))|org\\.(joda|mockito|easymock|jmock|robolectric)"
                + "|junit\\.|org\\.junit\\.(?!jupiter|platform)|rx\\.|io\\.reactivex)",
            Pattern.MULTILINE);
    List<Path> sources = new ArrayList<>();
    for (String folder : analysed().toList()) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    assertThat(sources).hasSizeGreaterThan(1_000);

    for (Path source : sources) {
      assertThat(used.matcher(Files.readString(source)).results().map(MatchResult::group))
          .as("imports in %s for which config/error-prone/pom.xml switches checks off", source)
          .isEmpty();
    }
  }

  private static Stream<String> analysed() throws IOException {
    return named(POM, "<root>\\$\\{project.basedir}/../../(.*?)</root>")
        .map(folder -> folder.replace("${error-prone.tests}", "src/test/java"));
  }

  /** Tests and warnings are left out only where no profile asks for them. */
  @Test
  void twoProfilesAnalyseTestsAndWarnAsWell() throws IOException {
    assertThat(named(POM, "<error-prone.tests>(.*?)</error-prone.tests>"))
        .containsExactly("src/left-out", "src/test/java", "src/test/java");
    assertThat(
            named(
                POM,
                "<id>(analyse|nightly)</id>\\s*<properties>\\s*<error-prone.tests>src/test/java"
                    + "</error-prone.tests>\\s*<error-prone.warnings/>"))
        .containsExactly("analyse", "nightly");
    assertThat(named("pom.xml", "<error-prone.skip>(.*?)</error-prone.skip>"))
        .as("by default, with -Panalyse, -Planding and -Pnightly")
        .containsExactly("true", "false", "false", "false");
    assertThat(named("pom.xml", "<spotless.check.skip>(.*?)</spotless.check.skip>"))
        .as("by default, with -Panalyse, with -Pnightly")
        .containsExactly("true", "false", "false");
    assertThat(named(".ci/run", "./mvnw -B verify (.*)")).containsExactly("-Planding");
  }

  private static Stream<String> named(String pom, String element) throws IOException {
    return Pattern.compile(element)
        .matcher(Files.readString(ROOT.resolve(pom)))
        .results()
        .map((MatchResult match) -> match.group(1));
  }
}
