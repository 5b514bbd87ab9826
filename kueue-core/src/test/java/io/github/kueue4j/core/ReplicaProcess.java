// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.client.ClusterConnection;
import java.net.URI;

/** The main class of a process: one replica of the core. */
final class ReplicaProcess {
  private ReplicaProcess() {}

  /**
   * Runs until the lease is lost, then exits with 1.
   *
   * @param arguments the URL of an API server, and the name in the user agent
   */
  public static void main(String[] arguments) throws InterruptedException {
    Configuration configuration =
        Configuration.parse(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection:
              {leaderElect: true, leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 200ms}
            health: {healthProbeBindAddress: "0"}
            metrics: {bindAddress: "0"}
            """);
    try (var connection =
            ClusterConnection.builder(arguments[1]).url(URI.create(arguments[0])).connect();
        var time = TimeSource.system();
        var core = KueueCore.builder(connection, configuration, time).build()) {
      core.start();
      core.awaitTermination();
    }
    System.exit(1);
  }
}
