// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.controller.ProbePort;
import io.github.kueue4j.runtime.http.HttpPortException;
import io.github.kueue4j.sdk.program.ClusterOptions;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kueue4j core}: the core against any cluster. */
@Command(
    name = "core",
    description = "Runs the core against a cluster until Ctrl-C.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      ExitStatus.DONE,
      ExitStatus.ENDED_BY_ANOTHER_LEADER,
      ExitStatus.USER_ERROR,
      ExitStatus.FATAL_ERROR
    })
final class CoreCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(CoreCommand.class);

  /** A kubelet waits 30 s for the whole end. */
  private static final Duration LONGEST_DRAIN = Duration.ofSeconds(10);

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Mixin private ConfigOption config = new ConfigOption();

  @Option(
      names = "--install-crds",
      description = "create or update the definitions of kueue.x-k8s.io first")
  private boolean installCrds;

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description =
          "how long it answers webhooks after it was told to end, until every node has heard so;"
              + " at most 10s (default: not at all)")
  private Duration drain = Duration.ZERO;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Logging.verbose();
    if (drain.compareTo(LONGEST_DRAIN) > 0) {
      throw new UserError("--drain must be at most 10s, but is " + drain.toSeconds() + "s");
    }
    Configuration configuration = config.read();
    // A kubelet that asks too early waits for the answer, instead of being refused.
    try (ProbePort probes = configuration.health().map(ProbePort::take).orElse(null)) {
      prepare(configuration);
      return run(configuration, probes);
    } catch (HttpPortException e) {
      throw new UserError(
          e.getMessage() + " (health.healthProbeBindAddress and metrics.bindAddress in --config)",
          e);
    }
  }

  private int run(Configuration configuration, @Nullable ProbePort probes)
      throws InterruptedException {
    try (Interruption interruption = Interruption.ofAServer();
        TimeSource time = TimeSource.system();
        RunningCore core =
            RunningCore.start(
                cluster::connect,
                configuration,
                probes,
                drain,
                time,
                () -> interruption.ask("lost the lease; another replica may lead"))) {
      sayStarted(core.server());
      return end(interruption.await());
    }
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  /** A line for people, which isn't in the log's form; machines get one that is. */
  private void sayStarted(URI server) {
    if (Logging.isJson()) {
      log.atInfo().addKeyValue("server", server).log("Running");
    } else {
      out().println("the core is running on " + server + "; Ctrl-C ends it");
    }
  }

  /** Prints why a component ended by itself and returns the exit status that asks for a restart. */
  static int end(Optional<String> reason) {
    reason.ifPresent(why -> System.err.println("kueue4j: " + why));
    return reason.isPresent() ? 1 : 0;
  }

  private void prepare(Configuration configuration) {
    try (ClusterConnection connection = cluster.connect("kueue4j")) {
      if (installCrds) {
        install(connection.api(), configuration.webhook().isPresent());
      }
      mustHoldLease(connection, configuration);
    }
    mustServeKueue();
  }

  private void mustServeKueue() {
    try (ClusterConnection connection = cluster.connect("kueue4j")) {
      if (!connection.api().serves(KueueTypes.WORKLOAD)) {
        throw new UserError(
            "the cluster at %s does not serve %s; install the definitions with '%s core --install-crds' or the chart kueue-core"
                .formatted(
                    connection.server(), KueueTypes.WORKLOAD.apiVersion(), Launcher.command()));
      }
    }
  }

  private void install(KubernetesApi api, boolean webhooks) {
    if (webhooks) {
      Definitions.installKueue(api);
      return;
    }
    List<String> unserved = Definitions.installKueueUnconverted(api);
    if (!unserved.isEmpty()) {
      out()
          .println(
              "v1beta1 of "
                  + String.join(", ", unserved)
                  + " is not served: this core serves no webhook to convert it (no 'webhook' in"
                  + " --config)");
    }
  }

  private static void mustHoldLease(ClusterConnection connection, Configuration configuration) {
    String namespace = configuration.namespace();
    if (configuration.leaderElection().leaderElect()
        && connection.api().get(CoreTypes.NAMESPACE, ObjectKey.cluster(namespace)).isEmpty()) {
      throw new UserError(
          "the namespace "
              + namespace
              + " for the leader's Lease does not exist: 'kubectl create namespace "
              + namespace
              + "', or set leaderElection.leaderElect: false in --config");
    }
  }
}
