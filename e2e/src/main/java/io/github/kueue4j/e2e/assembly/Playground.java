// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.assembly;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.traffic.RequestCounters;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.LoopbackAnswers;
import io.github.kueue4j.cli.components.RunningCheck;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.ViewSettings;
import io.github.kueue4j.core.config.WebhookSettings;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import io.github.kueue4j.e2e.world.SimulatedWorld;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in one process: the embedded API server, and as clients of it the core, the
 * checks and the simulated world, all by one clock. Not thread-safe: one owner starts, restarts,
 * closes.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Playground implements AutoCloseable {
  private final EmbeddedCluster cluster;
  private Configuration configuration;
  private final TimeSource time;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private @Nullable RunningCore core;

  /**
   * The parts that run.
   *
   * @param port on 127.0.0.1, or 0 for any free one
   * @param configuration the core's; webhooks are served even if it doesn't say so, and probes,
   *     metrics and the view on any free port where theirs is taken
   * @param checks which check controllers run
   * @param jobRuntime how long simulated pods run, by the playground's clock
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record Options(
      int port, Configuration configuration, Set<CheckName> checks, Duration jobRuntime) {
    public Options {
      checks = Set.copyOf(checks);
      configuration =
          (configuration.webhook().isPresent()
                  ? configuration
                  : configuration.withWebhook(WebhookSettings.onLoopback()))
              .withAddresses(FreePorts::insteadOfTaken);
    }
  }

  private Playground(EmbeddedCluster cluster, Configuration configuration, TimeSource time) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.time = time;
  }

  /** The kinds of Jobs that the simulated world plays, as the core names them. */
  public static final List<String> FRAMEWORKS = List.of("batch/job", "pod", "ray.io/rayjob");

  /** The core's configuration, as text, where nothing but these kinds is asked for. */
  public static final String CONFIGURATION =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      integrations:
        frameworks: [%s]
      """
          .formatted(String.join(", ", FRAMEWORKS));

  /** A core's configuration for one process without replicas, probes and metrics. */
  public static Configuration quietConfiguration() {
    return Configuration.parse(
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        leaderElection:
          leaderElect: false
        health:
          healthProbeBindAddress: "0"
        metrics:
          bindAddress: "0"
        """);
  }

  /**
   * Starts everything. Until all of it runs, clients are asked to come back later: what they send
   * may have to pass the core's webhooks.
   *
   * @param time the one clock of server, core, checks and world; stays open
   * @throws io.github.kueue4j.e2e.cluster.ClusterUnavailable if the port is taken
   * @throws InterruptedException if the thread is interrupted; nothing keeps running then
   */
  public static Playground start(Options options, TimeSource time) throws InterruptedException {
    Playground playground =
        new Playground(
            EmbeddedCluster.startHeldBack(
                options.port(), time, initialObjects(options.configuration())),
            options.configuration(),
            time);
    try {
      playground.startCore();
      playground.startChecks(options.checks());
      playground.running.push(
          SimulatedWorld.startWhole(
              playground.cluster.innerKubeconfig(), time, options.jobRuntime()));
      playground.cluster.open();
      return playground;
    } catch (RuntimeException | InterruptedException e) {
      playground.close();
      throw e;
    }
  }

  /** Starts the checks, and tells where {@code try} may ask them in advance. */
  private void startChecks(Set<CheckName> checks) throws InterruptedException {
    Map<String, Integer> ports = new TreeMap<>();
    for (CheckName name : checks) {
      RunningCheck check = RunningCheck.startAnswering(name, inner(), time);
      running.push(check);
      ports.put(check.controllerName(), check.answersPort());
    }
    if (!ports.isEmpty()) {
      publish(new LoopbackAnswers(ports).configMap(configuration.namespace()));
    }
  }

  private void publish(V1ConfigMap map) {
    try (ClusterConnection connection = inner().connect("kueue4j-playground")) {
      connection.api().create(CoreTypes.CONFIG_MAP, map);
    }
  }

  /** The objects of a cluster with Kueue in it before anything runs. */
  private static List<String> initialObjects(Configuration configuration) {
    List<String> yamls = new ArrayList<>(CoreObjects.of(configuration));
    yamls.addAll(SimulatedWorld.definitions());
    for (CheckName check : CheckName.values()) {
      yamls.addAll(check.crds());
    }
    return yamls;
  }

  /** How clients reach the server. */
  public Target target() {
    return Target.of(cluster.kubeconfig());
  }

  /** How the parts of this cluster reach the server. */
  private Target inner() {
    return Target.of(cluster.innerKubeconfig());
  }

  /** The server's kubeconfig; lives as long as this. */
  public Path kubeconfig() {
    return cluster.kubeconfig();
  }

  /** The server's base URL. */
  public String address() {
    return cluster.uri().toString();
  }

  /** Where a browser finds the view of the queues; empty if the core doesn't serve it. */
  public Optional<String> viewAddress() {
    RunningCore running = core;
    return running == null || running.viewPort() < 0
        ? Optional.empty()
        : Optional.of("http://localhost:" + running.viewPort() + "/");
  }

  /** What the server was asked so far. */
  public RequestCounters requests() {
    return cluster.requests();
  }

  /**
   * Starts the core, which must not run.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public void startCore() throws InterruptedException {
    RunningCore started =
        RunningCore.start(inner(), configuration.withAddresses(FreePorts::insteadOfTaken), time);
    core = started;
    if (started.viewPort() >= 0 && !configuration.extensions().view().secure()) {
      // The next core serves the view at the address that people know.
      configuration = configuration.withView(ViewSettings.onLoopback(started.viewPort()));
    }
    configuration
        .webhook()
        .ifPresent(
            settings ->
                cluster.routeService(
                    configuration.namespace(), settings.serviceName(), started.webhookPort()));
  }

  /**
   * Puts the core's configuration where the chart has it, in a ConfigMap beside the core's lease:
   * {@code explain}, {@code try} and {@code when} read there which kinds it manages.
   *
   * @param text of a Configuration
   * @throws io.github.kueue4j.runtime.client.KubernetesApiException if it can't be written
   */
  public void publishConfiguration(String text) {
    publish(
        new V1ConfigMap()
            .metadata(
                new V1ObjectMeta()
                    .namespace(configuration.namespace())
                    .name("kueue-manager-config"))
            .putDataItem("controller_manager_config.yaml", text));
  }

  /** Kills the core in the middle of whatever it does; {@link #startCore} brings a new one. */
  public void crashCore() {
    RunningCore killed = core;
    core = null;
    if (killed != null) {
      killed.crash();
    }
  }

  private void stopCore() {
    RunningCore stopping = core;
    core = null;
    if (stopping != null) {
      stopping.close();
    }
  }

  /** Stops everything, the server last. */
  @Override
  public void close() {
    RuntimeException first = null;
    running.addLast(this::stopCore);
    running.addLast(cluster);
    for (AutoCloseable each : running) {
      try {
        each.close();
      } catch (Exception e) {
        RuntimeException problem =
            e instanceof RuntimeException known ? known : new IllegalStateException(e);
        if (first == null) {
          first = problem;
        } else {
          first.addSuppressed(problem);
        }
      }
    }
    running.clear();
    if (first != null) {
      throw first;
    }
  }
}
