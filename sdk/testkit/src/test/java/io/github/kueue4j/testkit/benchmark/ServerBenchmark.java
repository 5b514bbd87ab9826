// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.benchmark;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lists 10,000 Workloads and patches their status while 20 watchers drain, all in one process, and
 * prints what it saw. Arguments: number of Workloads, watchers, writers, seconds of measuring.
 */
public final class ServerBenchmark {
  private static final String WORKLOADS =
      "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";

  private static final Duration LONGEST = Duration.ofHours(1);

  private final EmbeddedApiServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private volatile boolean closing;
  private final AtomicLong watchedBytes = new AtomicLong();

  private ServerBenchmark(EmbeddedApiServer server) {
    this.server = server;
  }

  public static void main(String[] arguments) throws Exception {
    int workloads = argument(arguments, 0, 10_000);
    int watchers = argument(arguments, 1, 20);
    int writers = argument(arguments, 2, 4);
    int seconds = argument(arguments, 3, 10);
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      long start = System.nanoTime();
      server.applyCrds(Crds.kueue());
      print("CRDs applied in %d ms", millisSince(start));
      new ServerBenchmark(server).run(workloads, watchers, writers, seconds);
    }
  }

  private static int argument(String[] arguments, int index, int fallback) {
    return arguments.length > index ? Integer.parseInt(arguments[index]) : fallback;
  }

  private void run(int workloads, int watchers, int writers, int seconds) throws Exception {
    try (Actors clients = Actors.named("client")) {
      long start = System.nanoTime();
      inParallel(clients, writers, writer -> create(writer, writers, workloads));
      long millis = millisSince(start);
      print("%d Workloads created in %d ms (%d/s)", workloads, millis, workloads * 1000L / millis);
      for (int i = 0; i < 5; i++) {
        start = System.nanoTime();
        long bytes = get(WORKLOADS).length;
        print("list: %d ms, %d MB", millisSince(start), bytes >> 20);
      }
      List<InputStream> open = new ArrayList<>();
      for (int i = 0; i < watchers; i++) {
        InputStream stream = watch();
        open.add(stream);
        clients.start(() -> drain(stream));
      }
      print("warm-up");
      measure(clients, writers, workloads, Math.max(2, seconds / 2));
      print("measured");
      measure(clients, writers, workloads, seconds);
      closing = true;
      for (InputStream stream : open) {
        stream.close();
      }
    }
  }

  private void measure(Actors clients, int writers, int workloads, int seconds) throws Exception {
    long bytesBefore = watchedBytes.get();
    Duration cpuBefore = cpuTime();
    long start = System.nanoTime();
    long end = start + Duration.ofSeconds(seconds).toNanos();
    List<long[]> latencies = new ArrayList<>();
    AtomicLong counter = new AtomicLong();
    inParallel(
        clients,
        writers,
        writer -> {
          long[] mine = new long[1_000_000];
          int n = 0;
          for (int i = writer; System.nanoTime() < end && n < mine.length; i += writers) {
            long before = System.nanoTime();
            patch("w-" + i % workloads, counter.incrementAndGet());
            mine[n++] = System.nanoTime() - before;
          }
          synchronized (latencies) {
            latencies.add(Arrays.copyOf(mine, n));
          }
        });
    long millis = millisSince(start);
    long[] all = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    print(
        "%d status patches in %d ms: %d/s; latency p50 %d us, p99 %d us; %d us of processor time each"
            + " (server, writers and watchers together); watchers read %d MB/s",
        all.length,
        millis,
        all.length * 1000L / millis,
        all[all.length / 2] / 1000,
        all[all.length * 99 / 100] / 1000,
        cpuTime().minus(cpuBefore).toNanos() / 1000 / all.length,
        (watchedBytes.get() - bytesBefore) / 1_048_576 * 1000 / millis);
  }

  /** Says more than the rate on a machine that does other work too. */
  private static Duration cpuTime() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private void create(int writer, int writers, int workloads) throws Exception {
    for (int i = writer; i < workloads; i += writers) {
      expect(
          201,
          request(WORKLOADS)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(workload("w-" + i))));
    }
  }

  private void patch(String name, long count) throws Exception {
    String body =
        """
        {"status":{"requeueState":{"count":%d},"conditions":[{"type":"QuotaReserved",\
        "status":"False","reason":"Pending","message":"attempt %d",\
        "lastTransitionTime":"2026-01-01T00:00:00Z","observedGeneration":1}]}}"""
            .formatted(count, count);
    expect(
        200,
        request(WORKLOADS + "/" + name + "/status")
            .header("Content-Type", "application/merge-patch+json")
            .method("PATCH", HttpRequest.BodyPublishers.ofString(body)));
  }

  private byte[] get(String path) throws Exception {
    return client.send(request(path).build(), HttpResponse.BodyHandlers.ofByteArray()).body();
  }

  private InputStream watch() throws Exception {
    return client
        .send(
            request("/apis/kueue.x-k8s.io/v1beta2/workloads?watch=true&allowWatchBookmarks=true")
                .build(),
            HttpResponse.BodyHandlers.ofInputStream())
        .body();
  }

  private void drain(InputStream stream) {
    byte[] buffer = new byte[64 * 1024];
    try {
      for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
        watchedBytes.addAndGet(read);
      }
    } catch (IOException e) {
      if (!closing) {
        print("watch ended: %s", e);
      }
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.uri() + path));
  }

  private void expect(int code, HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != code) {
      throw new IllegalStateException(response.statusCode() + ": " + response.body());
    }
  }

  private interface Task {
    void run(int worker) throws Exception;
  }

  private static void inParallel(Actors clients, int workers, Task task) {
    List<Act<Boolean>> running = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      int worker = i;
      running.add(clients.start(() -> task.run(worker)));
    }
    running.forEach(one -> one.get(LONGEST));
  }

  private static String workload(String name) {
    return """
        {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload",
         "metadata":{"name":"%s","labels":{"kueue.x-k8s.io/job-uid":"%s"}},
         "spec":{"queueName":"q","priority":0,"podSets":[{"name":"main","count":3,"template":{"spec":{
           "restartPolicy":"Never","containers":[{"name":"c","image":"registry.example/train:1",
           "command":["train","--epochs","10"],
           "resources":{"requests":{"cpu":"2","memory":"8Gi","nvidia.com/gpu":"1"}}}]}}}]}}
        """
        .formatted(name, name);
  }

  private static long millisSince(long start) {
    return Math.max(1, (System.nanoTime() - start) / 1_000_000);
  }

  // The one place that prints: this is a command, not a library.
  private static void print(String format, Object... values) {
    System.out.printf(format + "%n", values);
  }
}
