// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.dependencycheck;

import io.github.kueue4j.sdk.fixture.ServerAndReader;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The definition of the kind says with the first apply what the reader would say later. */
@KueueTest
class RefusedFieldsTest {

  @Test
  void ofParameters(KueueCluster cluster) {
    DependencyCheck.crds().forEach(cluster::apply);

    new ServerAndReader<>(cluster, DependencyCheck.TYPE)
        .agree(
            List.of(
                "",
                "whenFailed: Retry, whenAbsent: Ready, recheckEvery: 24h",
                "whenFailed: Rejected, whenAbsent: Rejected, recheckEvery: 1m",
                "whenAbsent: Retry"),
            List.of(
                "whenFailed: Ready",
                "whenFailed: Perhaps",
                "whenAbsent: Wait",
                "recheckEvery: 59s",
                "recheckEvery: 25h",
                "recheckEvery: soon"));
  }
}
