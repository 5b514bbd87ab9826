// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import io.github.kueue4j.testdefaults.AtExit;
import io.github.kueue4j.testdefaults.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apiguardian.api.API;

/**
 * One server process that this program started and ends by its own handle, never by name. Its
 * output goes to a log file whose tail is quoted when the process fails.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class LocalProcess implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int QUOTED_LINES = 15;

  private final String name;
  private final Process process;
  private final Path log;
  private final AtExit endWithUs;

  private LocalProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.endWithUs = AtExit.run("end-" + name, process::destroyForcibly);
  }

  /**
   * Starts a program with its output in {@code folder/name.log}.
   *
   * @throws ClusterUnavailable if there is no such program
   */
  public static LocalProcess start(String name, Path folder, List<String> command) {
    Path log = folder.resolve(name + ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .directory(folder.toFile())
              .start();
      process.getOutputStream().close();
      return new LocalProcess(name, process, log);
    } catch (IOException e) {
      throw new ClusterUnavailable(
          "cannot start " + name + " (" + command.getFirst() + "): " + e.getMessage(), e);
    }
  }

  /** A port of the loopback interface that stays free for a minute. */
  public static int freePort() {
    try {
      return FreePort.take();
    } catch (IOException e) {
      throw new ClusterUnavailable("no free port on the loopback interface: " + e.getMessage(), e);
    }
  }

  /**
   * Waits until the probe holds.
   *
   * @throws ClusterUnavailable when the process ends or the time is over first; quotes its log
   */
  public void awaitReady(Duration timeout, BooleanSupplier probe) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!probe.getAsBoolean()) {
      if (!process.isAlive()) {
        throw new ClusterUnavailable(
            name + " ended with status " + process.exitValue() + "; its last lines: " + tail());
      }
      if (System.nanoTime() > deadline) {
        throw new ClusterUnavailable(
            name + " was not ready after " + timeout.toSeconds() + " s; its last lines: " + tail());
      }
      pause();
    }
  }

  private void pause() {
    try {
      if (process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
        return; // The caller looks at isAlive.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterUnavailable("interrupted while waiting for " + name, e);
    }
  }

  /** The last lines of its output. */
  public String tail() {
    List<String> lines = output();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - QUOTED_LINES), lines.size()));
  }

  /** Whether a line of all its output so far contains the text. */
  public boolean hasPrinted(String text) {
    return output().stream().anyMatch(line -> line.contains(text));
  }

  private List<String> output() {
    try {
      return Files.readAllLines(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return List.of("(" + log + " can't be read: " + e.getMessage() + ")");
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** The operating system's handle of the process. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  @Override
  public void close() {
    end(GRACE);
  }

  /** Asks it to end, and ends it if it hasn't after the time. */
  public void end(Duration grace) {
    process.destroy();
    try {
      if (!process.waitFor(grace.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    endWithUs.close();
  }
}
