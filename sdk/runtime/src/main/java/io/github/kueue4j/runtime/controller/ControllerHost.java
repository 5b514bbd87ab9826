// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import com.sun.net.httpserver.HttpsConfigurator;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.LeaseGuard;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.http.RequestAuthorizer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Runs controllers with the infrastructure of a process: informers that sync first, leader
 * election, probes, metrics, and an orderly shutdown.
 *
 * <p>The start order is: HTTP server, informers, cache sync, leadership, controllers; the shutdown
 * is in reverse. Losing the lease stops the whole host, not only its controllers, and a host can't
 * be restarted.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ControllerHost implements AutoCloseable {

  private final HostRun run;
  private final Optional<ObjectKey> lease;

  private ControllerHost(Builder spec) {
    this.lease = Optional.ofNullable(spec.election).map(LeaderElection::lease);
    this.run = new HostRun(spec);
  }

  /**
   * A builder of a host.
   *
   * @param connection to the API server; the host doesn't close it
   * @param time source of the controllers' timers; the host doesn't close it
   */
  public static Builder builder(ClusterConnection connection, TimeSource time) {
    return new Builder(connection, time);
  }

  /**
   * Starts the host and waits until its caches are synced. Without leader election it also starts
   * the controllers; with it they start as soon as this replica leads.
   *
   * @throws io.github.kueue4j.runtime.informer.InitialSyncTimeoutException if the caches don't sync
   *     in time; the host is closed then
   * @throws IllegalStateException if the host was started before, or is closed meanwhile
   * @throws InterruptedException if the thread is interrupted; the host is closed then
   */
  public void start() throws InterruptedException {
    run.start();
  }

  /** The Lease that its replicas compete for; empty without leader election. */
  public Optional<ObjectKey> lease() {
    return lease;
  }

  /** Whether the controllers run: this replica leads, or there is no leader election. */
  public boolean leading() {
    return run.leading();
  }

  /** Whether the host stops or has stopped because the lease was lost. */
  public boolean lostLease() {
    return run.lostLease();
  }

  HostRun run() {
    return run;
  }

  /** Waits until the host has stopped, by {@link #close} or because the lease was lost. */
  public void awaitTermination() throws InterruptedException {
    run.awaitTermination();
  }

  /**
   * The actual port of /healthz and /readyz, also if 0 was configured; -1 if they aren't served.
   */
  public int httpPort() {
    return run.healthPort();
  }

  /** The actual port of /metrics, also if 0 was configured; -1 if it isn't served. */
  public int metricsPort() {
    return run.metricsPort();
  }

  /** The registry of this host's meters. */
  public MeterRegistry meters() {
    return run.meters();
  }

  /** Why the process should be restarted; empty if it is healthy. */
  public List<String> livenessProblems() {
    return run.livenessProblems();
  }

  /** Why the process isn't ready; empty if it works or waits for leadership. */
  public List<String> readinessProblems() {
    return run.readinessProblems();
  }

  /**
   * Stops the host: no new reconcile starts, running ones get the grace period, the lease is
   * released, informers and HTTP server end. Does nothing if stopped already.
   */
  @Override
  public void close() {
    run.close();
  }

  /**
   * Stops the host as {@link #close} does, but without releasing the lease, like a killed process:
   * other replicas lead when it has expired, the same identity can renew it at once. For tests.
   */
  public void abandon() {
    run.abandon();
  }

  /** Builds a host. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Builder {
    final ClusterConnection connection;
    final TimeSource time;
    final List<Informers> informers = new ArrayList<>();
    final List<Controller> controllers = new ArrayList<>();
    final List<EventRecorder> recorders = new ArrayList<>();
    final List<Supplier<List<String>>> liveness = new ArrayList<>();
    final List<Supplier<List<String>>> readiness = new ArrayList<>();
    @Nullable LeaderElection election;
    LeaseGuard leaseGuard = new LeaseGuard();
    Runnable onLeading = () -> {};
    Runnable onLeadershipLost = () -> {};
    @Nullable HttpAddress health;
    @Nullable HttpAddress metrics;
    @Nullable SecureMetrics secureMetrics;
    @Nullable ProbePort probePort;
    String livenessPath = "/healthz";
    String readinessPath = "/readyz";
    Duration syncTimeout = Duration.ofMinutes(2);
    Duration grace = Duration.ofSeconds(20);
    MeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** The settings of /metrics over HTTPS. */
    record SecureMetrics(
        HttpAddress address, HttpsConfigurator tls, RequestAuthorizer authorizer) {}

    private Builder(ClusterConnection connection, TimeSource time) {
      this.connection = connection;
      this.time = connection.fatalErrors().guard(time);
    }

    /** Starts and stops these informers with the host. */
    public Builder informers(Informers group) {
      informers.add(group);
      return this;
    }

    /** Adds a controller. */
    public Builder controller(Controller controller) {
      controllers.add(controller);
      return this;
    }

    /** Runs the controllers only while this replica leads. */
    public Builder leaderElection(LeaderElection spec) {
      election = spec;
      return this;
    }

    /**
     * Binds this guard to the lease, if there is leader election.
     *
     * @param guard of the connection that the controllers write through, see {@link
     *     ClusterConnection#guardedBy}
     */
    public Builder leaseGuard(LeaseGuard guard) {
      leaseGuard = guard;
      return this;
    }

    /** A callback on a thread of its own, once the controllers run. */
    public Builder onLeading(Runnable callback) {
      onLeading = callback;
      return this;
    }

    /**
     * A callback after the host has stopped because the lease was lost. Exit the process there, or
     * build a new host; this one can't be restarted.
     */
    public Builder onLeadershipLost(Runnable callback) {
      onLeadershipLost = callback;
      return this;
    }

    /** Serves /healthz, /readyz and /metrics on all interfaces; 0 for any free port. */
    public Builder httpPort(int port) {
      HttpAddress address = HttpAddress.anyInterface(port);
      return health(address).metrics(address);
    }

    /** Serves /healthz and /readyz at this address. */
    public Builder health(HttpAddress address) {
      health = address;
      return this;
    }

    /**
     * Serves what shall be served at the port's address on this port, which is taken already.
     *
     * @param port closed with the host
     */
    public Builder probePort(ProbePort port) {
      probePort = port;
      return this;
    }

    /** The paths of the health endpoints, each with its slash. */
    public Builder healthPaths(String liveness, String readiness) {
      livenessPath = liveness;
      readinessPath = readiness;
      return this;
    }

    /**
     * A further condition of liveness.
     *
     * @param problems why the process should be restarted, empty if it is healthy; called at each
     *     probe, must not block
     */
    public Builder liveness(Supplier<List<String>> problems) {
      liveness.add(problems);
      return this;
    }

    /**
     * A further condition of readiness.
     *
     * @param problems why the replica isn't ready, empty if it is; called at each probe, must not
     *     block
     */
    public Builder readiness(Supplier<List<String>> problems) {
      readiness.add(problems);
      return this;
    }

    /**
     * Serves /metrics at this address over plain HTTP; with the address of health on the same
     * server.
     */
    public Builder metrics(HttpAddress address) {
      metrics = address;
      secureMetrics = null;
      return this;
    }

    /**
     * Serves /metrics at this address over HTTPS, on a server of its own, to authorized users.
     *
     * @param tls the certificate and the TLS options; see {@link
     *     io.github.kueue4j.runtime.tls.TlsOptions}
     * @param authorizer decides about each request
     */
    public Builder metrics(
        HttpAddress address, HttpsConfigurator tls, RequestAuthorizer authorizer) {
      metrics = null;
      secureMetrics = new SecureMetrics(address, tls, authorizer);
      return this;
    }

    /** Flushes and closes this recorder with the host, after the controllers. */
    public Builder events(EventRecorder recorder) {
      recorders.add(recorder);
      return this;
    }

    /** The timeout of the initial cache sync; default 2 min of wire time. */
    public Builder syncTimeout(Duration timeout) {
      syncTimeout = timeout;
      return this;
    }

    /** How long running reconciles may take at shutdown; default 20 s. */
    public Builder gracePeriod(Duration period) {
      grace = period;
      return this;
    }

    /** The registry for meters; default a Prometheus registry of the host's own. */
    public Builder meters(MeterRegistry registry) {
      meters = registry;
      return this;
    }

    /** Builds the host without starting it; its controllers' queues exist afterwards. */
    public ControllerHost build() {
      return new ControllerHost(this);
    }
  }
}
