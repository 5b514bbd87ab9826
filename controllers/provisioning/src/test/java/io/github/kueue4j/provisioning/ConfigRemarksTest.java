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
          () -> Set.of("cpu", "nvidia.com/gpu"),
          Set::of);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          nvidia.com/gpu  | 3  | 60 | 1800 | none
          nvidia.com/gpus | 3  | 60 | 1800 | spec.managedResources names nvidia.com/gpus, which no Workload asks for, and Workloads ask for nvidia.com/gpu: correct the name
          cpu | 3  | 0  | 0    | none
          cpu | 3  | 60 | 0    | spec.retryStrategy.backoffMaxSeconds is 0, so that what has failed is asked for again at once: write the longest delay, or 0 in backoffBaseSeconds, too
          cpu | 3  | -1 | 1800 | spec.retryStrategy.backoffBaseSeconds is -1, which counts as 0: write 0 or more
          cpu | -1 | 60 | 1800 | spec.retryStrategy.backoffLimitCount is -1, which counts as 0: write 0 or more
          cpu | 3  | 60 | 30   | spec.retryStrategy.backoffBaseSeconds is 60, and no delay is longer than backoffMaxSeconds, 30: raise that
          cpu | 3  | 60 | 90000 | spec.retryStrategy.backoffMaxSeconds is 25 h, and no delay is longer than 24 h: shorten it, or raise longestDelay of the guards and maximumRetryDelay of the core
          """)
  void whatHasNoEffectIsTold(
      String resource, int limit, int base, int max, @Nullable String remark) {
    ProvisioningRequestConfigSpec config =
        new ProvisioningRequestConfigSpec(
            "spot",
            Map.of(),
            List.of(resource),
            new ProvisioningRetryStrategy(limit, base, max),
            null,
            null);

    assertThat(ConfigRemarks.of(config, AT))
        .isEqualTo(remark == null ? List.of() : List.of(remark));
  }
}
