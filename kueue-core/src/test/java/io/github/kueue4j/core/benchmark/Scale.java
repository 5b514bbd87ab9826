// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import io.github.kueue4j.api.ObjectKey;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Prints what large clusters cost: their start, their memory, and how soon quota that becomes free
 * is used again. Arguments: how many Workloads wait, with commas between; a folder for charts, if
 * there is to be any.
 */
public final class Scale {
  private static final String ACROSS = "waiting Workloads";

  private Scale() {}

  public static void main(String[] arguments) throws InterruptedException, IOException {
    List<Integer> counts = Stream.of(arguments[0].split(",")).map(Integer::valueOf).toList();
    // What is measured first would be slower than the rest.
    measure(new ScaleSize(1_000, 20), ScaleVariant.FAIR_SHARING);
    List<ScaleResult> results = new ArrayList<>();
    System.out.println(ScaleResult.HEAD);
    for (ScaleVariant variant : ScaleVariant.values()) {
      for (int count : counts) {
        ScaleResult result = measure(new ScaleSize(count, 20), variant);
        System.out.println(result.row());
        results.add(result);
      }
    }
    if (arguments.length > 1) {
      draw(results, Path.of(arguments[1]));
    }
  }

  private static ScaleResult measure(ScaleSize size, ScaleVariant variant)
      throws InterruptedException {
    ScaleCluster cluster = new ScaleCluster(size, variant);
    cluster.create();
    long empty = used();
    long start = processorTime();
    cluster.tellQueues();
    long queues = processorTime();
    cluster.tellWorkloads();
    long workloads = processorTime();
    long filled = used();
    Deque<ObjectKey> awake = new ArrayDeque<>();
    cluster.whenWoken(awake::add);
    long before = processorTime();
    cluster.schedule();
    long first = processorTime() - before;
    Collection<ObjectKey> running = cluster.settle(awake);
    ScaleLoad load = new ScaleLoad(cluster, running);
    return new ScaleResult(
        variant,
        size,
        (queues - start) / 1e9,
        (workloads - queues) / 1e9,
        first / 1e9,
        filled - empty,
        load.steady(100, 500),
        load.steady(1_000, 3_000),
        load.most(size.waiting() / 100, 5_000));
  }

  private static void draw(List<ScaleResult> results, Path folder) throws IOException {
    Files.createDirectories(folder);
    write(
        folder.resolve("scale-start.svg"),
        new LogLogChart("From nothing to the end of the first turn", ACROSS, "processor seconds"),
        results,
        ScaleResult::start);
    write(
        folder.resolve("scale-heap.svg"),
        new LogLogChart("Heap of the scheduler's state", ACROSS, "MB, beside the informers"),
        results,
        result -> result.heap() / 1e6);
    write(
        folder.resolve("scale-unused.svg"),
        new LogLogChart(
            "Until free quota is used again, at 1,000 admissions a second", ACROSS, "p99, ms"),
        results,
        result -> result.fast().p99().toNanos() / 1e6);
    write(
        folder.resolve("scale-admission.svg"),
        new LogLogChart(
            "One admission, where many cores become free at once", ACROSS, "processor time, ms"),
        results,
        result -> 1_000 / result.most().perSecond());
  }

  private static void write(
      Path file, LogLogChart chart, List<ScaleResult> results, ToDoubleFunction<ScaleResult> value)
      throws IOException {
    for (ScaleVariant variant : ScaleVariant.values()) {
      Map<Integer, Double> line = new TreeMap<>();
      results.stream()
          .filter(result -> result.variant() == variant)
          .forEach(result -> line.put(result.size().waiting(), value.applyAsDouble(result)));
      chart.line(variant.label(), line);
    }
    Files.writeString(file, chart.svg());
  }

  private static long processorTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
