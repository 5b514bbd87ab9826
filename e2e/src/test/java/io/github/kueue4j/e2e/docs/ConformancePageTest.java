// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testkit.conformance.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/guides/conformance.md lists the rules as the kit knows them. */
class ConformancePageTest {
  private static final Path PAGE = Path.of("..", "docs", "guides", "conformance.md");

  @Test
  void theTableHasEveryRule() throws IOException {
    assertThat(Files.readAllLines(PAGE))
        .containsSubsequence(
            Stream.of(Rule.values())
                .map(
                    rule ->
                        String.join(
                            " | ",
                            "| " + rule.number(),
                            rule.label(),
                            rule.demand(),
                            rule.source() + " |"))
                .toList());
  }
}
