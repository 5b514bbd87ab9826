// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.Converters;
import io.github.kueue4j.cli.ExitStatus;
import io.github.kueue4j.cli.Logging;
import io.github.kueue4j.cli.UserError;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.bench.BenchReport;
import io.github.kueue4j.e2e.bench.CoreProcess;
import io.github.kueue4j.e2e.bench.WaitingKind;
import io.github.kueue4j.e2e.bench.WaitingObjects;
import io.github.kueue4j.e2e.cluster.ClusterUnavailable;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import io.github.kueue4j.e2e.cluster.TemporaryFolder;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code ./kueue4j bench-start}: what the start of a core costs, and then its being there. */
@Command(
    name = "bench-start",
    description =
        "Starts a core on an embedded API server on which Jobs or Workloads wait for a queue with"
            + " room for one, or more, and prints how long it takes until the first is admitted and"
            + " all for which there is room, CPU time and memory of the core's process then and"
            + " while nothing happens, and what it has written.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, "1:no workload was admitted in time", ExitStatus.USER_ERROR})
final class BenchStartCommand implements Callable<Integer> {
  private static final Duration SYNC_TIMEOUT = Duration.ofMinutes(1);

  /** The core has settled if it uses less than a fiftieth of a CPU for this long. */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  private static final int SETTLED = 50;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "how many Jobs wait that have no workload yet (default: 100)")
  private int jobs = 100;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      converter = KindOfJobs.class,
      description = "of which kind these Jobs are: Job, JobSet, RayJob or Pod (default: Job)")
  private WaitingKind kind = WaitingKind.JOB;

  @Option(
      names = "--room",
      paramLabel = "N",
      description = "how many the queue has room for (default: 1)")
  private int room = 1;

  @Option(
      names = "--workloads",
      paramLabel = "N",
      description = "how many workloads without Jobs wait (default: 0)")
  private int workloads;

  @Option(
      names = "--idle",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description = "how long it is watched once it has settled (default: 30s)")
  private Duration idle = Duration.ofSeconds(30);

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description = "how long the first admission, and settling, may take (default: 5m)")
  private Duration timeout = Duration.ofMinutes(5);

  @Mixin private MeasuredCore measured = new MeasuredCore();

  @Override
  public Integer call() throws InterruptedException {
    Logging.quiet();
    if (jobs < 0 || workloads < 0 || jobs + workloads == 0) {
      throw new UserError("--jobs and --workloads must not be negative, and not both 0");
    }
    if (room < 1) {
      throw new UserError("--room must be at least 1, but is " + room);
    }
    measured.check();
    try (TimeSource time = TimeSource.system();
        TemporaryFolder folder = TemporaryFolder.create("bench-start");
        EmbeddedCluster cluster = EmbeddedCluster.start(0, time, initialObjects());
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("bench");
        Informers informers = Informers.on(connection)) {
      WaitingObjects.create(connection.api(), room, kind, jobs, workloads);
      CountDownLatch first = new CountDownLatch(1);
      CountDownLatch all = new CountDownLatch(Math.min(room, jobs + workloads));
      Set<String> admitted = ConcurrentHashMap.newKeySet();
      Informer<Workload> seen =
          informers.of(KueueTypes.WORKLOAD).inNamespace(WaitingObjects.NAMESPACE).register();
      seen.onChange(
          change -> {
            Workload workload = change.object();
            if (workload.conditions().admitted() && admitted.add(workload.key().name())) {
              first.countDown();
              all.countDown();
            }
          });
      informers.start();
      informers.awaitSynced(SYNC_TIMEOUT);
      long start = System.nanoTime();
      try (CoreProcess core =
          measured.start(
              cluster.kubeconfig(),
              folder.path(),
              "integrations: {frameworks: [" + kind.framework() + "]}\n")) {
        if (!first.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
          System.err.println("nothing was admitted; the core's last lines: " + core.lastLines());
          return 1;
        }
        say("first admission", Duration.ofNanos(System.nanoTime() - start), core);
        if (!all.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
          System.err.printf(
              "only %,d were admitted; the core's last lines: %s%n",
              admitted.size(), core.lastLines());
          return 1;
        }
        if (room > 1) {
          Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
          say("all admissions", elapsed, core);
          System.out.printf(
              Locale.ROOT,
              "%,d admitted, %.0f a second%n",
              admitted.size(),
              admitted.size() / (elapsed.toNanos() / 1e9));
        }
        settle(core);
        say("all is done", Duration.ofNanos(System.nanoTime() - start), core);
        Duration before = core.cpuTime();
        TimeUnit.NANOSECONDS.sleep(idle.toNanos());
        double used = core.cpuTime().minus(before).toNanos() / (double) idle.toNanos();
        say("idle", Duration.ofNanos(System.nanoTime() - start), core);
        System.out.printf(Locale.ROOT, "idle, it takes %.2f %% of a CPU%n", used * 100);
        System.out.print(BenchReport.requests(cluster.requests(), jobs + workloads));
      }
    } catch (ClusterUnavailable e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
    return 0;
  }

  private List<String> initialObjects() {
    List<String> all = new ArrayList<>(BenchCommand.initialObjects());
    all.addAll(kind.definitions());
    return all;
  }

  private void settle(CoreProcess core) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    Duration used;
    do {
      Duration before = core.cpuTime();
      TimeUnit.NANOSECONDS.sleep(PERIOD.toNanos());
      used = core.cpuTime().minus(before);
    } while (used.multipliedBy(SETTLED).compareTo(PERIOD) > 0 && System.nanoTime() < deadline);
  }

  private static void say(String when, Duration elapsed, CoreProcess core) {
    System.out.printf(
        Locale.ROOT,
        "%-16s after %6.2f s: %6.2f CPU seconds, %4d MB resident, at most %4d MB%n",
        when,
        elapsed.toNanos() / 1e9,
        core.cpuTime().toNanos() / 1e9,
        core.residentMemory().orElse(0) / 1_000_000,
        core.peakMemory().orElse(0) / 1_000_000);
  }

  private static final class KindOfJobs implements ITypeConverter<WaitingKind> {
    @Override
    public WaitingKind convert(String value) {
      return WaitingKind.of(value)
          .orElseThrow(
              () ->
                  new TypeConversionException("'" + value + "' is none of " + WaitingKind.names()));
    }
  }
}
