// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.core.config.FeatureGate.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each gate has its stage and default, and either an effect or a documented reason why not. */
class FeatureGateTest {
  private static final Path MODULE = Path.of("").toAbsolutePath();
  private static final String SOURCES = sources();

  private static String sources() {
    try (Stream<Path> files = Files.walk(MODULE.resolve("src/main/java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("FeatureGate.java"))
          .map(FeatureGateTest::text)
          .collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException("the sources can't be listed", e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " can't be read", e);
    }
  }

  private static String parsed(FeatureGate gate, boolean enabled) {
    return Configuration.parse(
            "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nfeatureGates: {"
                + gate.gateName()
                + ": "
                + enabled
                + "}\n")
        .unusedKeys()
        .toString();
  }

  @ParameterizedTest
  @EnumSource
  void hasAnEffectOrADocumentedReason(FeatureGate gate) {
    if (gate.locked()) {
      assertThatThrownBy(() -> parsed(gate, !gate.enabledByDefault()))
          .hasMessageContaining(
              "featureGates." + gate.gateName() + " is locked to " + gate.enabledByDefault());
    } else if (gate.effective()) {
      assertThat(SOURCES).contains("FeatureGate." + gate.name());
      assertThat(parsed(gate, !gate.enabledByDefault())).isEqualTo("[]");
    } else {
      assertThat(text(MODULE.resolve("../docs/COMPATIBILITY.md")).lines())
          .as("a row that says why")
          .anyMatch(
              line -> line.startsWith("|") && line.split("\\|", -1)[1].contains(gate.gateName()));
      assertThat(parsed(gate, !gate.enabledByDefault()))
          .isEqualTo("[featureGates." + gate.gateName() + " (no effect here)]");
    }
    assertThat(parsed(gate, gate.enabledByDefault())).isEqualTo("[]");
  }

  @Test
  void alphaIsOffAndBetaIsOnWithOneException() {
    assertThat(FeatureGate.values())
        .filteredOn(gate -> gate.stage() == Stage.ALPHA)
        .noneMatch(FeatureGate::enabledByDefault);
    assertThat(FeatureGate.values())
        .filteredOn(gate -> gate.stage() != Stage.ALPHA)
        .filteredOn(gate -> !gate.enabledByDefault())
        .containsExactly(FeatureGate.UNADMITTED_WORKLOADS_EXPLICIT_STATUS);
  }

  @Test
  void theGatesOfTheApiAreKnown() {
    assertThat(Arrays.stream(FeatureGate.values()).map(FeatureGate::gateName))
        .contains(
            "TLSOptions",
            "PartialAdmission",
            "AdmissionGatedBy",
            "QuotaCheckStrategy",
            "UnadmittedWorkloadsExplicitStatus",
            "DisableWaitForPodsReady",
            "CustomMetricLabels",
            "TopologyAwareScheduling",
            "MultiKueue",
            "ElasticJobsViaWorkloadSlices",
            "ConcurrentAdmission")
        .doesNotHaveDuplicates();
  }
}
