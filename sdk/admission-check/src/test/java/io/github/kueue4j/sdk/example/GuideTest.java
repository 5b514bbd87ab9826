// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.program.GuardSettings;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The guide shows code that is compiled: every marked snippet is a region of a source. */
class GuideTest {

  private static final Path ROOT = Checkout.root();
  private static final Pattern SNIPPET =
      Pattern.compile("<!-- snippet: (\\S+) (\\S+) -->\n```java\n(.*?)```", Pattern.DOTALL);

  @ParameterizedTest
  @CsvSource({"docs/guides/sdk.md, 7", "docs/guides/testing.md, 1", "README.md, 1"})
  void snippetsAreRegionsOfCompiledSources(String document, int snippetsOfIt) throws IOException {
    Matcher snippets = SNIPPET.matcher(Files.readString(ROOT.resolve(document)));
    int found = 0;
    while (snippets.find()) {
      found++;
      assertThat(snippets.group(3))
          .as(snippets.group(1))
          .isEqualTo(unindented(region(ROOT.resolve(snippets.group(1)), snippets.group(2))));
    }
    assertThat(found).isEqualTo(snippetsOfIt);
  }

  @Test
  void theShortestCheckIsAsShortAsTheReadmeSays() throws IOException {
    Matcher claim =
        Pattern.compile("## A check in (\\d+) lines\n\n" + SNIPPET, Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("README.md")));

    assertThat(claim.find()).isTrue();
    assertThat(claim.group(4).lines())
        .hasSizeLessThanOrEqualTo(Integer.parseInt(claim.group(1)))
        .hasSizeGreaterThan(5);
  }

  @Test
  void theSmallBudgetIsAsSmallAsTheGuideSays() throws IOException {
    assertThat(
            Files.readAllLines(
                ROOT.resolve(
                    "sdk/admission-check/src/test/java/io/github/kueue4j/sdk/example/SmallBudgetCheck.java")))
        .hasSizeLessThan(150);
  }

  /** The limits that have no value by default stay as the program sets them. */
  @Test
  void theFileOfLimitsIsThatOfTheDefaults(@TempDir Path folder) throws IOException {
    Guards.RevocationLimits revocations =
        new Guards.RevocationLimits(Duration.ofSeconds(1), 1, Duration.ofSeconds(1));
    Guards other =
        Guards.defaults()
            .withTimeout(Duration.ofSeconds(1))
            .withMaxConcurrentEvaluations(1)
            .withMaxEvaluationsPerSecond(7)
            .withCircuitBreaker(new Guards.CircuitBreaker(2, 1, 1, Duration.ofSeconds(1)))
            .withErrorPolicy(
                Backoff.fixed(Duration.ofSeconds(1)),
                Duration.ofSeconds(1),
                Backoff.fixed(Duration.ofSeconds(1)))
            .withLongestDelay(Duration.ofSeconds(1))
            .withRevocations(revocations);

    assertThat(limits(folder, "timeout:").on(other))
        .isEqualTo(Guards.defaults().withMaxEvaluationsPerSecond(7).withRevocations(revocations));
    assertThat(limits(folder, "revocations:").on(other))
        .isEqualTo(other.withRevocations(Guards.RevocationLimits.defaults()));
  }

  /** The file of the guide that begins with this key. */
  private static GuardSettings limits(Path folder, String firstKey) throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/guides/sdk.md"));
    String fence = "```yaml\n";
    int from = guide.indexOf(fence + firstKey) + fence.length();
    String yaml = guide.substring(from, guide.indexOf("```", from));
    return GuardSettings.file(Files.writeString(folder.resolve("guards.yaml"), yaml));
  }

  /** A text that ends in a line break counts as not indented, so that goes first. */
  private static String unindented(String text) {
    return text.stripTrailing().stripIndent() + "\n";
  }

  private static String region(Path source, String name) throws IOException {
    String text = Files.readString(source);
    String begin = "// @start region=" + name + "\n";
    int from = text.indexOf(begin);
    int marker = text.indexOf("// @end region=" + name, from);
    int to = text.lastIndexOf('\n', marker) + 1;
    assertThat(from).as("region " + name + " of " + source).isNotNegative();
    assertThat(to).as("end of region " + name + " of " + source).isGreaterThan(from);
    return text.substring(from + begin.length(), to);
  }
}
