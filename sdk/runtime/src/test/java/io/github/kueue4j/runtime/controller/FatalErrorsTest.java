// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.lease.LeaderElection;
import io.github.kueue4j.runtime.lease.LeaseElector;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.LogEntry;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.github.kueue4j.testdefaults.TestLog;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** An Error on any thread of this library is reported, with the thread's name. */
@ExpectedLog(level = Level.ERROR, logger = "FatalErrors", message = "An Error ended a thread")
@PossibleLog(
    logger = "CachedInformer",
    message = "Listing or watching failed; retrying",
    because = "the informer may be closed before it says so")
class FatalErrorsTest {

  private static final String MARK = "provoked by FatalErrorsTest";

  /** The thread and the error. */
  private record Reported(String thread, Error error) {}

  private final List<Reported> reported = new CopyOnWriteArrayList<>();
  private final FatalErrors errors =
      FatalErrors.then((thread, error) -> reported.add(new Reported(thread.getName(), error)));
  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final TimeSource time = TimeSource.system();
  private final ClusterConnection connection =
      ClusterConnection.builder("test").url(server.uri()).fatalErrors(errors).open();

  @AfterEach
  void close() {
    connection.close();
    time.close();
    server.close();
  }

  private static OutOfMemoryError provoked() {
    return new OutOfMemoryError(MARK);
  }

  private static void fail() {
    throw provoked();
  }

  private void assertReported(String thread) {
    await().until(() -> !reported.isEmpty());
    assertThat(reported.getFirst().thread()).startsWith(thread);
    assertThat(reported.getFirst().error()).hasMessage(MARK);
  }

  @Test
  void saysLastWordsBeforeItActs() {
    var linesAtTheAction = new CompletableFuture<List<LogEntry>>();

    FatalErrors.then((thread, error) -> linesAtTheAction.complete(TestLog.of(FatalErrors.class)))
        .report(provoked());

    // A thread of another test may log the same at that time.
    assertThat(linesAtTheAction.join())
        .extracting(LogEntry::text)
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("An Error ended a thread")
                    .contains("thread=\"" + Thread.currentThread().getName())
                    .contains("java.lang.OutOfMemoryError: " + MARK));
  }

  @Test
  void actsEvenIfNothingCanBeLogged() {
    var unprintable =
        new OutOfMemoryError(MARK) {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw provoked();
          }
        };

    errors.report(unprintable);

    assertThat(reported).singleElement().extracting(Reported::error).isSameAs(unprintable);
  }

  @Test
  void ofTheReconcileWorkers() throws InterruptedException {
    Controller controller =
        Controller.builder(
                "broken",
                key -> {
                  throw provoked();
                })
            .build();
    try (var host = ControllerHost.builder(connection, time).controller(controller).build()) {
      host.start();
      controller.queue().add(new ObjectKey("default", "a"));

      assertReported("kueue4j-broken-");
    }
  }

  @Test
  void ofAnInformersHandler() {
    try (var informers = Informers.on(connection)) {
      Informer<V1ConfigMap> informer = informers.of(CoreTypes.CONFIG_MAP).register();
      informer.onChange(change -> fail());
      informers.start();
      apply();

      assertReported("");
    }
  }

  @Test
  void ofAnInformersReader() {
    apply();
    try (var informers = Informers.on(connection)) {
      informers
          .of(CoreTypes.CONFIG_MAP)
          .transform(
              object -> {
                throw provoked();
              })
          .register();
      informers.start();

      assertReported("");
    }
  }

  private void apply() {
    server.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}}");
  }

  @Test
  void ofATimer() {
    connection.wireTime().after(Duration.ZERO, FatalErrorsTest::fail);
    assertReported("kueue4j-timer");
    reported.clear();

    ControllerHost.Builder host = ControllerHost.builder(connection, time);
    host.time.after(Duration.ZERO, FatalErrorsTest::fail);
    assertReported("kueue4j-timer");

    // The thread survives where the action returns.
    var alive = new CompletableFuture<Boolean>();
    host.time.after(Duration.ZERO, () -> alive.complete(true));
    assertThat(alive.join()).isTrue();
  }

  @Test
  void ofTheEventRecorder() {
    var meters =
        new SimpleMeterRegistry() {
          @Override
          protected Counter newCounter(Meter.Id id) {
            return id.getName().equals("kueue4j.events.written")
                ? new Unwritable(id)
                : super.newCounter(id);
          }
        };
    try (var recorder = EventRecorder.on(connection, time, meters)) {
      recorder.normal(
          Workload.named("default", "w")
              .withMetadata(new V1ObjectMeta().namespace("default").name("w").uid("u")),
          "Reason",
          "Action",
          "note");

      assertReported("kueue4j-events");
    }
  }

  /** A counter that fails when an event has been written. */
  private record Unwritable(Meter.Id id) implements Counter {
    @Override
    public Meter.Id getId() {
      return id;
    }

    @Override
    public void increment(double amount) {
      fail();
    }

    @Override
    public double count() {
      return 0;
    }
  }

  @Test
  void ofTheLeaseElector() {
    var listener =
        new LeaseElector.Listener() {
          @Override
          public void acquired() {
            fail();
          }

          @Override
          public void lost(String why, Duration left) {
            // The elector's thread has died by then.
          }
        };
    try (var elector =
        new LeaseElector(connection, LeaderElection.named("default", "lease"), listener)) {
      elector.start();

      assertReported("kueue4j-lease-lease");
    }
  }

  @Test
  void ofTheHostsOwnThreads() throws InterruptedException {
    try (var host =
        ControllerHost.builder(connection, time)
            .leaderElection(LeaderElection.named("default", "lease"))
            .onLeading(FatalErrorsTest::fail)
            .build()) {
      host.start();

      assertReported("kueue4j-host-leading");
    }
  }

  @Test
  void ofTheProbeServer() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    try (var client = HttpClient.newHttpClient();
        var host =
            ControllerHost.builder(connection, time)
                .httpPort(0)
                .liveness(
                    () -> {
                      if (broken.get()) {
                        fail();
                      }
                      return List.of();
                    })
                .build()) {
      host.start();
      assertThat(probe(client, host.httpPort())).isEqualTo(200);
      broken.set(true);
      var unanswered =
          client.sendAsync(request(host.httpPort()), HttpResponse.BodyHandlers.discarding());

      assertReported("kueue4j-http-");
      unanswered.cancel(true);
    }
  }

  private static HttpRequest request(int port) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/healthz")).build();
  }

  private static int probe(HttpClient client, int port) throws Exception {
    return client.send(request(port), HttpResponse.BodyHandlers.discarding()).statusCode();
  }
}
