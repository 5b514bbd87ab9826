// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The values that the pages about the charts show. */
class InstallPageTest {
  private static final Pattern VALUES =
      Pattern.compile("<!-- untested: values of a chart[^\n]*\n```yaml\n(.*?)```", Pattern.DOTALL);

  @TestFactory
  List<DynamicTest> everyBlockOfValuesIsRendered() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String page : List.of("install", "sizing")) {
      for (String values : values(page)) {
        String chart = values.contains("controllerManager:") ? "kueue-core" : "admission-checks";
        tests.add(
            dynamicTest(
                page + ": " + values.lines().findFirst().orElse(""),
                () -> assertThat(Chart.named(chart).renderWith(values)).isNotEmpty()));
      }
    }
    assertThat(tests).hasSize(4);
    return tests;
  }

  /** The blocks of values of a page, in its order. */
  static List<String> values(String page) throws IOException {
    String text = Files.readString(Checkout.root().resolve("docs/guides").resolve(page + ".md"));
    return VALUES.matcher(text).results().map(block -> block.group(1)).toList();
  }
}
