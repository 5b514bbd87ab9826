/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.ClusterConnection;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Objects;
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
 * <p>All its knowledge is in the cluster's objects: one that is stopped at any moment, even by
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
   * @param configuration what it shall do
   * @param time what deadlines and timestamps go by; stays open when the core closes
   */
  public static Builder builder(
      ClusterConnection connection, Configuration configuration, TimeSource time) {
    return new Builder(connection, configuration, time);
  }

  /**
   * Fills the caches and begins to work: at once, or as soon as this replica leads.
   *
   * @throws io.github.kueue4j.runtime.InitialSyncTimeoutException if the caches don't fill in time,
   *     for example since the CRDs aren't installed; the core is closed then
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

  /** The port where a look into the process is served; -1 if it isn't. */
  public int diagnosticsPort() {
    return assembly.diagnosticsPort();
  }

  /** Where all meters are. */
  public MeterRegistry meters() {
    return assembly.host().meters();
  }

  /** Empty if the core does its work or stands by, else what is missing. */
  public List<String> readinessProblems() {
    return assembly.host().readinessProblems();
  }

  /** Stops in order: what is under way is finished. Does nothing if stopped already. */
  @Override
  public void close() {
    assembly.close();
  }

  /**
   * Stops in the middle of things, as if the process had been killed: nothing is written from now
   * on, whatever was half done, and a lease is kept. For tests of what a restart makes of that.
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

    private Builder(ClusterConnection connection, Configuration configuration, TimeSource time) {
      this.connection = Objects.requireNonNull(connection, "connection");
      this.configuration = Objects.requireNonNull(configuration, "configuration");
      this.time = Objects.requireNonNull(time, "time");
      this.pace = connection.wireTime();
    }

    /**
     * What the intervals between writes go by that spare the API server; stays open when the core
     * closes. Default the connection's wire time, that is real time: a server doesn't get faster
     * when deadlines are simulated.
     */
    public Builder pace(TimeSource source) {
      pace = Objects.requireNonNull(source, "source");
      return this;
    }

    /** Called once after the core has stopped since its lease was lost; a process exits here. */
    public Builder onLeadershipLost(Runnable callback) {
      onLeadershipLost = callback;
      return this;
    }

    /**
     * Who this replica is in the leader election; random unless given. Another core may only take
     * the same identity when this one has ended: it takes up the lease at once.
     */
    public Builder identity(String replica) {
      identity = replica;
      return this;
    }

    /** The core, not yet started. */
    public KueueCore build() {
      return new KueueCore(
          new CoreAssembly(connection, configuration, time, pace, identity, onLeadershipLost));
    }
  }
}
