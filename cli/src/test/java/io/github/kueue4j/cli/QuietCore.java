// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.core.config.Configuration;
import java.nio.file.Path;

/** A core without election, probes and metrics. */
final class QuietCore {
  private QuietCore() {}

  /**
   * Starts it.
   *
   * @param more further lines of its configuration
   */
  static RunningCore start(Path kubeconfig, TimeSource time, String more)
      throws InterruptedException {
    return RunningCore.start(
        Target.of(kubeconfig),
        Configuration.parse(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection: {leaderElect: false}
            health: {healthProbeBindAddress: "0"}
            metrics: {bindAddress: "0"}
            """
                + more),
        time);
  }
}
