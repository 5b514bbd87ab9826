// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.ConfigOption;
import io.github.kueue4j.cli.Converters;
import io.github.kueue4j.cli.ExitStatus;
import io.github.kueue4j.cli.Interruption;
import io.github.kueue4j.cli.Logging;
import io.github.kueue4j.cli.UserError;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.ViewSettings;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.ClusterUnavailable;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.http.HttpPortException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./kueue4j up}: a cluster to play with, until Ctrl-C. */
@Command(
    name = "up",
    description =
        "Keeps an embedded API server running, with the core, the checks, simulated nodes and Jobs"
            + " that run on them, for kubectl.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class UpCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      paramLabel = "N",
      description = "port on 127.0.0.1; 0 takes any free one (default: ${DEFAULT-VALUE})")
  private int port = 8001;

  @Option(
      names = "--checks",
      paramLabel = "LIST",
      converter = CheckSelection.Converter.class,
      description =
          "of budget, gpu, provisioning, http, prometheus, policy, approval, dependency, separated by"
              + " commas; or none, or all (default: all)")
  private CheckSelection checks = CheckSelection.all();

  @Option(
      names = "--job-runtime",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description = "how long a simulated Job's pods run, such as 2s or 1m (default: 2s)")
  private Duration jobRuntime = Duration.ofSeconds(2);

  @Mixin private ConfigOption config = new ConfigOption();

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "where to write a kubeconfig (default: .kueue4j/kubeconfig)")
  private @Nullable Path kubeconfig;

  @Override
  public Integer call() throws InterruptedException {
    Logging.quiet();
    if (port < 0 || port > 65_535) {
      throw new UserError("--port must be within 0..65535, but is " + port);
    }
    Configuration read = config.read();
    Configuration configuration =
        withView(config.isNamed() ? read : read.withFrameworks(Playground.FRAMEWORKS));
    Optional<String> text = config.textWithWebhooks(Playground.CONFIGURATION);
    PrintStream out = System.out;
    try (Interruption interruption = Interruption.listen();
        TimeSource time = TimeSource.system();
        Playground playground = start(configuration, time)) {
      text.ifPresent(written -> publish(playground, written));
      Path file = writeKubeconfig(playground.kubeconfig());
      explain(out, playground, file);
      interruption.await();
      out.println("stopping ...");
    }
    out.println("stopped");
    return 0;
  }

  /** A view that the file doesn't ask for gets the port after that of the API server. */
  private Configuration withView(Configuration read) {
    return read.extensions().view().address().isPresent()
        ? read
        : read.withView(ViewSettings.onLoopback(port == 0 ? 0 : (port + 1) % 65_536));
  }

  private Playground start(Configuration configuration, TimeSource time)
      throws InterruptedException {
    try {
      return Playground.start(
          new Playground.Options(port, configuration, checks.names(), jobRuntime), time);
    } catch (ClusterUnavailable e) {
      throw new UserError(e.getMessage() + " (--port)", e);
    } catch (HttpPortException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  /** For the convenience of other commands; the cluster runs without it, too. */
  private static void publish(Playground playground, String text) {
    try {
      playground.publishConfiguration(text);
    } catch (KubernetesApiException e) {
      System.err.println(
          "kueue4j: note: explain, try and when have to be given --config ("
              + e.getMessage()
              + ")");
    }
  }

  private Path writeKubeconfig(Path from) {
    Path file = kubeconfig == null ? Home.state().resolve("kubeconfig") : kubeconfig;
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      return Files.copy(from, file, StandardCopyOption.REPLACE_EXISTING).toAbsolutePath();
    } catch (IOException e) {
      throw new UserError(
          "cannot write the kubeconfig %s (%s); choose another file with --kubeconfig"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  private void explain(PrintStream out, Playground playground, Path file) {
    Path examples = Home.examples();
    out.println("kueue4j is up on " + playground.address() + " (plain HTTP, this machine only)");
    playground
        .viewAddress()
        .ifPresent(address -> out.println("queues and workloads in a browser: " + address));
    out.println(
        checks.names().isEmpty()
            ? "no checks run; examples/1-quota.yaml needs none"
            : "checks: "
                + String.join(", ", checks.names().stream().map(CheckName::word).toList()));
    out.println();
    out.println("  export KUBECONFIG=" + file);
    out.println("  kubectl apply -f " + examples.resolve("1-quota.yaml"));
    out.println("  kubectl get workloads -A -w");
    out.println("  kubectl describe workloads -n team-a");
    out.println("  ./kueue4j explain -n team-a NAME");
    out.println("  kubectl get clusterqueues,localqueues,admissionchecks -A");
    out.println();
    out.println("Ctrl-C ends it; nothing is kept.");
    out.flush();
  }
}
