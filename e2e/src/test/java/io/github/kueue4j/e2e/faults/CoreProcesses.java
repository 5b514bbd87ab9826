// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.torture.CarefulCheck;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/** The core and the check as processes of their own, and who of the cores leads. */
final class CoreProcesses {
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final ObjectKey LEASE = new ObjectKey("kueue-system", "c1f6bfd2.kueue.x-k8s.io");

  /** A replica may be taken for dead after eight seconds instead of fifteen. */
  static final String CONFIGURATION =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      leaderElection: {leaderElect: true, leaseDuration: 8s, renewDeadline: 6s, retryPeriod: 200ms}
      health: {healthProbeBindAddress: "0"}
      metrics: {bindAddress: "0"}
      """;

  private CoreProcesses() {}

  /** The arguments of the launcher for a core. */
  static String[] arguments(Path kubeconfig) {
    Path configuration = kubeconfig.resolveSibling("core.yaml");
    try {
      Files.writeString(configuration, CONFIGURATION);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new String[] {
      "core", "--kubeconfig", kubeconfig.toString(), "--config", configuration.toString()
    };
  }

  /** Starts a core, and waits until a replica leads that didn't before. */
  static OwnProcess startCore(Path kubeconfig, Target world) {
    return awaited(world, () -> OwnProcess.start(Main.class.getName(), arguments(kubeconfig)));
  }

  /** The same on a full disk. */
  static OwnProcess startCoreOnFullDisk(Path kubeconfig, Target world) {
    return awaited(
        world, () -> OwnProcess.startOnFullDisk(Main.class.getName(), arguments(kubeconfig)));
  }

  private static OwnProcess awaited(Target world, Supplier<OwnProcess> start) {
    try (ClusterConnection connection = world.connect("supervisor")) {
      String before = holder(connection.api());
      OwnProcess core = start.get();
      awaitOtherLeader(connection.api(), before, core);
      return core;
    }
  }

  /** Waits until another replica leads. */
  static void awaitOtherLeader(KubernetesApi api, String before, OwnProcess core) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(holder(api)).as(core::lastLines).isNotEmpty().isNotEqualTo(before));
  }

  /** The holder of the core's lease; empty if there is none. */
  static String holder(KubernetesApi api) {
    return api.get(CoreTypes.LEASE, LEASE)
        .map(lease -> Objects.requireNonNullElse(lease.getSpec().getHolderIdentity(), ""))
        .orElse("");
  }

  /** Starts a check of the SDK. */
  static OwnProcess startCheck(Path kubeconfig) {
    return OwnProcess.start(CarefulCheck.class.getName(), kubeconfig.toString());
  }
}
