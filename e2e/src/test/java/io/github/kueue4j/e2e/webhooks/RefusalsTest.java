// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the API server refuses when it asks the core: field, value and remedy. */
@Tag("quick")
class RefusalsTest {

  /** The API server of k3s runs in a container, from where the webhooks can't be reached. */
  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED", "BINARIES"})
  void refusesWithFieldValueAndRemedy(ScenarioCluster kind)
      throws IOException, GeneralSecurityException {
    List<String> differences = new ArrayList<>();
    List<Refusal> rows = Refusal.all();
    try (Cluster cluster = kind.start(Clock.systemUTC());
        ReviewedCluster reviewed = ReviewedCluster.on(cluster.kubeconfig())) {
      for (Refusal row : rows) {
        reviewed
            .difference(row)
            .ifPresent(difference -> differences.add(row + "\n    " + difference));
      }
    }

    assertThat(rows).hasSizeGreaterThan(85);
    assertThat(differences).isEmpty();
  }
}
