// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.e2e.charts.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Error Prone and NullAway analyse the sources of every module, tests included. */
class ErrorProneTest {
  private static final Path ROOT = Repository.root();

  @Test
  void everySourceFolderOfEveryModuleIsAnalysed() throws IOException {
    List<String> folders =
        named("pom.xml", "<module>(.*?)</module>")
            .flatMap(module -> Stream.of(module + "/src/main/java", module + "/src/test/java"))
            .filter(folder -> Files.isDirectory(ROOT.resolve(folder)))
            .toList();

    assertThat(
            named("config/error-prone/pom.xml", "<root>\\$\\{project.basedir}/../../(.*?)</root>"))
        .as("the source folders in config/error-prone/pom.xml")
        .containsExactlyInAnyOrderElementsOf(folders);
  }

  private static Stream<String> named(String pom, String element) throws IOException {
    return Pattern.compile(element)
        .matcher(Files.readString(ROOT.resolve(pom)))
        .results()
        .map((MatchResult match) -> match.group(1));
  }
}
