// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.startup;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.RunningCheck;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.assembly.CoreObjects;
import io.github.kueue4j.e2e.bench.Load;
import io.github.kueue4j.e2e.bench.LoadFile;
import io.github.kueue4j.e2e.bench.LoadRun;
import io.github.kueue4j.e2e.bench.Outcome;
import io.github.kueue4j.e2e.cluster.ClusterUnavailable;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import io.github.kueue4j.e2e.cluster.LocalProcess;
import io.github.kueue4j.e2e.cluster.TemporaryFolder;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.runtime.client.ClusterConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A training run for Java's ahead-of-time cache (JEP 514): the core of a packaged program works off
 * a load on an embedded API server, as the chart runs it, with webhooks and a lease; at its end
 * Java writes down which classes it has loaded and linked. A Java older than 25 writes an archive
 * of classes instead (JEP 350).
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class AotTraining {
  /** The first that makes the cache in one step. */
  private static final int AOT_CACHE_SINCE = 25;

  /**
   * The part of the baseline's 15,000 Workloads: enough for the compilers to see what is used
   * often.
   */
  private static final double SCALE = 0.1;

  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration LOAD_TIMEOUT = Duration.ofMinutes(10);

  /** A second Java puts the cache together at the end. */
  private static final Duration END = Duration.ofMinutes(5);

  private final PackagedProgram program;
  private final Path javaHome;
  private final Load load;
  private final TimeSource time;

  private AotTraining(PackagedProgram program, Path javaHome, Load load, TimeSource time) {
    this.program = program;
    this.javaHome = javaHome;
    this.load = load;
    this.time = time;
  }

  /** A tenth of the benchmark's baseline. */
  public static AotTraining of(PackagedProgram program, Path javaHome, TimeSource time) {
    return new AotTraining(program, javaHome, LoadFile.baseline().scaled(SCALE), time);
  }

  /** The same with another load. */
  AotTraining with(Load other) {
    return new AotTraining(program, javaHome, other, time);
  }

  /**
   * Runs it.
   *
   * @param cache the file to write; one that is there is replaced
   * @throws ClusterUnavailable if the core doesn't start
   * @throws PackagedProgramException if the load doesn't come to its end, or Java writes no cache
   * @throws InterruptedException if the thread is interrupted
   */
  public void writeTo(Path cache) throws InterruptedException {
    int webhookPort = LocalProcess.freePort();
    String configuration = configuration(webhookPort);
    try (TemporaryFolder folder = TemporaryFolder.create("training");
        EmbeddedCluster cluster =
            EmbeddedCluster.start(0, time, CoreObjects.of(Configuration.parse(configuration)))) {
      Path config = Files.writeString(folder.path().resolve("core.yaml"), configuration);
      Path made = folder.path().resolve("kueue4j.aot");
      List<String> command =
          program.command(
              javaHome,
              cacheOptions(javaHome, made),
              List.of("core", "--kubeconfig=" + cluster.kubeconfig(), "--config=" + config));
      cluster.routeService("kueue-system", "kueue-webhook-service", webhookPort);
      try (LocalProcess core = LocalProcess.start("core", folder.path(), command)) {
        core.awaitReady(START, () -> core.hasPrinted("the core is running on"));
        work(cluster);
        core.end(END);
        if (!Files.exists(made)) {
          throw new PackagedProgramException(
              "Java has written no cache; the last lines of the core: " + core.tail());
        }
      }
      Files.move(made, cache, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new PackagedProgramException(
          "can't write the cache " + cache + ": " + e.getMessage(), e);
    }
  }

  private void work(EmbeddedCluster cluster) throws InterruptedException {
    try (ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("training");
        RunningCheck check =
            RunningCheck.start(CheckName.GPU, Target.of(cluster.kubeconfig()), time)) {
      Manifests.parse(jobs()).createIn(connection.api());
      Outcome outcome = new LoadRun(connection, load, time).run(LOAD_TIMEOUT, (made, done) -> {});
      if (!outcome.complete()) {
        throw new PackagedProgramException(
            "only %,d of %,d workloads of the training on %s have finished"
                .formatted(outcome.finished(), outcome.workloads(), check.server()));
      }
    }
  }

  private static String configuration(int webhookPort) {
    return """
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    leaderElection: {leaderElect: true}
    health: {healthProbeBindAddress: "0"}
    metrics: {bindAddress: "0"}
    webhook: {host: 127.0.0.1, port: %d}
    """
        .formatted(webhookPort);
  }

  private static String jobs() {
    try (InputStream in =
        Objects.requireNonNull(AotTraining.class.getResourceAsStream("jobs.yaml"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read the resource jobs.yaml", e);
    }
  }

  /** The options by which this Java writes what {@link #writeTo} does. */
  static List<String> cacheOptions(Path javaHome, Path cache)
      throws IOException, InterruptedException {
    Process java =
        new ProcessBuilder(javaHome.resolve("bin/java").toString(), "--version")
            .redirectErrorStream(true)
            .start();
    java.getOutputStream().close();
    String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    // "openjdk 25.0.3 2026-04-21 LTS"
    String[] words = said.split("[ .\\n]", 3);
    if (java.waitFor() != 0 || words.length < 3 || !words[1].matches("\\d+")) {
      throw new PackagedProgramException(
          "the Java in " + javaHome + " doesn't tell its version: " + said.strip());
    }
    if (Integer.parseInt(words[1]) < AOT_CACHE_SINCE) {
      return List.of("-XX:ArchiveClassesAtExit=" + cache);
    }
    // Without the profiles of JEP 515: the first compiler, the only one that the programs use,
    // takes
    // none, and they are 3 MB of memory. An option that a newer Java may not know.
    return List.of(
        "-XX:AOTCacheOutput=" + cache,
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:-AOTRecordTraining");
  }
}
