// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import io.github.kueue4j.e2e.observer.Outage;
import io.github.kueue4j.e2e.torture.Storm;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.AtExit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A Java program in a process of its own, with this program's class path. As the kubelet does, it
 * starts the program anew when that ends by itself. Thread-safe.
 */
final class OwnProcess implements Storm.Part {
  private static final int LINES = 40;

  /** How long it may have done nothing before it ended. */
  private static final Duration UNNOTICED = Duration.ofSeconds(10);

  /** How long it may take until its successor works, on a machine that has too much to do. */
  private static final Duration UNTIL_IT_WORKS = Duration.ofSeconds(30);

  private final List<String> command;
  private final Actors readers = Actors.named("own-process");
  private final AtExit endWithUs;

  // All guarded by this object's monitor.
  private final Deque<String> lastLines = new ArrayDeque<>();
  private Process process;
  private boolean closed;
  private int ends;
  private final List<Outage> outages = new ArrayList<>();

  private OwnProcess(List<String> command) {
    this.command = List.copyOf(command);
    this.process = launch();
    this.endWithUs = AtExit.run("end-own-process", this::end);
  }

  /** Starts a program. */
  static OwnProcess start(String mainClass, String... arguments) {
    return new OwnProcess(java(mainClass, arguments));
  }

  /** Starts a program with these options of the JVM. */
  static OwnProcess startWith(List<String> options, String mainClass, String... arguments) {
    return new OwnProcess(java(options, mainClass, arguments));
  }

  /** Starts a program that can't write a byte to any file, as on a full disk. */
  static OwnProcess startOnFullDisk(String mainClass, String... arguments) {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -f 0; exec \"$@\"", "sh"));
    command.addAll(java(mainClass, arguments));
    return new OwnProcess(command);
  }

  private static List<String> java(String mainClass, String... arguments) {
    return java(
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"), mainClass, arguments);
  }

  private static List<String> java(List<String> options, String mainClass, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            // Tests hold connections open on which they ask nothing.
            "-Dsun.net.httpserver.idleInterval=600",
            "-cp",
            System.getProperty("java.class.path"),
            mainClass));
    command.addAll(List.of(arguments));
    return command;
  }

  private synchronized Process launch() {
    try {
      Process launched = new ProcessBuilder(command).redirectErrorStream(true).start();
      // Its output goes here rather than to a file: on a full disk it would stop at the first line.
      readers.start(() -> watch(launched));
      return launched;
    } catch (IOException e) {
      throw new UncheckedIOException("can't start " + command.getFirst(), e);
    }
  }

  private void watch(Process launched) throws InterruptedException {
    read(launched);
    launched.waitFor();
    ended(launched);
  }

  private void read(Process from) {
    try (BufferedReader lines = from.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        keep(line);
      }
    } catch (IOException gone) {
      keep("(its output ended: " + gone.getMessage() + ")");
    }
  }

  private synchronized void keep(String line) {
    lastLines.addLast(line);
    if (lastLines.size() > LINES) {
      lastLines.removeFirst();
    }
  }

  private synchronized void ended(Process old) {
    ends++;
    notifyAll();
    keep("(it ended with status " + old.exitValue() + ")");
    if (!closed) {
      Instant now = Instant.now();
      outages.add(new Outage(now.minus(UNNOTICED), now.plus(UNTIL_IT_WORKS)));
      process = launch();
    }
  }

  @Override
  public synchronized List<Outage> outages() {
    return List.copyOf(outages);
  }

  /** How many times it has ended, by itself or not. */
  synchronized int ends() {
    return ends;
  }

  /** Whether it ends once more than this within the time. */
  synchronized boolean endsWithin(Duration time, int before) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (ends <= before) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  synchronized long pid() {
    return process.pid();
  }

  /** What it printed last, for messages. */
  synchronized String lastLines() {
    return lastLines.stream().collect(Collectors.joining("\n"));
  }

  /** Sends a signal, such as {@code STOP}. */
  void signal(String name) throws InterruptedException {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("kill -" + name + " ended with " + kill.exitValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With SIGKILL; it isn't started anew then. */
  @Override
  public void kill() {
    end();
    readers.close();
    endWithUs.close();
  }

  private void end() {
    Process ending;
    synchronized (this) {
      closed = true;
      ending = process;
    }
    ending.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
