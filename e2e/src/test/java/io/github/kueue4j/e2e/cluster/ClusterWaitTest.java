// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.assembly.WindableTime;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.Patience;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClusterWaitTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

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

  @Test
  void timePassesWhileNothingIsWrittenAndNotWhileSomethingIs() {
    try (WindableTime time = new WindableTime(START);
        Cluster cluster = EmbeddedCluster.start(0, time);
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("scenario")) {
      ClusterWait wait =
          ClusterWait.on(connection.api(), Patience.LIMIT).passing(time, Duration.ofDays(1));
      AtomicInteger looks = new AtomicInteger();

      wait.until(
          "ten looks, each after a write",
          () -> {
            Manifests.parse(
                    "{apiVersion: v1, kind: ConfigMap, metadata: {name: n%d, namespace: default}}"
                        .formatted(looks.get()))
                .createIn(connection.api());
            return looks.incrementAndGet() > 10;
          });
      assertThat(time.instant()).isBefore(START.plus(Duration.ofDays(1)));

      wait.until("days pass", () -> time.instant().isAfter(START.plus(Duration.ofDays(3))));
    }
  }
}
