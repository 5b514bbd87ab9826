// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Guards;
import java.net.URI;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/** One check controller with its own connection. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class RunningCheck implements AutoCloseable {
  private final ClusterConnection connection;
  private final CheckController controller;

  private RunningCheck(ClusterConnection connection, CheckController controller) {
    this.connection = connection;
    this.controller = controller;
  }

  /** Starts the check without leader election and without an HTTP server. */
  public static RunningCheck start(CheckName name, Target cluster, TimeSource time)
      throws InterruptedException {
    return start(name, cluster, connection -> quiet(connection, time));
  }

  /**
   * Starts the check likewise, and answers dry evaluations to every program of this machine.
   *
   * @param cluster one that is a process of this machine, and as open
   */
  public static RunningCheck startAnswering(CheckName name, Target cluster, TimeSource time)
      throws InterruptedException {
    return start(name, cluster, connection -> quiet(connection, time).withLoopbackAnswers());
  }

  private static CheckEnvironment quiet(ClusterConnection connection, TimeSource time) {
    return CheckEnvironment.of(connection, time)
        .withHosting(host -> host.gracePeriod(Duration.ofSeconds(2)));
  }

  /**
   * Connects and starts.
   *
   * @param time what delays go by; stays open
   * @param hosting adds probes or leader election
   * @param limits what the operator changes of the check's guards
   * @throws io.github.kueue4j.runtime.client.ClusterConnectionException if the cluster can't be
   *     reached
   * @throws InterruptedException if the thread is interrupted
   */
  public static RunningCheck start(
      CheckName name,
      Target cluster,
      TimeSource time,
      UnaryOperator<ControllerHost.Builder> hosting,
      UnaryOperator<Guards> limits)
      throws InterruptedException {
    return start(
        name,
        cluster,
        connection ->
            CheckEnvironment.of(connection, time).withHosting(hosting).withGuards(limits));
  }

  private static RunningCheck start(
      CheckName name, Target cluster, Function<ClusterConnection, CheckEnvironment> environment)
      throws InterruptedException {
    ClusterConnection connection = cluster.connect(name.word() + "-check");
    try {
      CheckController controller = name.controller(environment.apply(connection));
      controller.start();
      return new RunningCheck(connection, controller);
    } catch (RuntimeException | InterruptedException e) {
      connection.close();
      throw e;
    }
  }

  /** The name by which AdmissionChecks choose it. */
  public String controllerName() {
    return controller.controllerName();
  }

  /** The port at which it answers dry evaluations; -1 if it doesn't. */
  public int answersPort() {
    return controller.answersPort();
  }

  /** The API server that it works on. */
  public URI server() {
    return connection.server();
  }

  @Override
  public void close() {
    controller.close();
    connection.close();
  }
}
