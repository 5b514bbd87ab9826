// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.observe.explain.Reason;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** docs/guides/operations.md names every reason that an explanation can give. */
class OperationsPageTest {
  private static final Path PAGE = Checkout.root().resolve("docs/guides/operations.md");

  @Test
  void everyReasonOfAnExplanationIsInTheTable() throws IOException {
    String page = Files.readString(PAGE);
    String table = page.substring(page.indexOf("| Who acts | Reasons |"));
    Set<String> words =
        new TreeSet<>(Arrays.asList(table.substring(0, table.indexOf("\n\n")).split("\\W+")));
    assertThat(Arrays.stream(Reason.values()).map(Reason::code).toList()).allMatch(words::contains);
  }
}
