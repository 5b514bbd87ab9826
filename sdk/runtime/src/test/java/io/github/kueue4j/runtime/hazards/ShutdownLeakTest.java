// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static io.github.kueue4j.runtime.ScriptedServer.configMap;
import static io.github.kueue4j.runtime.ScriptedServer.listJson;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.LeaseServer;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.testdefaults.Nightly;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.workqueue.DefaultRateLimitingQueue;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The library's classes leave threads running after shutdown. */
@Isolated("counts threads")
class ShutdownLeakTest {

  private static final int TIMES = Nightly.bound(20, 100);

  /**
   * {@link DefaultRateLimitingQueue} makes itself an executor by the same call. This test makes it
   * and keeps a reference, because the garbage collector shuts down an executor without one, and
   * the thread would end by chance.
   */
  @Test
  void theLibrarysQueueLeavesItsExecutorRunning() {
    var thread = new AtomicReference<Thread>();
    try (ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              thread.set(Executors.defaultThreadFactory().newThread(task));
              return thread.get();
            })) {
      new DefaultRateLimitingQueue<Request>(executor).shutDown();

      assertThat(executor.isShutdown()).isFalse();
      assertThat(thread.get())
          .matches(Thread::isAlive, "is alive")
          .matches(left -> !left.isDaemon(), "keeps the process alive");
    }
  }

  @Test
  void oursLeavesNoThreadHoweverOftenItStarts() throws InterruptedException {
    var leases = new LeaseServer();
    try (var server =
        new ScriptedServer(
            (request, answer) -> {
              if (request.path().contains("/leases") || request.method().equals("POST")) {
                leases.answer(request, answer);
              } else if (request.isWatch()) {
                answer.open().event("MODIFIED", configMap("a", "2", "two"));
              } else {
                answer.json(200, listJson("1", configMap("a", "1", "one")));
              }
            })) {
      startAndStop(server); // Starts the HTTP library's shared threads, which remain.
      Set<Thread> before = threads();
      for (int i = 0; i < TIMES; i++) {
        startAndStop(server);
      }
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(
              () -> {
                Set<Thread> left = threads();
                left.removeAll(before);
                assertThat(left).isEmpty();
              });
    }
  }

  private static void startAndStop(ScriptedServer server) throws InterruptedException {
    var reconciled = new AtomicInteger();
    try (var connection = ClusterConnection.builder("test").url(server.uri()).open();
        var time = TimeSource.system();
        var informers = Informers.on(connection)) {
      Informer<V1ConfigMap> maps = informers.of(CoreTypes.CONFIG_MAP).register();
      EventRecorder events = EventRecorder.on(connection, time, new SimpleMeterRegistry());
      Controller controller =
          Controller.builder(
                  "maps",
                  key -> {
                    reconciled.incrementAndGet();
                    maps.get(key).ifPresent(map -> events.normal(map, "Seen", "See", "seen"));
                    return Requeue.after(Duration.ofHours(1));
                  })
              .watch(maps)
              .workers(2)
              .build();
      try (var host =
          ControllerHost.builder(connection, time)
              .informers(informers)
              .controller(controller)
              .events(events)
              .leaderElection(
                  LeaderElection.named("default", "test")
                      .withIdentity("only")
                      .withTimes(
                          Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofMillis(50)))
              .httpPort(0)
              .build()) {
        host.start();
        await().pollInterval(Duration.ofMillis(2)).until(() -> reconciled.get() > 0);
        controller.queue().addAfter(ObjectKey.cluster("x"), Duration.ofHours(2));
      }
    }
  }

  /**
   * All threads except those that the HTTP and test libraries share process-wide and end when idle.
   * The HTTP library's thread that waits for its next task has the name of its last one, which
   * looks after idle connections.
   */
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread ->
                !thread.getName().startsWith("OkHttp TaskRunner")
                    && !thread.getName().startsWith("OkHttp ConnectionPool")
                    && !thread.getName().startsWith("Okio Watchdog")
                    && !thread.getName().startsWith("ForkJoinPool")
                    && !thread.getName().startsWith("VirtualThread-unblocker")
                    && !thread.getName().startsWith("Read-Poller")
                    && !thread.getName().startsWith("Write-Poller")
                    && !thread.getName().startsWith("Common-Cleaner"))
        .collect(Collectors.toSet());
  }
}
