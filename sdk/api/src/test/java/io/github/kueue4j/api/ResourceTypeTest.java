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
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceTypeTest {

  @Test
  void pathsFollowGroupScopeAndNamespace() {
    ObjectKey key = new ObjectKey("ns", "a");

    assertThat(KueueTypes.WORKLOAD.path(key))
        .isEqualTo("/apis/kueue.x-k8s.io/v1beta2/namespaces/ns/workloads/a");
    assertThat(KueueTypes.WORKLOAD.path()).isEqualTo("/apis/kueue.x-k8s.io/v1beta2/workloads");
    assertThat(KueueTypes.CLUSTER_QUEUE.path(ObjectKey.cluster("a")))
        .isEqualTo("/apis/kueue.x-k8s.io/v1beta2/clusterqueues/a");
    assertThat(CoreTypes.POD.path("ns")).isEqualTo("/api/v1/namespaces/ns/pods");
    assertThat(CoreTypes.NODE.path("ignored")).isEqualTo("/api/v1/nodes");
    assertThat(KueueTypes.WORKLOAD.inVersion("v1beta1").apiVersion())
        .isEqualTo("kueue.x-k8s.io/v1beta1");
    assertThat(KueueTypes.WORKLOAD.qualifiedName()).isEqualTo("workloads.kueue.x-k8s.io");
  }

  @Test
  void keysReadWhatTheyWrite() {
    assertThat(ObjectKey.parse("ns/a")).isEqualTo(new ObjectKey("ns", "a")).hasToString("ns/a");
    assertThat(ObjectKey.parse("a")).isEqualTo(ObjectKey.cluster("a")).hasToString("a");
    assertThat(ObjectKey.of(Workload.named("ns", "a"))).isEqualTo(new ObjectKey("ns", "a"));
    assertThat(new ObjectKey("a", "z")).isLessThan(new ObjectKey("b", "a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/a", "a/", "a/b/c"})
  void refusesWhatIsNoKey(String text) {
    assertThatThrownBy(() -> ObjectKey.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\"");
  }
}
