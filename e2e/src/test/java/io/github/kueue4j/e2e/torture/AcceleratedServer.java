// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.simulation.SimulatedCluster;
import io.github.kueue4j.simulation.Simulation;
import java.time.Duration;
import java.time.Instant;

/**
 * An embedded API server whose time is that of the simulation that the current thread is in, or
 * elsewhere passes ten times as fast as that of the clock on the wall; with {@linkplain #withPorts
 * ports} it passes as fast as its clients need it.
 */
public final class AcceleratedServer implements AutoCloseable {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
  private static final double SPEED = 10;

  private final double speed;
  private final TimeSource time;
  private final EmbeddedApiServer server;

  private AcceleratedServer(double speed, TimeSource time, EmbeddedApiServer server) {
    this.speed = speed;
    this.time = time;
    this.server = server;
  }

  /** Starts one. */
  public static AcceleratedServer start() {
    return Simulation.current()
        .map(simulation -> start(1, simulation.time()))
        .orElseGet(() -> start(SPEED, TimeSource.scaled(START, SPEED)));
  }

  private static AcceleratedServer start(double speed, TimeSource time) {
    return new AcceleratedServer(
        speed, time, SimulatedCluster.start(EmbeddedApiServer.builder().clock(time).kubelets()));
  }

  /** Starts one with a plain port and an HTTPS port, ten times as fast as the clock on the wall. */
  public static AcceleratedServer withPorts() {
    return withPorts(SPEED, TimeSource.scaled(START, SPEED));
  }

  /** The same by the clock on the wall, as other processes have it. */
  public static AcceleratedServer withPortsInRealTime() {
    return withPorts(1, TimeSource.system());
  }

  private static AcceleratedServer withPorts(double speed, TimeSource time) {
    return new AcceleratedServer(
        speed, time, EmbeddedApiServer.builder().secure().clock(time).kubelets().start());
  }

  /** How all its clients reach it. */
  public Target target() {
    return component -> SimulatedCluster.connection(component, server).connect();
  }

  public EmbeddedApiServer server() {
    return server;
  }

  public TimeSource time() {
    return time;
  }

  public Faults faults() {
    return server.faults();
  }

  /** How long a thread waits while so much of the server's time passes. */
  public Duration waiting(Duration ofItsTime) {
    return Duration.ofNanos((long) (ofItsTime.toNanos() / speed));
  }

  @Override
  public void close() {
    server.close();
    time.close();
  }
}
