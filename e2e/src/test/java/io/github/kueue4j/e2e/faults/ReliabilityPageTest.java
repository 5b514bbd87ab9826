// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.e2e.architecture.Sources;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/RELIABILITY.md has a row for every fault of the matrix and no other, and names tests that
 * exist.
 */
class ReliabilityPageTest {
  private static final Path PAGE = Checkout.root().resolve("docs/RELIABILITY.md");

  /** Counts, at least one of what was injected, and nothing lost. */
  private static final Pattern RESULT =
      Pattern.compile("[1-9]\\d* \\| \\d+ \\| \\d+ \\| \\d+ \\| nothing \\|");

  /** A test in the page: a class, or one of its methods. */
  private static final Pattern NAMED_TEST =
      Pattern.compile("`([A-Z]\\w+(?:Test|Properties))(?:\\.(\\w+))?`");

  @Test
  void everyNamedTestExists() throws IOException {
    Map<String, String> sources = testSources();
    List<String> missing = new ArrayList<>();
    int found = 0;
    Matcher named = NAMED_TEST.matcher(Files.readString(PAGE));
    while (named.find()) {
      found++;
      String source = sources.get(named.group(1));
      if (source == null
          || (named.group(2) != null && !source.contains(" void " + named.group(2) + "("))) {
        missing.add(named.group());
      }
    }

    assertThat(found).isGreaterThan(10);
    assertThat(missing).isEmpty();
  }

  /** Of all modules, by class; those of the same name in two modules are joined. */
  private static Map<String, String> testSources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (Path file : Sources.in("src/test/java")) {
      String name = file.getFileName().toString().replace(".java", "");
      sources.merge(name, Files.readString(file), String::concat);
    }
    return sources;
  }

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
