// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.fixture.ServerAndReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of a policy that can be read and does something else than it says. */
class GpuPolicyTest {
  private static final Circumstances AT =
      new Circumstances(
          Duration.ofSeconds(30),
          Optional.of(Duration.ofHours(24)),
          () -> Set.of("cpu", "nvidia.com/gpu", "nvidia.com/mig-2g.5gb"),
          () -> Set.of("a", "h100"));

  static final ResourceType<CustomResource<GpuPolicy.Spec>> TYPE =
      ResourceType.clusterScoped(
          "checks.kueue4j.io/v1alpha1", "GpuAvailabilityPolicy", GpuPolicy.Spec.class);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "none",
      textBlock =
          """
          neverFits: Retry | none
          resources: [nvidia.com/gpu, nvidia.com/mig-1g.5gb] | none
          resources: [nvidia.com/gpus] | spec.resources names nvidia.com/gpus, which no Workload asks for, and Workloads ask for nvidia.com/gpu: correct the name
          autoscaledFlavors: [h100] | none
          autoscaledFlavors: [h1OO] | spec.autoscaledFlavors names h1OO, and there is no such ResourceFlavor: write h100, or create it
          capacitySource: {endpoint: {url: 'http://a.example'}, flavors: [a, spot]} | spec.capacitySource.flavors names spot, and there is no such ResourceFlavor: correct the name, or create it
          backoff: {maximum: 24h} | none
          backoff: {maximum: 30h} | spec.backoff.maximum is 30 h, and no delay is longer than 24 h: shorten it, or raise longestDelay of the guards and maximumRetryDelay of the core
          capacitySource: {endpoint: {url: 'http://a.example', timeout: 1m}, flavors: [a]} | spec.capacitySource.endpoint.timeout is 60 s, and a call ends after 30 s, since an evaluation has 30 s: shorten it, or raise timeout of the guards
          """)
  void whatHasNoEffectIsTold(String fields, @Nullable String remark) {
    GpuPolicy policy = ServerAndReader.spec(TYPE, fields).policy();

    assertThat(policy.remarks(AT)).isEqualTo(remark == null ? List.of() : List.of(remark));
  }
}
