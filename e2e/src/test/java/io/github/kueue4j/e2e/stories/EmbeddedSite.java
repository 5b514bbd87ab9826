// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.assembly.WindableTime;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1Node;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;

/** The embedded API server with simulated nodes; core and checks run in this process, too. */
final class EmbeddedSite implements Site {
  private static final Duration AT_EACH_LOOK = Duration.ofMillis(600);

  private final WindableTime time;
  private final Gate gate;
  private final Playground playground;

  private EmbeddedSite(WindableTime time, Gate gate, Playground playground) {
    this.time = time;
    this.gate = gate;
    this.playground = playground;
  }

  static EmbeddedSite start() throws InterruptedException {
    WindableTime time = new WindableTime(Instant.parse("2026-03-02T10:00:00Z"));
    Gate gate = Gate.start();
    try {
      return new EmbeddedSite(
          time,
          gate,
          Playground.start(
              new Playground.Options(
                  0,
                  Configuration.parse(
                      """
                      apiVersion: config.kueue.x-k8s.io/v1beta2
                      kind: Configuration
                      leaderElection: {leaderElect: false}
                      health: {healthProbeBindAddress: "0"}
                      metrics: {bindAddress: "0"}
                      """
                          + SETTINGS),
                  EnumSet.of(CheckName.BUDGET, CheckName.GPU, CheckName.HTTP),
                  Duration.ofHours(1)),
              time));
    } catch (RuntimeException | InterruptedException e) {
      gate.close();
      time.close();
      throw e;
    }
  }

  @Override
  public Path kubeconfig() {
    return playground.kubeconfig();
  }

  @Override
  public Instant now() {
    return time.instant();
  }

  @Override
  public Duration patience() {
    return Patience.LIMIT;
  }

  @Override
  public ClusterWait skipping(ClusterWait wait) {
    return wait.passing(time, AT_EACH_LOOK);
  }

  @Override
  public String image() {
    return "busybox:1";
  }

  @Override
  public String gate() {
    return gate.url();
  }

  @Override
  public void killCore() throws InterruptedException {
    playground.crashCore();
    playground.startCore();
  }

  @Override
  public Optional<LossOfNode> lossOfNode() {
    return Optional.of(
        new LossOfNode() {
          @Override
          public String node() {
            return "worker-2";
          }

          @Override
          public void lose() {
            ready("Unknown");
          }

          @Override
          public void bringBack() {
            ready("True");
          }
        });
  }

  private void ready(String status) {
    try (ClusterConnection connection = playground.target().connect("nodes")) {
      V1Node before =
          connection.api().get(CoreTypes.NODE, ObjectKey.cluster("worker-2")).orElseThrow();
      V1Node after = KueueJson.fromTree(KueueJson.toTree(before), V1Node.class);
      Objects.requireNonNull(Objects.requireNonNull(after.getStatus()).getConditions()).stream()
          .filter(condition -> condition.getType().equals("Ready"))
          .forEach(condition -> condition.setStatus(status));
      connection.api().patchStatus(CoreTypes.NODE, GuardedPatch.ofStatus(before, after));
    }
  }

  @Override
  public void close() {
    playground.close();
    gate.close();
    time.close();
  }
}
