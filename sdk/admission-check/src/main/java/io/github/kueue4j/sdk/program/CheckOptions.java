// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.lease.LeaderElection;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options that each check's process has: the cluster, probes and metrics, leader election,
 * limits, logging. A mixin of picocli.
 *
 * @see CheckProgram
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CheckOptions {
  private static final int HIGHEST_PORT = 65_535;

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description = "serve /healthz, /readyz and /metrics on this port (default: not served)")
  private @Nullable Integer httpPort;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      description = "serve /metrics on this port instead (default: that of --http-port)")
  private @Nullable Integer metricsPort;

  @Option(
      names = "--answers-port",
      paramLabel = "PORT",
      description =
          "answer 'kueue4j try' over HTTPS on this port, for users who may list Workloads"
              + " and get the AdmissionCheck (default: not served)")
  private @Nullable Integer answersPort;

  @Option(
      names = "--leader-elect",
      description = "of several replicas only the one that holds a Lease works")
  private boolean leaderElect;

  @Option(
      names = "--lease",
      paramLabel = "[NS/]NAME",
      description = "that Lease (default: one of the program's name in the pod's namespace)")
  private @Nullable String lease;

  @Option(
      names = "--guards",
      paramLabel = "FILE",
      description =
          "limits: timeouts, concurrency, circuit breaker; variables KUEUE4J_GUARDS_* override it")
  private @Nullable Path guards;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "error, warn, info, debug or trace (default: $KUEUE4J_LOG, else info)")
  private @Nullable Level logLevel;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description = "text or json (default: $KUEUE4J_LOG_FORMAT, else text)")
  private @Nullable LogFormat logFormat;

  /** None given. */
  public CheckOptions() {}

  /** The logging that the options and the environment ask for. */
  ProgramLogging logging() {
    return ProgramLogging.of(logLevel, logFormat, System.getenv());
  }

  /**
   * Connects and asks the server for its version.
   *
   * @throws StartRefusedException if the options contradict each other or the cluster can't be used
   */
  ClusterConnection connect(String component) {
    return cluster.connect(component);
  }

  /**
   * The limits of the file, and what the environment says instead.
   *
   * @throws StartRefusedException if a setting can't be used
   */
  GuardSettings limits() {
    try {
      GuardSettings environment = GuardSettings.environment(System.getenv());
      return guards == null ? environment : GuardSettings.file(guards).overriddenBy(environment);
    } catch (InvalidGuardSettingException e) {
      throw StartRefusedException.of(e);
    }
  }

  /** Where probes are served, if they are. */
  Optional<HttpAddress> probePort() {
    return Optional.ofNullable(httpPort).map(HttpAddress::anyInterface);
  }

  /** Where it is asked in advance, if it is. */
  Optional<HttpAddress> answersPort() {
    return Optional.ofNullable(answersPort).map(HttpAddress::anyInterface);
  }

  /** Adds probes, metrics and leader election to a host. */
  ControllerHost.Builder host(ControllerHost.Builder host, ObjectKey defaultLease) {
    if (httpPort != null) {
      host.httpPort(httpPort);
    }
    if (metricsPort != null) {
      host.metrics(HttpAddress.anyInterface(metricsPort));
    }
    if (leaderElect) {
      ObjectKey key = lease(defaultLease);
      host.leaderElection(LeaderElection.named(key.namespace(), key.name()));
    }
    return host;
  }

  private static void requirePort(String option, @Nullable Integer port) {
    if (port != null && (port < 0 || port > HIGHEST_PORT)) {
      throw new StartRefusedException(
          option + " " + port + " is no port; give 1 to 65535, or 0 for any free one", null);
    }
  }

  private ObjectKey lease(ObjectKey usual) {
    return Optional.ofNullable(lease)
        .map(
            given -> {
              int slash = given.indexOf('/');
              return slash < 0
                  ? new ObjectKey(usual.namespace(), given)
                  : new ObjectKey(given.substring(0, slash), given.substring(slash + 1));
            })
        .orElse(usual);
  }

  /**
   * Checks what no single option can.
   *
   * @throws StartRefusedException if the options contradict each other
   */
  void validate() {
    if (lease != null && !leaderElect) {
      throw new StartRefusedException("--lease " + lease + " needs --leader-elect", null);
    }
    if (lease != null && !lease.matches("([a-z0-9-]+/)?[a-z0-9.-]+")) {
      throw new StartRefusedException(
          "--lease " + lease + " is no name of a Lease; give NAME or NAMESPACE/NAME", null);
    }
    requirePort("--http-port", httpPort);
    requirePort("--metrics-port", metricsPort);
    requirePort("--answers-port", answersPort);
    if (metricsPort != null && metricsPort != 0 && metricsPort.equals(httpPort)) {
      throw new StartRefusedException(
          "--metrics-port "
              + metricsPort
              + " is that of --http-port, which serves /metrics already; leave it out",
          null);
    }
  }
}
