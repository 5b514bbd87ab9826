// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.observe.view.CoreView;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ProbePort;
import java.net.URI;
import java.time.Duration;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The core with its own connection. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class RunningCore implements AutoCloseable {
  private final ClusterConnection connection;
  private final KueueCore core;

  private RunningCore(ClusterConnection connection, KueueCore core) {
    this.connection = connection;
    this.core = core;
  }

  /**
   * Connects and starts.
   *
   * @param time what it goes by; stays open
   * @throws io.github.kueue4j.runtime.client.ClusterConnectionException if the cluster can't be
   *     reached
   * @throws InterruptedException if the thread is interrupted
   */
  public static RunningCore start(Target cluster, Configuration configuration, TimeSource time)
      throws InterruptedException {
    return start(cluster, configuration, time, () -> {});
  }

  /**
   * Connects and starts.
   *
   * @param time what it goes by; stays open
   * @param onLeadershipLost called once if another replica has taken over; this one has stopped
   * @throws io.github.kueue4j.runtime.client.ClusterConnectionException if the cluster can't be
   *     reached
   * @throws InterruptedException if the thread is interrupted
   */
  public static RunningCore start(
      Target cluster, Configuration configuration, TimeSource time, Runnable onLeadershipLost)
      throws InterruptedException {
    return start(cluster, configuration, null, Duration.ZERO, time, onLeadershipLost);
  }

  /**
   * Connects and starts as a process of a cluster.
   *
   * @param probes the port of the configuration's health probes, taken already; null if there are
   *     none
   * @param drain how long webhooks are answered after it was closed, not negative
   * @param time what it goes by; stays open
   * @param onLeadershipLost called once if another replica has taken over; this one has stopped
   * @throws io.github.kueue4j.runtime.client.ClusterConnectionException if the cluster can't be
   *     reached
   * @throws InterruptedException if the thread is interrupted
   */
  public static RunningCore start(
      Target cluster,
      Configuration configuration,
      @Nullable ProbePort probes,
      Duration drain,
      TimeSource time,
      Runnable onLeadershipLost)
      throws InterruptedException {
    return start(
        cluster,
        connection -> {
          KueueCore.Builder core =
              KueueCore.builder(connection, configuration, time)
                  .view(viewed -> CoreView.of(viewed, new BookedBudgets()))
                  .drain(drain)
                  .onLeadershipLost(onLeadershipLost);
          return (probes == null ? core : core.probePort(probes)).build();
        });
  }

  /**
   * Connects and starts as a certain replica, which takes up its lease if it is started anew.
   *
   * @param identity in the leader election
   * @param time what it goes by; stays open
   * @throws io.github.kueue4j.runtime.client.ClusterConnectionException if the cluster can't be
   *     reached
   * @throws InterruptedException if the thread is interrupted
   */
  public static RunningCore startAs(
      String identity, Target cluster, Configuration configuration, TimeSource time)
      throws InterruptedException {
    return start(
        cluster,
        connection ->
            KueueCore.builder(connection, configuration, time)
                .view(viewed -> CoreView.of(viewed, new BookedBudgets()))
                .identity(identity)
                .build());
  }

  private static RunningCore start(Target cluster, Function<ClusterConnection, KueueCore> build)
      throws InterruptedException {
    ClusterConnection connection = cluster.connect("kueue-core");
    try {
      KueueCore core = build.apply(connection);
      core.start();
      return new RunningCore(connection, core);
    } catch (RuntimeException | InterruptedException e) {
      connection.close();
      throw e;
    }
  }

  /** Whether it does the work: it leads, or there is no election. */
  public boolean leading() {
    return core.leading();
  }

  /** Whether it is ready, as leader or as follower, and answers the API server. */
  public boolean ready() {
    return core.readinessProblems().isEmpty();
  }

  /** The port of its webhooks; -1 if they aren't served. */
  public int webhookPort() {
    return core.webhookPort();
  }

  /** The port of /metrics; -1 if it isn't served. */
  public int metricsPort() {
    return core.metricsPort();
  }

  /** The port of the view of queues and Workloads; -1 if it isn't served. */
  public int viewPort() {
    return core.viewPort();
  }

  /** The API server that it works on. */
  public URI server() {
    return connection.server();
  }

  /** Ends it as a kill would: unfinished work stays unfinished. */
  public void crash() {
    core.crash();
    connection.close();
  }

  @Override
  public void close() {
    core.close();
    connection.close();
  }
}
