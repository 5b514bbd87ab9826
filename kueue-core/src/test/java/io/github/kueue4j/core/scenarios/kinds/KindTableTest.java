// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table of the guide that says which test shows what of which kind names tests that exist. */
@Tag("quick")
class KindTableTest {
  private static final Path GUIDE = Checkout.root().resolve("docs/guides/job-kinds.md");
  private static final Pattern NAME = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

  @Test
  void itsTestsExist() throws IOException {
    String page = Files.readString(GUIDE);
    int from = page.indexOf("## What is tested");
    List<MatchResult> names =
        NAME.matcher(page.substring(from, page.indexOf("\n## ", from + 1))).results().toList();

    assertThat(names)
        .hasSizeGreaterThan(20)
        .allSatisfy(name -> assertThat(methods(name.group(1))).contains(name.group(2)));
  }

  private static List<String> methods(String test) {
    try {
      return Arrays.stream(
              Class.forName(KindTableTest.class.getPackageName() + '.' + test).getDeclaredMethods())
          .map(Method::getName)
          .toList();
    } catch (ClassNotFoundException e) {
      throw new AssertionError(test + " is named in " + GUIDE + " and doesn't exist", e);
    }
  }
}
