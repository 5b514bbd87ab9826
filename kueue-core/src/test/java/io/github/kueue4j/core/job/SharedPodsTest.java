/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedPodsTest {
  private final SharedPods shared = new SharedPods();

  @Test
  void podsThatReadAlikeAreOne() {
    V1PodSpec first = pod("1Gi");

    assertThat(shared.first(first)).isSameAs(first);
    assertThat(shared.first(pod("1Gi"))).isSameAs(first);
    assertThat(shared.first(pod("2Gi"))).isNotSameAs(first);
  }

  /** Jobs and Workloads are compared as they are written. */
  @Test
  void anAmountThatIsWrittenInAnotherWayStaysAsItIs() {
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
