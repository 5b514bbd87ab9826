// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import io.github.kueue4j.e2e.bench.CoreProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at the core's process from outside: at its files in /proc, its metrics, and by jcmd. */
final class CoreProbe implements AutoCloseable {
  private static final Pattern HEAP_LIMIT = Pattern.compile("-XX:MaxHeapSize=(\\d+)");
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final CoreProcess core;
  private final URI metrics;
  private final Path jcmd;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  /**
   * A probe.
   *
   * @param metrics where the core serves them, in plain HTTP
   * @param javaHome a JDK: with jcmd
   */
  CoreProbe(CoreProcess core, URI metrics, Path javaHome) {
    this.core = core;
    this.metrics = metrics;
    this.jcmd = javaHome.resolve("bin/jcmd");
  }

  /**
   * Measures.
   *
   * @param withHeap has the core collect its garbage and count what is left; last, so that the
   *     resident memory is that of the core as it was
   */
  SoakSample sample(double minute, boolean withHeap) throws InterruptedException {
    long resident = core.residentMemory().orElseThrow(this::gone);
    int threads = (int) core.threads().orElseThrow(this::gone);
    int files = core.openFiles().orElseThrow(this::gone);
    return new SoakSample(
        minute,
        resident,
        withHeap ? liveObjects().bytes() : null,
        threads,
        files,
        series(),
        core.cpuTime().toNanos() / 1e9);
  }

  private SoakException gone() {
    return new SoakException(
        core.alive()
            ? "this system doesn't tell what a process takes: it has no /proc"
            : "the core has ended; its last lines: " + core.lastLines());
  }

  /** The objects that are left after a collection. */
  ClassHistogram liveObjects() throws InterruptedException {
    return ClassHistogram.parse(jcmd("GC.class_histogram"));
  }

  /** How much heap the core may take, in bytes. */
  long heapLimit() throws InterruptedException {
    Matcher limit = HEAP_LIMIT.matcher(jcmd("VM.flags"));
    if (!limit.find()) {
      throw new SoakException("jcmd doesn't tell the core's limit of the heap");
    }
    return Long.parseLong(limit.group(1));
  }

  private String jcmd(String command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(jcmd.toString(), Long.toString(core.pid()), command)
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new SoakException(jcmd + " can't ask the core: " + said.strip());
      }
      return said;
    } catch (IOException e) {
      throw new SoakException(
          "a JDK is needed, with jcmd: can't start " + jcmd + ": " + e.getMessage(), e);
    }
  }

  private int series() throws InterruptedException {
    try {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(metrics).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      return (int)
          answer.body().lines().filter(line -> !line.isEmpty() && !line.startsWith("#")).count();
    } catch (IOException e) {
      throw new SoakException("the core's metrics don't answer: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
