// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.LocalQueueStatus;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.http.HttpPortException;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.informer.InitialSyncTimeoutException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A whole controller against the embedded API server. */
@Tag("quick")
@ExpectedLog(logger = "CachedInformer", message = "Listing or watching failed; retrying")
class ControllerHostTest {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final ManualTime time = ManualTime.create();
  private final ClusterConnection connection =
      ClusterConnection.builder("test").url(server.uri()).open();
  private final Informers informers = Informers.on(connection);

  @AfterEach
  void close() {
    informers.close();
    connection.close();
    time.close();
    server.close();
  }

  private static void apply(EmbeddedApiServer server, String name) {
    server.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: %s, namespace: default}
        spec: {clusterQueue: cq}
        """
            .formatted(name));
  }

  @Test
  void reconcilesUntilTheStatusIsAsDesiredAndThenRests() throws InterruptedException {
    server.applyCrds(Crds.kueue());
    apply(server, "first");
    Informer<LocalQueue> queues =
        informers
            .of(KueueTypes.LOCAL_QUEUE)
            .index("clusterQueue", queue -> List.of(queue.spec().clusterQueue()))
            .register();
    var reconciles = new AtomicInteger();
    Controller controller =
        Controller.builder(
                "localqueues",
                key -> {
                  reconciles.incrementAndGet();
                  queues.get(key).ifPresent(this::activate);
                  return Requeue.never();
                })
            .watch(queues)
            .build();
    try (var host =
        ControllerHost.builder(connection, time)
            .informers(informers)
            .controller(controller)
            .build()) {
      host.start();
      assertThat(host.leading()).isTrue();
      apply(server, "second");

      await().until(() -> active("first") && active("second"));
      assertThat(queues.byIndex("clusterQueue", "cq")).hasSize(2);
      // Each queue: once for the object, once for the own write, which needs no further change.
      await().until(() -> reconciles.get() >= 4 && controller.queue().length() == 0);
      assertThat(server.requests().count(request -> request.writes())).isEqualTo(2);
      assertThat(host.readinessProblems()).isEmpty();
      assertThat(host.livenessProblems()).isEmpty();
    }
  }

  private void activate(LocalQueue queue) {
    var ready =
        new Condition("Active", "True", "Ready", "Can submit new workloads", time.instant(), null);
    LocalQueue after =
        queue.withStatus(
            new LocalQueueStatus(
                Conditions.set(queue.status().conditions(), ready),
                null,
                null,
                null,
                List.of(),
                List.of(),
                null));
    connection.api().patchStatus(KueueTypes.LOCAL_QUEUE, GuardedPatch.between(queue, after));
  }

  private boolean active(String name) {
    return connection
        .api()
        .get(KueueTypes.LOCAL_QUEUE, new ObjectKey("default", name))
        .filter(queue -> Conditions.isTrue(queue.status().conditions(), "Active"))
        .isPresent();
  }

  @Test
  void survivesAnOutageOfTheServer() throws InterruptedException {
    server.applyCrds(Crds.kueue());
    apply(server, "first");
    Informer<LocalQueue> queues = informers.of(KueueTypes.LOCAL_QUEUE).register();
    try (var host = ControllerHost.builder(connection, time).informers(informers).build()) {
      host.start();
      await().until(() -> queues.health().watching());
      long relists = queues.health().relists();
      try (var outage = server.faults().refuseConnections()) {
        assertThat(outage).isNotNull();
        await().until(() -> queues.health().failuresInARow() > 1);
        assertThat(queues.health().lastError()).isNotNull();
        assertThat(queues.list()).as("the cache stays usable").hasSize(1);
      }
      apply(server, "second");
      await().until(() -> queues.list().size() == 2);
      assertThat(queues.health().relists()).as("resumed, not listed anew").isEqualTo(relists);
    }
  }

  @Test
  void aTakenPortIsOneLineWithTheRemedy() {
    try (var host = ControllerHost.builder(connection, time).httpPort(server.port()).build()) {
      assertThatThrownBy(host::start)
          .isInstanceOf(HttpPortException.class)
          .hasMessageContaining("port " + server.port())
          .hasMessageContaining("choose another port")
          .hasMessageNotContaining("\n");
    }
  }

  @Test
  void missingDefinitionsEndTheStart() {
    try (var timed = ClusterConnection.builder("test").url(server.uri()).wireTime(time).open();
        var own = Informers.on(timed);
        var host =
            ControllerHost.builder(timed, time).informers(own).syncTimeout(Patience.LIMIT).build();
        var starters = Actors.onPlatformThreads("starter")) {
      Informer<Workload> workloads = own.of(KueueTypes.WORKLOAD).register();
      Act<Boolean> start = starters.start(host::start);
      await().until(() -> workloads.health().lastError() != null);
      await()
          .until(
              () -> {
                time.advance(Duration.ofMinutes(1));
                return start.hasEnded();
              });
      assertThatThrownBy(start::get)
          .isInstanceOf(InitialSyncTimeoutException.class)
          .hasMessageContaining("workloads.kueue.x-k8s.io (list workloads.kueue.x-k8s.io: 404")
          .hasMessageContaining("CRDs are installed");
    }
  }

  @Test
  void whatBeginsAfterAHostWasClosedEndsAtOnce() {
    informers.of(KueueTypes.WORKLOAD).register();
    var meters = new SimpleMeterRegistry();
    var host =
        ControllerHost.builder(connection, time)
            .informers(informers)
            .httpPort(0)
            .meters(meters)
            .build();
    // Closed where it adds a gauge, as by another thread.
    meters
        .config()
        .onMeterAdded(
            meter -> {
              if (meter.getId().getName().equals("kueue4j.informer.served")) {
                host.close();
              }
            });

    assertThatThrownBy(host::start).isInstanceOf(IllegalStateException.class);
    assertThat(meters.getMeters())
        .filteredOn(meter -> meter.getId().getName().startsWith("kueue4j.informer"))
        .isEmpty();
  }
}
