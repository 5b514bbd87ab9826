// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.sdk.fixture.ServerAndReader;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The definition of the kind says with the first apply what the reader would say later. */
@KueueTest
class RefusedFieldsTest {

  @Test
  void headersThatTheControllerSets(KueueCluster cluster) {
    GpuAvailabilityCheck.crds().forEach(cluster::apply);

    new ServerAndReader<>(cluster, GpuPolicyTest.TYPE)
        .agree(List.of(source("X-Team")), List.of(source("Host"), source("authorization")));
  }

  private static String source(String header) {
    return ("capacitySource: {flavors: [a], endpoint: {url: 'http://a.example',"
            + " headers: [{name: %s, value: {value: x}}]}}")
        .formatted(header);
  }
}
