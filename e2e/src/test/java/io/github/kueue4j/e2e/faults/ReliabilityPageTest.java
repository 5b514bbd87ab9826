// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/RELIABILITY.md has a row for every fault of the matrix, and no other. */
class ReliabilityPageTest {
  private static final Path PAGE = Path.of("..", "docs", "RELIABILITY.md");

  /** Counts, at least one of what was injected, and nothing lost. */
  private static final Pattern RESULT =
      Pattern.compile("[1-9]\\d* \\| \\d+ \\| \\d+ \\| \\d+ \\| nothing \\|");

  @Test
  void theTableHasEveryFault() throws IOException {
    List<String> table =
        Files.readAllLines(PAGE).stream()
            .dropWhile(line -> !line.startsWith("| Fault |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .toList();

    assertThat(table)
        .zipSatisfy(
            Stream.of(FaultRow.values()).toList(),
            (line, row) -> {
              String begin = "| " + row.title() + " | " + row.injected() + " | ";
              assertThat(line).startsWith(begin);
              assertThat(line.substring(begin.length())).matches(RESULT);
            });
  }
}
