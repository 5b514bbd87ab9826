// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.benchmark;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Drains a backlog of 10,000 pending workloads with a check that does nothing, answers 200 arrivals
 * a second, lets the controller idle, and arms 100,000 timers; the server is a process of its own.
 * Prints what it saw. Arguments: backlog, arrivals a second, seconds of arrivals, idle seconds.
 */
public final class SdkBenchmark {
  private static final String NAMESPACE = "default";
  private static final int WRITERS = 16;
  private static final Duration LONGEST = Duration.ofHours(1);

  private final ClusterConnection driver;
  private final Map<String, Long> pendingSince = new ConcurrentHashMap<>();
  private final Map<String, Long> answeredAfter = new ConcurrentHashMap<>();
  private final Semaphore answers = new Semaphore(0);

  private SdkBenchmark(ClusterConnection driver) {
    this.driver = driver;
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 1 && arguments[0].equals("server")) {
      serve();
      return;
    }
    int backlog = argument(arguments, 0, 10_000);
    int perSecond = argument(arguments, 1, 200);
    int seconds = argument(arguments, 2, 30);
    int idle = argument(arguments, 3, 30);
    Process server =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                SdkBenchmark.class.getName(),
                "server")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
      URI uri = URI.create(output.readLine());
      try (ClusterConnection driver = ClusterConnection.builder("driver").url(uri).connect()) {
        new SdkBenchmark(driver).run(uri, backlog, perSecond, seconds, idle);
        timers(driver, 100_000);
      }
    } finally {
      server.destroy();
    }
  }

  private static int argument(String[] arguments, int index, int fallback) {
    return arguments.length > index ? Integer.parseInt(arguments[index]) : fallback;
  }

  /** Until the process is ended. */
  private static void serve() throws InterruptedException {
    try (EmbeddedApiServer server =
        EmbeddedApiServer.builder().objects(Crds.kueue()).historyWindow(100_000).start()) {
      server.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: AdmissionCheck
          metadata: {name: no-op}
          spec: {controllerName: example.com/no-op}
          """);
      System.out.println(server.uri());
      new CountDownLatch(1).await();
    }
  }

  private void run(URI uri, int backlog, int perSecond, int seconds, int idle) throws Exception {
    try (Informers informers = Informers.on(driver);
        TimeSource time = TimeSource.system()) {
      Informer<Workload> workloads = informers.of(KueueTypes.WORKLOAD).register();
      workloads.onChange(change -> seen(change.object()));
      try (ControllerHost observer =
          ControllerHost.builder(driver, time).informers(informers).build()) {
        observer.start();
        long start = System.nanoTime();
        inParallel(backlog, i -> create("backlog-" + i));
        inParallel(backlog, i -> reserve("backlog-" + i));
        print("%d workloads created and reserved in %d ms", backlog, millisSince(start));
        drain(uri, "cold", backlog);
        drained(uri, backlog, perSecond, seconds, idle);
      }
    }
  }

  /** From a standing start, caches to be filled included. */
  private void drain(URI uri, String what, int backlog) throws Exception {
    try (ClusterConnection cluster = ClusterConnection.builder("no-op").url(uri).connect();
        CheckController controller = noOp(cluster)) {
      long start = System.nanoTime();
      controller.start();
      long filled = millisSince(start);
      answers.acquire(backlog);
      long millis = millisSince(start);
      print(
          "drain, %s: %d verdicts in %d ms (%d ms of them to fill the caches): %d/s",
          what, backlog, millis, filled, backlog * 1000L / millis);
    }
  }

  private void drained(URI uri, int backlog, int perSecond, int seconds, int idle)
      throws Exception {
    inParallel(backlog, i -> reserve("backlog-" + i));
    try (ClusterConnection cluster = ClusterConnection.builder("no-op").url(uri).connect();
        CheckController controller = noOp(cluster)) {
      Duration cpuBefore = cpuTime();
      long start = System.nanoTime();
      controller.start();
      answers.acquire(backlog);
      long millis = millisSince(start);
      print(
          "drain, warm: %d verdicts in %d ms: %d/s; %d us of processor time each (controller and"
              + " driver together)",
          backlog,
          millis,
          backlog * 1000L / millis,
          cpuTime().minus(cpuBefore).toNanos() / 1000 / backlog);
      arrivals("warm-up", perSecond, 5);
      arrivals("measured", perSecond, seconds);
      awaitQuiet(uri);
      Map<String, Long> before = requests(uri);
      LockSupport.parkNanos(Duration.ofSeconds(idle).toNanos());
      Map<String, Long> after = requests(uri);
      after.replaceAll((request, count) -> count - before.getOrDefault(request, 0L));
      after.values().removeIf(count -> count == 0);
      print("requests in %d idle seconds with %d workloads watched: %s", idle, backlog, after);
    }
  }

  /** Until the events of the last verdicts are written. */
  private static void awaitQuiet(URI uri) throws Exception {
    long before = -1;
    for (int i = 0; i < 60; i++) {
      long events = requests(uri).getOrDefault("POST events", 0L);
      if (events == before) {
        return;
      }
      before = events;
      LockSupport.parkNanos(Duration.ofSeconds(5).toNanos());
    }
  }

  private static CheckController noOp(ClusterConnection cluster) {
    return CheckController.builder(
            "example.com/no-op",
            CheckEnvironment.of(cluster)
                .withHosting(host -> host.leaderElection(LeaderElection.named(NAMESPACE, "no-op"))))
        .check(evaluation -> Verdict.ready("fine"))
        .build();
  }

  /** Open loop: an arrival doesn't wait for the answer to an earlier one. */
  private void arrivals(String what, int perSecond, int seconds) throws Exception {
    int count = perSecond * seconds;
    inParallel(count, i -> create(what + "-" + i));
    answeredAfter.clear();
    long start = System.nanoTime();
    try (Actors users = Actors.named("user")) {
      for (int i = 0; i < count; i++) {
        long due = start + i * 1_000_000_000L / perSecond;
        LockSupport.parkNanos(due - System.nanoTime());
        String name = what + "-" + i;
        users.start(() -> reserve(name));
      }
      answers.acquire(count);
    }
    long[] latencies =
        answeredAfter.values().stream().mapToLong(Long::longValue).sorted().toArray();
    print(
        "arrivals at %d/s, %s: %d answered; from Pending visible to verdict visible: p50 %.1f ms, p99"
            + " %.1f ms, longest %.1f ms",
        perSecond,
        what,
        latencies.length,
        latencies[latencies.length / 2] / 1e6,
        latencies[latencies.length * 99 / 100] / 1e6,
        latencies[latencies.length - 1] / 1e6);
  }

  private void seen(Workload workload) {
    long now = System.nanoTime();
    String name = workload.key().name();
    workload
        .status()
        .admissionCheck("no-op")
        .ifPresent(
            entry -> {
              if (entry.is(CheckState.PENDING)) {
                pendingSince.putIfAbsent(name, now);
                return;
              }
              @Nullable Long since = pendingSince.remove(name);
              if (since != null) {
                answeredAfter.put(name, now - since);
                answers.release();
              }
            });
  }

  private void create(String name) {
    driver
        .api()
        .create(
            KueueTypes.WORKLOAD,
            KueueJson.fromTree(
                JsonParser.parseString(
                    """
                    {"metadata": {"namespace": "%s", "name": "%s"}, "spec": {"queueName": "lq",
                     "podSets": [{"name": "main", "count": 1, "template": {"spec": {
                       "restartPolicy": "Never", "containers": [{"name": "c",
                       "image": "example.com/c", "resources": {"requests": {"cpu": "1"}}}]}}}]}}
                    """
                        .formatted(NAMESPACE, name)),
                Workload.class));
  }

  private void reserve(String name) {
    String now = "2026-01-01T00:00:00Z";
    driver
        .api()
        .patchStatus(
            KueueTypes.WORKLOAD,
            new ObjectKey(NAMESPACE, name),
            new MergePatch(
                JsonParser.parseString(
                        """
                        {"status": {"admission": {"clusterQueue": "cq", "podSetAssignments": [
                           {"name": "main", "count": 1, "flavors": {"cpu": "any"},
                            "resourceUsage": {"cpu": "1"}}]},
                         "conditions": [{"type": "QuotaReserved", "status": "True",
                           "reason": "QuotaReserved", "message": "", "lastTransitionTime": "%1$s"}],
                         "admissionChecks": [{"name": "no-op", "state": "Pending", "message": "",
                           "lastTransitionTime": "%1$s"}]}}
                        """
                            .formatted(now))
                    .getAsJsonObject()));
  }

  /** Requests that the server has answered, by verb and resource. */
  private static Map<String, Long> requests(URI uri) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      String metrics =
          client
              .send(
                  HttpRequest.newBuilder(uri.resolve("/metrics")).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      Map<String, Long> counts = new TreeMap<>();
      for (String line : metrics.lines().toList()) {
        if (line.startsWith("apiserver_request_total{")) {
          String request =
              label(line, "verb") + " " + label(line, "resource") + label(line, "subresource");
          counts.merge(
              request, (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))), Long::sum);
        }
      }
      return counts;
    }
  }

  private static String label(String line, String name) {
    var matcher = Pattern.compile("[{,]" + name + "=\"([^\"]*)\"").matcher(line);
    return matcher.find() ? matcher.group(1) : "";
  }

  /** On a queue of a controller, in virtual time. */
  private static void timers(ClusterConnection connection, int count) throws Exception {
    List<ObjectKey> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(new ObjectKey(NAMESPACE, "timer-" + i));
    }
    AtomicInteger fired = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(count);
    try (ManualTime time = ManualTime.create()) {
      Controller controller =
          Controller.builder(
                  "timers",
                  key -> {
                    fired.incrementAndGet();
                    all.countDown();
                    return Requeue.never();
                  })
              .workers(4)
              .build();
      try (ControllerHost host =
          ControllerHost.builder(connection, time).controller(controller).build()) {
        host.start();
        long before = usedAfterCollection();
        for (int i = 0; i < count; i++) {
          controller.queue().addAfter(keys.get(i), Duration.ofMillis(3_600_000L + i));
        }
        long bytes = (usedAfterCollection() - before) / count;
        long start = System.nanoTime();
        time.advance(Duration.ofMinutes(59));
        int early = fired.get();
        time.advance(Duration.ofHours(1));
        boolean complete = all.await(60, TimeUnit.SECONDS);
        print(
            "%d timers: %d bytes each; %d fired early, %d lost; all handled %d ms after they were due",
            count, bytes, early, complete ? 0 : all.getCount(), millisSince(start));
      }
    }
  }

  /** Says more than the rate on a machine that does other work too. */
  private static Duration cpuTime() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private static long usedAfterCollection() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 5; i++) {
      System.gc();
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private interface Action {
    void on(int index);
  }

  private static void inParallel(int count, Action action) {
    AtomicInteger next = new AtomicInteger();
    try (Actors writers = Actors.named("writer")) {
      List<Act<Boolean>> all = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        all.add(
            writers.start(
                () -> {
                  for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    action.on(i);
                  }
                }));
      }
      all.forEach(one -> one.get(LONGEST));
    }
  }

  private static long millisSince(long nanos) {
    return Math.max(1, Duration.ofNanos(System.nanoTime() - nanos).toMillis());
  }

  private static void print(String format, Object... arguments) {
    System.out.printf(format + "%n", arguments);
  }
}
