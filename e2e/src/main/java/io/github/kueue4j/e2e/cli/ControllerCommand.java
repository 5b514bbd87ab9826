// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.cli.UserError;
import io.github.kueue4j.testkit.conformance.Conformance;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A controller that the conformance kit starts, as a process of its own. */
final class ControllerCommand implements Conformance.Restart, AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final List<String> command;
  private final URI server;
  private final Path kubeconfig;
  private final PrintWriter err;
  private @Nullable Running running;

  /** The last one that was ended on purpose. */
  private volatile @Nullable Process stopped;

  private volatile String ended = "";

  /**
   * One run of it.
   *
   * @param output the thread that passes its output on
   */
  private record Running(Process process, Thread output) {}

  /**
   * A command that finds its cluster by {@code KUBECONFIG}, or by the URL in {@code KUEUE4J_SERVER}
   * if it can't read such a file; what it prints goes to {@code err}.
   */
  ControllerCommand(List<String> command, URI server, Path kubeconfig, PrintWriter err) {
    this.command = List.copyOf(command);
    this.server = server;
    this.kubeconfig = kubeconfig;
    this.err = err;
  }

  Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public void start() {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KUEUE4J_SERVER", server.toString());
    builder.environment().put("KUBECONFIG", kubeconfig.toAbsolutePath().toString());
    try {
      Process started = builder.start();
      running =
          new Running(
              started, Thread.ofVirtual().name("controller-output").start(() -> passOn(started)));
    } catch (IOException e) {
      throw new UserError("can't start the controller: " + e.getMessage(), e);
    }
  }

  /** Its output is no part of the report. */
  private void passOn(Process started) {
    char[] read = new char[8_192];
    try (Reader output = started.inputReader(StandardCharsets.UTF_8)) {
      for (int size = output.read(read); size >= 0; size = output.read(read)) {
        err.write(read, 0, size);
        err.flush();
      }
      awaitEnd(started);
    } catch (IOException gone) {
      // The process was ended; so is its output.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until the process has ended, and tells the user if the kit hasn't ended it: rules that a
   * controller seems to break while it doesn't run are no finding.
   */
  private void awaitEnd(Process started) throws InterruptedException {
    int status = started.waitFor();
    if (!started.equals(stopped)) {
      ended =
          "conformance: your command ended with status "
              + status
              + "; what is found after that says nothing about the rules";
      err.println(ended);
      err.flush();
    }
  }

  /** A line which says that the command has ended by itself; empty if it hasn't. */
  String ended() {
    return ended;
  }

  /**
   * Ends it and its child processes: with SIGTERM, then by force. Its last words are waited for,
   * but not for long: a process that it has left behind may hold its output open.
   */
  @Override
  public void stop() {
    Running last = running;
    running = null;
    if (last == null) {
      return;
    }
    Process ending = last.process();
    if (ending.isAlive()) {
      stopped = ending; // Otherwise Java has noticed its end, which is still to be told.
    }
    List<ProcessHandle> children = ending.descendants().toList();
    ending.destroy();
    children.forEach(ProcessHandle::destroy);
    try {
      if (!ending.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS)) {
        ending.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
      }
      last.output().join(GRACE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ending.destroyForcibly();
    }
  }

  @Override
  public void close() {
    stop();
  }
}
