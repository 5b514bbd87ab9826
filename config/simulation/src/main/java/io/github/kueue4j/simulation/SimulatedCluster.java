// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.Threads;
import io.github.kueue4j.runtime.client.ClusterConnection;
import org.apiguardian.api.API;

/**
 * Lets fixtures build the same server and the same connections in a simulation as elsewhere: in the
 * simulation of the current thread if it is in one, by the network otherwise.
 */
@API(status = API.Status.INTERNAL)
public final class SimulatedCluster {
  private SimulatedCluster() {}

  /** Starts a server. */
  public static EmbeddedApiServer start(EmbeddedApiServer.Builder builder) {
    return Simulation.current()
        .map(simulation -> builder.random(simulation.random()).withoutNetwork().start())
        .orElseGet(builder::start);
  }

  /** Settings of a connection to a server that {@link #start} started. */
  public static ClusterConnection.Builder connection(String component, EmbeddedApiServer server) {
    ClusterConnection.Builder builder = ClusterConnection.builder(component).url(server.uri());
    Simulation.current()
        .ifPresent(
            simulation ->
                builder
                    .wireTime(simulation.time())
                    .wallClock(simulation.time())
                    .random(simulation.random())
                    .threads(threads(simulation))
                    .wire(new SimulatedNetwork(simulation, server)));
    return builder;
  }

  private static Threads threads(Simulation simulation) {
    return new Threads() {
      @Override
      public Thread.Builder daemons() {
        return simulation.threads();
      }

      @Override
      public Thread.Builder lasting() {
        return simulation.threads();
      }
    };
  }
}
