// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.assembly.CoreObjects;
import io.github.kueue4j.e2e.bench.CoreProcess;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import io.github.kueue4j.e2e.cluster.LocalProcess;
import io.github.kueue4j.e2e.cluster.TemporaryFolder;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A core in a process of its own, with the memory of the chart and a lease, webhooks and metrics as
 * the chart has them, under a steady load on an embedded API server; and what it takes over time.
 * Time is real.
 *
 * @param length how long the load comes
 * @param perSecond Workloads and Jobs, above 0
 * @param memory that the core's process may take, in bytes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record Soak(Duration length, double perSecond, long memory) {
  private static final int SAMPLES = 60;

  /** A collection takes processor time, and keeps the heap smaller than it would be: not often. */
  private static final int SAMPLES_PER_COLLECTION = 5;

  private static final int CLASSES = 10;
  private static final Duration START = Duration.ofMinutes(2);

  /** For what is there when nothing more comes. */
  private static final Duration END = Duration.ofMinutes(5);

  /** How a core is started. */
  @FunctionalInterface
  public interface Program {
    /**
     * The words that start it.
     *
     * @param folder for its files
     * @param javaOptions besides its own
     * @param arguments {@code core} and its options
     */
    List<String> command(Path folder, List<String> javaOptions, List<String> arguments);
  }

  /**
   * Does it.
   *
   * @param javaHome the JDK that runs the program
   * @param out gets a line for each measurement of the heap
   * @throws io.github.kueue4j.e2e.cluster.ClusterUnavailable if the core doesn't start
   * @throws SoakException if it ends, the machine doesn't keep up with the load, or a Workload
   *     doesn't finish
   * @throws InterruptedException if the thread is interrupted
   */
  public SoakReport run(Program program, Path javaHome, PrintStream out)
      throws InterruptedException {
    int webhookPort = LocalProcess.freePort();
    int metricsPort = LocalProcess.freePort();
    String configuration = configuration(webhookPort, metricsPort);
    try (TimeSource time = TimeSource.system();
        TemporaryFolder folder = TemporaryFolder.create("soak");
        EmbeddedCluster cluster = EmbeddedCluster.start(0, time, objects(configuration));
        CloseableMemory limit = new CloseableMemory(memory);
        CoreProcess core =
            CoreProcess.start(
                arguments ->
                    limit.within(program.command(folder.path(), limit.javaOptions(), arguments)),
                cluster.kubeconfig(),
                configuration,
                folder.path())) {
      cluster.routeService("kueue-system", "kueue-webhook-service", webhookPort);
      core.awaitRunning(START);
      URI metrics = URI.create("http://127.0.0.1:" + metricsPort + "/metrics");
      try (CoreProbe probe = new CoreProbe(core, metrics, javaHome);
          SoakLoad load = SoakLoad.start(cluster.kubeconfig(), perSecond, time)) {
        out.printf(
            Locale.ROOT,
            "%s; the heap may take %,.0f MiB%n%n%s",
            limit,
            Measure.mebibytes(probe.heapLimit()),
            SoakReport.HEADER);
        return watch(probe, load, out);
      }
    }
  }

  private SoakReport watch(CoreProbe probe, SoakLoad load, PrintStream out)
      throws InterruptedException {
    long begin = System.nanoTime();
    List<SoakSample> samples = new ArrayList<>();
    @Nullable ClassHistogram early = null;
    for (int i = 1; i <= SAMPLES; i++) {
      long next = begin + length.toNanos() / SAMPLES * i;
      TimeUnit.NANOSECONDS.sleep(Math.max(0, next - System.nanoTime()));
      boolean withHeap = i % SAMPLES_PER_COLLECTION == 0;
      double minute = (System.nanoTime() - begin) / (double) Duration.ofMinutes(1).toNanos();
      SoakSample sample = probe.sample(minute, withHeap);
      samples.add(sample);
      SoakCounts counts = load.counts();
      if (withHeap) {
        out.print(SoakReport.line(sample, counts));
        out.flush();
      }
      if (i == SAMPLES / 3) {
        early = probe.liveObjects();
      }
    }
    load.drain(END);
    SoakReport report = new SoakReport(samples, load.counts());
    if (report.grows() && early != null) {
      out.print(probe.liveObjects().growthSince(early, CLASSES));
    }
    return report;
  }

  /** A lease that outlasts minutes in which the machine is busy with other work. */
  private static String configuration(int webhookPort, int metricsPort) {
    return """
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    leaderElection: {leaderElect: true, leaseDuration: 5m, renewDeadline: 4m}
    health: {healthProbeBindAddress: "0"}
    metrics: {bindAddress: "127.0.0.1:%d"}
    kueue4j: {insecureMetrics: true}
    webhook: {host: 127.0.0.1, port: %d}
    integrations: {frameworks: [batch/job]}
    """
        .formatted(metricsPort, webhookPort);
  }

  private static List<String> objects(String configuration) {
    List<String> yamls = new ArrayList<>(CoreObjects.of(Configuration.parse(configuration)));
    yamls.addAll(Crds.external());
    return yamls;
  }

  /** The limit of the core's memory: by a control group, or else by what Java computes from it. */
  private static final class CloseableMemory implements AutoCloseable {
    private final long bytes;
    private final Optional<MemoryGroup> group;

    CloseableMemory(long bytes) {
      this.bytes = bytes;
      this.group = MemoryGroup.create("kueue4j-soak-" + ProcessHandle.current().pid(), bytes);
    }

    List<String> within(List<String> command) {
      return group.map(each -> each.within(command)).orElse(command);
    }

    List<String> javaOptions() {
      return group.isPresent() ? List.of() : List.of("-XX:MaxRAM=" + bytes);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "The core may take %,.0f MiB, %s",
          Measure.mebibytes(bytes),
          group
              .map(each -> "by the control group " + each.folder())
              .orElse("which only Java keeps to: this machine permits no control group"));
    }

    @Override
    public void close() {
      group.ifPresent(MemoryGroup::close);
    }
  }
}
