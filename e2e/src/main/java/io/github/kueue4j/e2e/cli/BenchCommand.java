// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.Converters;
import io.github.kueue4j.cli.ExitStatus;
import io.github.kueue4j.cli.Logging;
import io.github.kueue4j.cli.UserError;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.bench.BenchReport;
import io.github.kueue4j.e2e.bench.CoreProcess;
import io.github.kueue4j.e2e.bench.InvalidLoadException;
import io.github.kueue4j.e2e.bench.Load;
import io.github.kueue4j.e2e.bench.LoadFile;
import io.github.kueue4j.e2e.bench.LoadRun;
import io.github.kueue4j.e2e.bench.Outcome;
import io.github.kueue4j.e2e.cluster.ClusterUnavailable;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import io.github.kueue4j.e2e.cluster.TemporaryFolder;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ClusterConnectionException;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./kueue4j bench}: how fast and at what cost a load is admitted. */
@Command(
    name = "bench",
    description =
        "Brings a load of workloads to a cluster, lets them run, and prints how long they waited and"
            + " what that cost in requests, CPU time and memory.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, "1:a workload did not finish in time", ExitStatus.USER_ERROR})
final class BenchCommand implements Callable<Integer> {
  @Option(
      names = "--load",
      paramLabel = "FILE",
      description =
          "what arrives; \"preemptions\" stands for 3,000 workloads of which a third is evicted once"
              + " (default: 15,000 workloads in 30 queues of 5 cohorts)")
  private @Nullable Path file;

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      description = "takes that many times the workloads, such as 0.1 (default: 1)")
  private double scale = 1;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "a cluster in which a core runs already (default: an embedded API server with a core)")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "a context of that kubeconfig (default: the current one)")
  private @Nullable String context;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description = "how long it may take in all (default: 15m)")
  private Duration timeout = Duration.ofMinutes(15);

  @Option(
      names = "--keep",
      description = "with --kubeconfig: leave queues and workloads in the cluster")
  private boolean keep;

  @Mixin private MeasuredCore measured = new MeasuredCore();

  @Override
  public Integer call() throws InterruptedException {
    Logging.quiet();
    if (!(scale > 0)) {
      throw new UserError("--scale must be above 0, but is " + scale);
    }
    checkCluster();
    measured.check();
    try (TimeSource time = TimeSource.system()) {
      Load load = (file == null ? LoadFile.baseline() : LoadFile.load(file)).scaled(scale);
      return kubeconfig == null
          ? embedded(load, time)
          : onCluster(Target.of(kubeconfig, context), load, time);
    } catch (InvalidLoadException | ClusterConnectionException | ClusterUnavailable e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    } catch (KubernetesApiException e) {
      throw new UserError("the cluster refuses: " + e.getMessage(), e);
    }
  }

  private void checkCluster() {
    if (kubeconfig == null && context != null) {
      throw new UserError("--context names one of a kubeconfig; give that with --kubeconfig");
    }
    if (kubeconfig == null && keep) {
      throw new UserError(
          "--keep leaves objects, which only a cluster of your own has: name it with --kubeconfig");
    }
    if (kubeconfig != null && measured.given()) {
      throw new UserError(
          "--program and --core-java-option are for a core that bench starts; leave them out where"
              + " --kubeconfig names a cluster with one");
    }
  }

  private int embedded(Load load, TimeSource time) throws InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("bench");
        EmbeddedCluster cluster = EmbeddedCluster.start(0, time, initialObjects());
        CoreProcess core = measured.start(cluster.kubeconfig(), folder.path())) {
      Outcome outcome = run(Target.of(cluster.kubeconfig()), load, time, core);
      System.out.print(
          BenchReport.of(
              load,
              outcome,
              new BenchReport.Cost(core.cpuTime(), core.peakMemory()),
              cluster.requests()));
      return outcome.complete() ? 0 : 1;
    }
  }

  private int onCluster(Target cluster, Load load, TimeSource time) throws InterruptedException {
    Outcome outcome = run(cluster, load, time, null);
    System.out.print(BenchReport.of(load, outcome, null, null));
    return outcome.complete() ? 0 : 1;
  }

  private Outcome run(Target cluster, Load load, TimeSource time, @Nullable CoreProcess core)
      throws InterruptedException {
    try (ClusterConnection connection = cluster.connect("bench")) {
      if (!connection.api().serves(KueueTypes.WORKLOAD)) {
        throw new UserError(
            "the cluster at " + connection.server() + " does not serve Workloads of Kueue");
      }
      LoadRun run = new LoadRun(connection, load, time);
      try {
        Outcome outcome =
            run.run(timeout, (created, finished) -> report(load.size(), created, finished, core));
        System.err.println();
        return outcome;
      } finally {
        if (core == null && !keep) {
          run.cleanUp();
        }
      }
    }
  }

  private static void report(int size, int created, int finished, @Nullable CoreProcess core) {
    if (core != null && !core.alive()) {
      System.err.println();
      throw new UserError("the core has ended; its last lines: " + core.lastLines(), null);
    }
    System.err.printf("\r%,d created, %,d of %,d finished ", created, finished, size);
    System.err.flush();
  }

  /** What a core needs before it starts. */
  static List<String> initialObjects() {
    List<String> yamls = new ArrayList<>(Crds.kueue());
    yamls.add("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}");
    return yamls;
  }
}
