// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveTableTest {
  private static final String BOLD = "\u001b[1m";

  @Test
  void headingsAreBoldUnlessNoColorIsSet() {
    assertThat(drawn(Map.of())).contains(BOLD + "kueue4j demo", BOLD + "WORKLOAD");
    assertThat(drawn(Map.of("NO_COLOR", ""))).contains(BOLD);
    assertThat(drawn(Map.of("NO_COLOR", "1")))
        .contains("kueue4j demo", "\nWORKLOAD")
        .doesNotContain(BOLD, "\u001b[0m");
  }

  private static String drawn(Map<String, String> environment) {
    ByteArrayOutputStream drawn = new ByteArrayOutputStream();
    new LiveTable(new PrintStream(drawn, true, StandardCharsets.UTF_8), 120, 40, environment)
        .show(Instant.EPOCH, List.of());
    return drawn.toString(StandardCharsets.UTF_8);
  }
}
