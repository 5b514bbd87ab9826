// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChartReadmeTest {
  @ParameterizedTest
  @ValueSource(strings = {"kueue-core", "admission-checks"})
  void isMadeFromTheValues(String name) throws IOException {
    Chart chart = Chart.named(name);
    Path page = chart.folder().resolve("README.md");
    if (Boolean.getBoolean("kueue4j.charts.write")) {
      Files.writeString(page, ChartReadme.of(chart));
    }

    assertThat(Files.readString(page))
        .as("brought up to date as CONTRIBUTING.md says")
        .isEqualTo(ChartReadme.of(chart));
    assertThat(Files.readString(page))
        .contains("| `nameOverride` | `\"\"` | The start of the names");
  }
}
