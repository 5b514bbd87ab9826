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
import org.junit.jupiter.api.Test;

/** The tests that {@code ./mvnw verify} leaves to {@code -Planding} are told. */
class LandingTagTest {
  private static final Pattern NAME = Pattern.compile("`(\\w+Test)`");
  private static final Pattern TAGGED =
      Pattern.compile("^ *@Tag\\(\"landing\"\\)", Pattern.MULTILINE);

  @Test
  void contributingNamesEachClassWithATestOfLandings() throws IOException {
    String page = Files.readString(Checkout.root().resolve("CONTRIBUTING.md"));
    int section = page.indexOf("\n## Before a landing\n");
    String table = page.substring(page.indexOf("\n|", section), page.indexOf("\n## ", section + 1));
    List<String> tagged = new ArrayList<>();
    for (Path source : Sources.in("src/test/java")) {
      if (TAGGED.matcher(Files.readString(source)).find()) {
        tagged.add(String.valueOf(source.getFileName()).replace(".java", ""));
      }
    }

    assertThat(NAME.matcher(table).results().map(name -> name.group(1)))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(tagged);
  }
}
