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
package io.github.kueue4j.runtime;

import com.sun.net.httpserver.HttpsConfigurator;
import io.github.kueue4j.api.time.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Runs controllers with everything a process needs around them: caches that fill first, leader
 * election, probes, metrics, and an orderly end.
 *
 * <p>Order at the start: HTTP server, informers, filled caches, leadership, controllers; at the end
 * the reverse. Losing the lease stops the whole host, never only its controllers: a host runs once.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ControllerHost implements AutoCloseable {

  private final HostRun run;

  private ControllerHost(Builder spec) {
    this.run = new HostRun(spec);
  }

  /**
   * Starts to describe a host.
   *
   * @param connection where; stays open when the host closes
   * @param time what the controllers' timers go by; stays open when the host closes
   */
  public static Builder builder(ClusterConnection connection, TimeSource time) {
    return new Builder(connection, time);
  }

  /**
   * Starts everything up to the caches and, without leader election, the controllers; with it they
   * start as soon as the lease is ours.
   *
   * @throws InitialSyncTimeoutException if the caches don't fill in time; the host is closed then
   * @throws InterruptedException if the thread is interrupted; the host is closed then
   */
  public void start() throws InterruptedException {
    run.start();
  }

  /** Whether the controllers run: we lead, or there is no election. */
  public boolean leading() {
    return run.leading();
  }

  HostRun run() {
    return run;
  }

  /** Waits until the host has stopped, by {@link #close} or because the lease was lost. */
  public void awaitTermination() throws InterruptedException {
    run.awaitTermination();
  }

  /** The port of /healthz and /readyz, useful if 0 was asked for; -1 if they aren't served. */
  public int httpPort() {
    return run.healthPort();
  }

  /** The port of /metrics, useful if 0 was asked for; -1 if it isn't served. */
  public int metricsPort() {
    return run.metricsPort();
  }

  /** Where all meters of this host are. */
  public MeterRegistry meters() {
    return run.meters();
  }

  /** Empty if the process is healthy, else why it should be restarted. */
  public List<String> livenessProblems() {
    return run.livenessProblems();
  }

  /** Empty if the process does its work or stands by, else what is missing. */
  public List<String> readinessProblems() {
    return run.readinessProblems();
  }

  /**
   * Stops everything: no new reconcile starts, those under way get the grace period, the lease is
   * given back, informers and HTTP server end. Does nothing if stopped already.
   */
  @Override
  public void close() {
    run.close();
  }

  /**
   * Stops everything as {@link #close} does, but keeps the lease, as a process that is killed
   * would: others lead when it has expired, the same identity takes it up at once. For tests.
   */
  public void abandon() {
    run.abandon();
  }

  /** Describes a host. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Builder {
    final ClusterConnection connection;
    final TimeSource time;
    final List<Informers> informers = new ArrayList<>();
    final List<Controller> controllers = new ArrayList<>();
    final List<EventRecorder> recorders = new ArrayList<>();
    final List<Supplier<List<String>>> readiness = new ArrayList<>();
    @Nullable LeaderElection election;
    Runnable onLeading = () -> {};
    Runnable onLeadershipLost = () -> {};
    @Nullable HttpAddress health;
    @Nullable HttpAddress metrics;
    @Nullable SecureMetrics secureMetrics;
    String livenessPath = "/healthz";
    String readinessPath = "/readyz";
    Duration syncTimeout = Duration.ofMinutes(2);
    Duration grace = Duration.ofSeconds(20);
    MeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** How /metrics is served over HTTPS. */
    record SecureMetrics(
        HttpAddress address, HttpsConfigurator tls, RequestAuthorizer authorizer) {}

    private Builder(ClusterConnection connection, TimeSource time) {
      this.connection = connection;
      this.time = time;
    }

    /** Starts and stops these informers with the host. */
    public Builder informers(Informers group) {
      informers.add(group);
      return this;
    }

    /** Runs this controller. */
    public Builder controller(Controller controller) {
      controllers.add(controller);
      return this;
    }

    /** Runs the controllers only while this replica leads. */
    public Builder leaderElection(LeaderElection spec) {
      election = spec;
      return this;
    }

    /** Called on its own thread once the controllers run. */
    public Builder onLeading(Runnable callback) {
      onLeading = callback;
      return this;
    }

    /**
     * Called once, after the host has stopped because the lease was lost. A process exits here, or
     * builds a new host from scratch; this one can't be started again.
     */
    public Builder onLeadershipLost(Runnable callback) {
      onLeadershipLost = callback;
      return this;
    }

    /** Serves /healthz, /readyz and /metrics on all interfaces; 0 takes any free port. */
    public Builder httpPort(int port) {
      HttpAddress address = HttpAddress.anyInterface(port);
      return health(address).metrics(address);
    }

    /** Serves /healthz and /readyz there. */
    public Builder health(HttpAddress address) {
      health = address;
      return this;
    }

    /** The paths of the health endpoints, each with its slash. */
    public Builder healthPaths(String liveness, String readiness) {
      livenessPath = liveness;
      readinessPath = readiness;
      return this;
    }

    /**
     * What else a replica needs before it is ready.
     *
     * @param problems what is missing; asked at each probe, must not block
     */
    public Builder readiness(Supplier<List<String>> problems) {
      readiness.add(problems);
      return this;
    }

    /** Serves /metrics there, in plain HTTP; the same address as for health is one server. */
    public Builder metrics(HttpAddress address) {
      metrics = address;
      secureMetrics = null;
      return this;
    }

    /**
     * Serves /metrics there over HTTPS, on a server of its own, and only to those who may read it.
     *
     * @param tls the certificate, and what is agreed to in handshakes; see {@link TlsOptions}
     * @param authorizer asked about each request
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

    /** How long caches may take to fill; default 2 min of wire time. */
    public Builder syncTimeout(Duration timeout) {
      syncTimeout = timeout;
      return this;
    }

    /** How long reconciles under way may take at the end; default 20 s. */
    public Builder gracePeriod(Duration period) {
      grace = period;
      return this;
    }

    /** Where to count; default a Prometheus registry of the host's own. */
    public Builder meters(MeterRegistry registry) {
      meters = registry;
      return this;
    }

    /** The host, not yet started; its controllers' queues exist from here on. */
    public ControllerHost build() {
      return new ControllerHost(this);
    }
  }
}
