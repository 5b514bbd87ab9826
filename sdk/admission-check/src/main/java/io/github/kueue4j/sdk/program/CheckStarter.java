// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import io.github.kueue4j.api.ServerProgram;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Starts a check controller on a server that needs no credentials, or as an account, with a
 * connection of its own that ends with it. For tests, where the server and the clock are given:
 *
 * <pre>{@code
 * cluster.run(CheckStarter.of(environment -> LicenseCheck.controller(environment)));
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CheckStarter implements ServerProgram {
  private static final String COMPONENT = "check-controller";

  private final Function<CheckEnvironment, CheckController> controller;

  private final @Nullable Path kubeconfig;

  private CheckStarter(
      Function<CheckEnvironment, CheckController> controller, @Nullable Path kubeconfig) {
    this.controller = controller;
    this.kubeconfig = kubeconfig;
  }

  /**
   * Starts what this function builds.
   *
   * @param controller builds a controller and doesn't start it; called once per start
   */
  public static CheckStarter of(Function<CheckEnvironment, CheckController> controller) {
    return new CheckStarter(controller, null);
  }

  /**
   * The same as the account of this kubeconfig, for tests of the controller's rights. It names the
   * server, too, in place of the address that the start is given.
   */
  public CheckStarter withKubeconfig(Path file) {
    return new CheckStarter(controller, file);
  }

  /**
   * Connects and starts the controller.
   *
   * @param server the base URL, which needs no credentials
   * @param time the clock of the controller; stays open when it ends
   * @return what stops the controller and closes the connection
   * @throws io.github.kueue4j.runtime.client.ClusterConnectionException if the server doesn't
   *     answer
   * @throws io.github.kueue4j.runtime.informer.InitialSyncTimeoutException if the caches don't fill
   */
  @Override
  public AutoCloseable start(URI server, TimeSource time) throws InterruptedException {
    ClusterConnection.Builder builder = ClusterConnection.builder(COMPONENT);
    ClusterConnection connection =
        (kubeconfig == null ? builder.url(server) : builder.kubeconfig(kubeconfig, null)).connect();
    boolean started = false;
    try {
      CheckController built = controller.apply(CheckEnvironment.of(connection, time));
      built.start();
      started = true;
      return () -> {
        try (connection) {
          built.close();
        }
      };
    } finally {
      if (!started) {
        connection.close();
      }
    }
  }
}
