// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.api.ProvisioningRetryStrategy;
import io.github.kueue4j.sdk.Circumstances;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of a configuration that can be read and does something else than it says. */
class ConfigRemarksTest {
  private static final Circumstances AT =
      new Circumstances(
          Duration.ofSeconds(30),
          Optional.of(Duration.ofHours(24)),
          () -> Set.of("cpu", "nvidia.com/gpu"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          nvidia.com/gpu  | 60 | 1800 | none
          nvidia.com/gpus | 60 | 1800 | spec.managedResources names nvidia.com/gpus, which no Workload asks for, and Workloads ask for nvidia.com/gpu: correct the name
          """)
  void whatHasNoEffectIsTold(String resource, int base, int max, @Nullable String remark) {
    ProvisioningRequestConfigSpec config =
        new ProvisioningRequestConfigSpec(
            "spot",
            Map.of(),
            List.of(resource),
            new ProvisioningRetryStrategy(3, base, max),
            null,
            null);

    assertThat(ConfigRemarks.of(config, AT))
        .isEqualTo(remark == null ? List.of() : List.of(remark));
  }
}
