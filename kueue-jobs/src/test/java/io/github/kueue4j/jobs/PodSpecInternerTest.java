// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodSpecInternerTest {
  private final PodSpecInterner shared = new PodSpecInterner();

  @Test
  void podsWithTheSameTextAreShared() {
    V1PodSpec first = pod("1Gi");

    assertThat(shared.first(first)).isSameAs(first);
    assertThat(shared.first(pod("1Gi"))).isSameAs(first);
    assertThat(shared.first(pod("2Gi"))).isNotSameAs(first);
  }

  /** Jobs and Workloads are compared as they are written. */
  @Test
  void aQuantityInAnotherNotationIsNotShared() {
    V1PodSpec first = pod("1Gi");
    V1PodSpec other = pod("1073741824");
    assertThat(first).isEqualTo(other);

    shared.first(first);

    assertThat(shared.first(other)).isSameAs(other);
  }

  private static V1PodSpec pod(String memory) {
    return new V1PodSpec()
        .containers(
            List.of(
                new V1Container()
                    .name("main")
                    .resources(
                        new V1ResourceRequirements()
                            .requests(Map.of("memory", new Quantity(memory))))));
  }
}
