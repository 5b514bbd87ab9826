// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of rules on the package's page names classes, methods and tests that there are. */
class RulesTableTest {
  private static final Path MODULE = Checkout.root().resolve("kueue-core");
  private static final Path PACKAGE =
      MODULE.resolve("src/main/java/io/github/kueue4j/core/lifecycle");
  private static final Pattern ROW =
      Pattern.compile("<tr><td>([^<]*)</td>\\s*<td>([^<]*)</td>\\s*<td>([^<]*)</td></tr>");

  static Stream<MatchResult> rows() throws IOException {
    String page = Files.readString(PACKAGE.resolve("package-info.java")).replace("\n * ", " ");
    return ROW.matcher(page).results();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void whatARowNamesIsThere(MatchResult row) throws IOException {
    String type = "";
    for (String name : row.group(2).strip().split(",\\s+", -1)) {
      boolean method = Character.isLowerCase(name.charAt(0));
      type = method ? type : name.replaceFirst("\\..*", "");
      String member = method ? name : name.substring(type.length()).replace(".", "");
      assertThat(Files.readString(PACKAGE.resolve(type + ".java")))
          .as("%s of %s", name, row.group(1))
          .containsPattern("\\b" + (member.isEmpty() ? type : member) + "\\b");
    }
    assertThat(tests()).as(row.group(1)).contains(row.group(3).strip().split(",\\s+", -1));
  }

  private static Set<String> tests() throws IOException {
    try (Stream<Path> files = Files.walk(MODULE.resolve("src/test/java"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .collect(Collectors.toSet());
    }
  }
}
