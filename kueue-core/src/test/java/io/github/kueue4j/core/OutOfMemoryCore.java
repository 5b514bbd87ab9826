// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.client.ClusterConnection;
import java.net.URI;

/** The main class of a process: a core whose scheduler's state needs more memory than there is. */
final class OutOfMemoryCore {
  private OutOfMemoryCore() {}

  /** Runs until it is out of memory; the argument is the URL of an API server. */
  public static void main(String[] arguments) throws InterruptedException {
    Configuration configuration =
        Configuration.parse(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection: {leaderElect: false}
            health: {healthProbeBindAddress: "0"}
            metrics: {bindAddress: "0"}
            """);
    try (var connection =
            ClusterConnection.builder("kueue-core").url(URI.create(arguments[0])).connect();
        var time = TimeSource.system();
        var core = KueueCore.builder(connection, configuration, time).build()) {
      core.start();
      core.assembly().loop().post(state -> System.out.println(new long[Integer.MAX_VALUE].length));
      core.awaitTermination();
    }
  }
}
