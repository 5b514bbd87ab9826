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
package io.github.kueue4j.e2e.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/**
 * The core in a process of its own, so that what it costs can be told apart from the load generator
 * and the embedded API server.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class CoreProcess implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(15);
  private static final String PEAK = "VmHWM:";

  private final Process process;
  private final Path log;
  private final Thread endWithUs;

  private CoreProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.endWithUs = new Thread(process::destroyForcibly, "end-core");
    Runtime.getRuntime().addShutdownHook(endWithUs);
  }

  /**
   * Starts it with this program's Java and class path.
   *
   * @param mainClass the launcher's entry point
   * @param configuration a Configuration, as text
   * @param folder for its configuration and its log
   * @param javaOptions such as {@code -Xmx512m}
   */
  public static CoreProcess start(
      String mainClass,
      Path kubeconfig,
      String configuration,
      Path folder,
      List<String> javaOptions) {
    Path log = folder.resolve("core.log");
    try {
      Path config = Files.writeString(folder.resolve("core.yaml"), configuration);
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(javaOptions);
      command.addAll(
          List.of(
              "-cp",
              System.getProperty("java.class.path"),
              mainClass,
              "core",
              "--kubeconfig",
              kubeconfig.toString(),
              "--config",
              config.toString()));
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      process.getOutputStream().close();
      return new CoreProcess(process, log);
    } catch (IOException e) {
      throw new UncheckedIOException("can't start the core: " + e.getMessage(), e);
    }
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** The last lines that it printed. */
  public String lastLines() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
    } catch (IOException e) {
      return "(" + log + " can't be read: " + e.getMessage() + ")";
    }
  }

  /** CPU time so far, its start included; zero if the system doesn't tell. */
  public Duration cpuTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** The most memory that it had at once, in bytes; empty where the system doesn't tell. */
  public OptionalLong peakMemory() {
    try {
      return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
          .filter(line -> line.startsWith(PEAK))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst();
    } catch (IOException notLinux) {
      return OptionalLong.empty();
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      Runtime.getRuntime().removeShutdownHook(endWithUs);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IllegalStateException shuttingDown) {
      // The hook runs anyway and finds the process ended.
      process.destroyForcibly();
    }
  }
}
