// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetadataTest {
  @Test
  void whatIsAbsentIsEmpty() {
    for (V1Pod pod : List.of(new V1Pod(), new V1Pod().metadata(new V1ObjectMeta()))) {
      assertThat(Metadata.labels(pod)).isEmpty();
      assertThat(Metadata.annotations(pod)).isEmpty();
      assertThat(Metadata.owners(pod)).isEmpty();
    }
  }

  @Test
  void eachIsReadFromItsField() {
    V1OwnerReference owner = new V1OwnerReference().name("train");
    V1ObjectMeta metadata =
        new V1ObjectMeta()
            .labels(Map.of("a", "label"))
            .annotations(Map.of("a", "annotation"))
            .ownerReferences(List.of(owner));

    assertThat(Metadata.labels(metadata)).containsExactly(Map.entry("a", "label"));
    assertThat(Metadata.annotations(metadata)).containsExactly(Map.entry("a", "annotation"));
    assertThat(Metadata.owners(metadata)).containsExactly(owner);
  }
}
