// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.ClusterConnection;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClusterWaitTest {
  @Test
  void aWaitInVainSaysForWhatAndHowEverythingStands() {
    try (Cluster cluster = EmbeddedCluster.start(0, Clock.systemUTC());
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("scenario")) {
      Manifests.parse(
              """
              apiVersion: batch/v1
              kind: Job
              metadata: {name: train, namespace: default}
              spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [
                {name: main, image: example.invalid/main}]}}}
              """)
          .createIn(connection.api());
      ClusterWait wait = ClusterWait.on(connection.api(), Duration.ofMillis(50));

      assertThatThrownBy(() -> wait.until("train runs", () -> false))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("waited PT0.05S in vain: train runs")
          .hasMessageContaining("Job default/train: suspend true")
          .hasMessageContaining("Workload can't be listed");
    }
  }
}
