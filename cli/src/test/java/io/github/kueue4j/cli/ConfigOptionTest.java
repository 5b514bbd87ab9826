// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Tag("quick")
class ConfigOptionTest {
  private static final String WRITTEN =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      manageJobsWithoutQueueName: true
      """;

  @TempDir Path folder;

  @Test
  void itsTextIsTheFileWithTheSwitchesOfTheCommandLine() throws IOException {
    Path file = Files.writeString(folder.resolve("configuration.yaml"), WRITTEN);

    Configuration read =
        Configuration.parse(
            option(
                    "--config=" + file,
                    "--feature-gates=PartialAdmission=false,AdmissionFairSharing=tRUE")
                .textWithWebhooks("")
                .orElseThrow());

    assertThat(read.featureGates().enabled(FeatureGate.PARTIAL_ADMISSION)).isFalse();
    assertThat(read.featureGates().enabled(FeatureGate.ADMISSION_FAIR_SHARING)).isTrue();
    assertThat(read.manageJobsWithoutQueueName()).isTrue();
    assertThat(read.webhook()).isPresent();
  }

  @Test
  void withoutAFileItsTextIsWhatCountsOtherwise() {
    Configuration read = Configuration.parse(option().textWithWebhooks(WRITTEN).orElseThrow());

    assertThat(read.manageJobsWithoutQueueName()).isTrue();
    assertThat(read.webhook()).isPresent();
  }

  @Test
  void whatCanBeReadOnlyOnceHasNoText() {
    assertThat(option("--config=/dev/stdin").textWithWebhooks(WRITTEN)).isEmpty();
  }

  private static ConfigOption option(String... arguments) {
    return CommandLine.populateCommand(new ConfigOption(), arguments);
  }
}
