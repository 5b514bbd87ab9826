// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testkit.conformance.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * docs/guides/conformance.md lists the rules as the kit knows them, and where each is explained.
 */
class ConformancePageTest {
  private static final Path PAGE = Checkout.root().resolve("docs/guides/conformance.md");

  @Test
  void theTableHasEveryRule() throws IOException {
    assertThat(
            Files.readAllLines(PAGE).stream()
                .map(line -> line.replaceFirst("\\[[^]]*]\\(([^)]*)\\) \\|$", "$1")))
        .containsSubsequence(
            Stream.of(Rule.values())
                .map(
                    rule ->
                        String.join(
                            " | ",
                            "| " + rule.number(),
                            rule.label(),
                            rule.demand(),
                            rule.source(),
                            link(rule)))
                .toList());
  }

  private static String link(Rule rule) {
    return rule.passage().replace("docs/guides/", "");
  }

  @ParameterizedTest
  @EnumSource
  void thePassageThatAFailureNamesExists(Rule rule) throws IOException {
    String[] pageAndAnchor = rule.passage().split("#", 2);
    Page page =
        Page.parse(pageAndAnchor[0], Files.readString(Checkout.root().resolve(pageAndAnchor[0])));

    assertThat(page.anchors()).contains(pageAndAnchor[1]);
  }
}
