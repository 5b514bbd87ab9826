// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import io.github.kueue4j.e2e.cluster.LocalProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/**
 * The core in a process of its own, so that what it costs can be told apart from the load generator
 * and the embedded API server.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class CoreProcess implements AutoCloseable {
  private static final String PEAK = "VmHWM:";
  private static final String RESIDENT = "VmRSS:";
  private static final String THREADS = "Threads:";

  private static final String RUNNING = "the core is running on";

  private final LocalProcess process;

  private CoreProcess(LocalProcess process) {
    this.process = process;
  }

  /**
   * Starts it.
   *
   * @param command the words that start it with these arguments
   * @param configuration a Configuration, as text
   * @param folder for its configuration and its log
   * @throws io.github.kueue4j.e2e.cluster.ClusterUnavailable if it can't be started
   */
  public static CoreProcess start(
      UnaryOperator<List<String>> command, Path kubeconfig, String configuration, Path folder) {
    Path config = folder.resolve("core.yaml");
    try {
      Files.writeString(config, configuration);
    } catch (IOException e) {
      throw new UncheckedIOException("can't write " + config, e);
    }
    List<String> arguments =
        List.of("core", "--kubeconfig", kubeconfig.toString(), "--config", config.toString());
    return new CoreProcess(LocalProcess.start("core", folder, command.apply(arguments)));
  }

  /** The operating system's id of the process. */
  public long pid() {
    return process.handle().pid();
  }

  /**
   * Waits until it works.
   *
   * @throws io.github.kueue4j.e2e.cluster.ClusterUnavailable if it ends, or takes longer
   */
  public void awaitRunning(Duration timeout) {
    process.awaitReady(timeout, () -> process.hasPrinted(RUNNING));
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** The last lines that it printed. */
  public String lastLines() {
    return process.tail();
  }

  /** CPU time so far, its start included; zero if the system doesn't tell. */
  public Duration cpuTime() {
    return process.handle().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** The most memory that it had at once, in bytes; empty where the system doesn't tell. */
  public OptionalLong peakMemory() {
    return memory(PEAK);
  }

  /** The memory that it has now, in bytes; empty where the system doesn't tell. */
  public OptionalLong residentMemory() {
    return memory(RESIDENT);
  }

  /** Its threads of the operating system; empty where that doesn't tell. */
  public OptionalLong threads() {
    return status(THREADS);
  }

  /** The files and sockets that it has open; empty where the system doesn't tell. */
  public OptionalInt openFiles() {
    String[] names = Path.of("/proc/" + pid() + "/fd").toFile().list();
    return names == null ? OptionalInt.empty() : OptionalInt.of(names.length);
  }

  private OptionalLong memory(String name) {
    OptionalLong kibibytes = status(name);
    return kibibytes.isPresent()
        ? OptionalLong.of(kibibytes.getAsLong() << 10)
        : OptionalLong.empty();
  }

  private OptionalLong status(String name) {
    try {
      return Files.readAllLines(Path.of("/proc/" + pid() + "/status")).stream()
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst();
    } catch (IOException notLinux) {
      return OptionalLong.empty();
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
