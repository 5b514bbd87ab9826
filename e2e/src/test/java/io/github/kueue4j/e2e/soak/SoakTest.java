// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.e2e.startup.Distribution;
import io.github.kueue4j.e2e.startup.Packaged;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Four seconds of what {@code ./kueue4j bench-soak} does for half an hour. */
@Tag("nightly")
class SoakTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home"));
  private static final long MEMORY = 768L << 20;

  @Test
  void everythingRunsIsDeletedAndIsMeasured() throws Exception {
    Distribution distribution = new Distribution(Packaged.distribution());
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    SoakReport report =
        new Soak(Duration.ofSeconds(4), 10, MEMORY)
            .run(
                (folder, options, arguments) -> distribution.command(JAVA, options, arguments),
                JAVA,
                new PrintStream(out, true, StandardCharsets.UTF_8));

    assertThat(report.counts().created()).isGreaterThan(20);
    assertThat(report.counts().deleted()).isEqualTo(report.counts().created());
    assertThat(report.counts().retries()).isPositive();
    assertThat(report.grows()).isFalse();
    assertThat(report.toString()).contains("No verdict");
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("may take 768 MiB", SoakReport.HEADER)
        .containsPattern("(?m)^ +0\\.[01] .* MiB +\\d+\\.\\d MiB ");
  }
}
