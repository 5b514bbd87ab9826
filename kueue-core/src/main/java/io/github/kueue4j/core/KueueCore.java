// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ProbePort;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The core: manages quota for Workloads and the Jobs behind them on one cluster.
 *
 * <pre>{@code
 * try (var connection = ClusterConnection.builder("kueue-core").inCluster().connect();
 *     var time = TimeSource.system();
 *     var core = KueueCore.builder(connection, Configuration.load(file), time).build()) {
 *   core.start();
 *   core.awaitTermination();
 * }
 * }</pre>
 *
 * <p>All its state is in the cluster's objects: a core that is stopped at any moment, even by
 * {@link #crash}, can be replaced by a new one. An instance runs once.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class KueueCore implements AutoCloseable {
  private final CoreAssembly assembly;

  private KueueCore(CoreAssembly assembly) {
    this.assembly = assembly;
  }

  /**
   * Starts to describe a core.
   *
   * @param connection the cluster; stays open when the core closes
   * @param configuration of the core
   * @param time for deadlines and timestamps; stays open when the core closes
   */
  public static Builder builder(
      ClusterConnection connection, Configuration configuration, TimeSource time) {
    return new Builder(connection, configuration, time);
  }

  /**
   * Fills the caches and begins to work: at once, or as soon as this replica leads.
   *
   * @throws io.github.kueue4j.runtime.informer.InitialSyncTimeoutException if the caches don't fill
   *     in time, for example since the CRDs aren't installed; the core is closed then
   * @throws InterruptedException if the thread is interrupted; the core is closed then
   */
  public void start() throws InterruptedException {
    assembly.start();
  }

  CoreAssembly assembly() {
    return assembly;
  }

  /** Whether this replica does the work: it leads, or there is no election. */
  public boolean leading() {
    return assembly.host().leading();
  }

  /** Waits until the core has stopped, by {@link #close} or because its lease was lost. */
  public void awaitTermination() throws InterruptedException {
    assembly.host().awaitTermination();
  }

  /** The port of the health endpoints; -1 if they aren't served. */
  public int httpPort() {
    return assembly.host().httpPort();
  }

  /** The port of /metrics; -1 if it isn't served. */
  public int metricsPort() {
    return assembly.host().metricsPort();
  }

  /** The port of the webhooks; -1 if they aren't served. */
  public int webhookPort() {
    return assembly.webhookPort();
  }

  /** The port of the diagnostics server; -1 if there is none. */
  public int diagnosticsPort() {
    return assembly.diagnosticsPort();
  }

  /** The port of the view of queues and Workloads; -1 if it isn't served. */
  public int viewPort() {
    return assembly.viewPort();
  }

  /** The registry of all meters. */
  public MeterRegistry meters() {
    return assembly.host().meters();
  }

  /** Why the core isn't ready; empty if it does its work or stands by as a replica. */
  public List<String> readinessProblems() {
    return assembly.host().readinessProblems();
  }

  /** Why the process should be restarted; empty if it is healthy. */
  public List<String> livenessProblems() {
    return assembly.host().livenessProblems();
  }

  /** Stops in order: work that has begun is finished. Does nothing if stopped already. */
  @Override
  public void close() {
    assembly.close();
  }

  /**
   * Stops abruptly, as if the process had been killed: from now on nothing is written, not even the
   * rest of a sequence that has begun, and a lease is kept. For tests of restarts.
   */
  public void crash() {
    assembly.crash();
  }

  /** Describes a core. */
  @API(status = API.Status.EXPERIMENTAL)
  public static final class Builder {
    private final ClusterConnection connection;
    private final Configuration configuration;
    private final TimeSource time;
    private TimeSource pace;
    private Runnable onLeadershipLost = () -> {};
    private @Nullable String identity;
    private @Nullable ProbePort probePort;
    private @Nullable Function<ViewedCore, ServedView> view;
    private Duration drain = Duration.ZERO;

    private Builder(ClusterConnection connection, Configuration configuration, TimeSource time) {
      this.connection = Objects.requireNonNull(connection, "connection");
      this.configuration = Objects.requireNonNull(configuration, "configuration");
      this.time = connection.fatalErrors().guard(Objects.requireNonNull(time, "time"));
      this.pace = connection.wireTime();
    }

    /**
     * The time for the intervals between writes that spare the API server; stays open when the core
     * closes. The default is the connection's wire time, which is real time: a server doesn't get
     * faster when deadlines are simulated.
     */
    public Builder pace(TimeSource source) {
      pace = connection.fatalErrors().guard(Objects.requireNonNull(source, "source"));
      return this;
    }

    /** Called once after the core has stopped because it lost its lease; a process exits here. */
    public Builder onLeadershipLost(Runnable callback) {
      onLeadershipLost = callback;
      return this;
    }

    /**
     * The identity of this replica in the leader election; random unless given. Another core may
     * use the same identity only when this one has ended, since it takes over the lease at once.
     */
    public Builder identity(String replica) {
      identity = replica;
      return this;
    }

    /** The port of the configuration's health probes if it is taken already. */
    public Builder probePort(ProbePort port) {
      probePort = port;
      return this;
    }

    /**
     * How long webhooks are answered after the core was closed, until every node has heard that
     * this replica goes. {@link KueueCore#close} takes so much longer. The default is zero.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder drain(Duration length) {
      if (length.isNegative()) {
        throw new IllegalArgumentException("drain must not be negative but is " + length);
      }
      drain = length;
      return this;
    }

    /**
     * The view that shows the core where its configuration has an address for it ({@code
     * kueue4j.view.bindAddress}); it isn't made otherwise. A core has none unless given.
     *
     * @param maker makes it when the core is built, to be served once the core has started
     */
    public Builder view(Function<ViewedCore, ServedView> maker) {
      view = maker;
      return this;
    }

    /**
     * The core, not yet started.
     *
     * @throws IllegalArgumentException if the configuration has an address for a view and the core
     *     was given none
     */
    public KueueCore build() {
      return new KueueCore(
          new CoreAssembly(
              new CoreOptions(
                  connection,
                  configuration,
                  time,
                  pace,
                  identity,
                  probePort,
                  view,
                  drain,
                  onLeadershipLost)));
    }
  }
}
