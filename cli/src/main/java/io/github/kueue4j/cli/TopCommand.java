// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.terminal.Frame;
import io.github.kueue4j.cli.terminal.TopPage;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.informer.Informer;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kueue4j top}: queues and the Workloads in backoff, drawn again and again. */
@Command(
    name = "top",
    description =
        "Shows what queues use, and which Workloads are delayed by whom until when, until q or"
            + " Ctrl-C.",
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR, ExitStatus.ENDED_BY_SIGINT})
final class TopCommand implements Callable<Integer> {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  @Mixin private NamespaceOptions namespaces = new NamespaceOptions();

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description = "between two frames (default: 1s); what they show comes by watches")
  private Duration interval = Duration.ofSeconds(1);

  @Option(
      names = "--once",
      description = "print all of one frame and end, as where the output is no terminal")
  private boolean once;

  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    namespaces.check();
    return cluster.use(
        namespaces.needs("top needs to list and watch LocalQueues and Workloads"),
        (connection, out) -> {
          if (once || !Boolean.getBoolean("kueue4j.terminal")) {
            once(connection, out);
          } else {
            try (Interruption interruption = Interruption.listen();
                Terminal terminal = new ControllingTerminal()) {
              boolean styled = System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
              live(connection, out, terminal, styled, interruption);
            }
          }
          return 0;
        });
  }

  private void once(ClusterConnection connection, PrintWriter out) {
    KubernetesApi api = connection.api();
    ListOptions where = namespaces.where(connection);
    Instant now = TimeSource.wallClock().instant();
    boolean listed = ClusterQueueRight.mayList(api);
    TopPage page =
        new TopPage(
            listed,
            listed ? api.list(KueueTypes.CLUSTER_QUEUE, ListOptions.all()).items() : List.of(),
            api.list(KueueTypes.LOCAL_QUEUE, where).items(),
            api.list(KueueTypes.WORKLOAD, where).items(),
            now);
    new Frame(title(connection, now), page.sections()).lines().forEach(out::println);
  }

  /** Draws until q, an interruption, or the end of the terminal. */
  void live(
      ClusterConnection connection,
      PrintWriter out,
      Terminal terminal,
      boolean styled,
      Interruption interruption)
      throws InterruptedException {
    try (WatchedObjects objects = new WatchedObjects(connection)) {
      Supplier<Frame> frames = frames(connection, objects);
      objects.start();
      try (LiveScreen screen = new LiveScreen(out, styled)) {
        terminal.onKey(key -> endOnQ(key, interruption));
        boolean there;
        do {
          Terminal.Size size = terminal.size();
          there = screen.draw(frames.get().fit(size.lines(), size.columns()));
        } while (there && !interruption.await(interval));
      }
    }
  }

  private static void endOnQ(int key, Interruption interruption) {
    if (key == 'q' || key == 'Q') {
      interruption.ask("q was pressed");
    }
  }

  private Supplier<Frame> frames(ClusterConnection connection, WatchedObjects objects) {
    String namespace = namespaces.of(connection);
    boolean listed = ClusterQueueRight.mayList(connection.api());
    Supplier<List<ClusterQueue>> clusterQueues =
        listed ? objects.of(KueueTypes.CLUSTER_QUEUE, "")::list : List::of;
    Informer<LocalQueue> localQueues = objects.of(KueueTypes.LOCAL_QUEUE, namespace);
    Informer<Workload> workloads = objects.of(KueueTypes.WORKLOAD, namespace);
    return () -> {
      Instant now = TimeSource.wallClock().instant();
      return new Frame(
          title(connection, now)
              + objects.problem().map(why -> "; not up to date: " + why).orElse("; q ends"),
          new TopPage(listed, clusterQueues.get(), localQueues.list(), workloads.list(), now)
              .sections());
    };
  }

  private String title(ClusterConnection connection, Instant now) {
    String namespace = namespaces.of(connection);
    return "kueue4j top at "
        + CLOCK.format(now)
        + ", "
        + (namespace.isEmpty() ? "all namespaces" : "namespace " + namespace)
        + " of "
        + connection.server();
  }
}
