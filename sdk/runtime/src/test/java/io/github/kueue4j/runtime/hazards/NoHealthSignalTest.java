// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static io.github.kueue4j.runtime.ScriptedServer.listJson;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.RawClient;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.controller.ControllerHost;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.informer.InitialSyncTimeoutException;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** In the library, a cache that never syncs looks healthy. */
@ExpectedLog(level = Level.ERROR, logger = "UnreadableObjects", message = "Can't read an object")
@ExpectedLog(logger = "CachedInformer", message = "Listing or watching failed; retrying")
class NoHealthSignalTest {

  private static ScriptedServer server(AtomicBoolean allowed) {
    return new ScriptedServer(
        (request, answer) -> {
          if (!allowed.get()) {
            answer.status(403, "Forbidden", "configmaps is forbidden");
          } else if (request.isWatch()) {
            answer.open();
          } else {
            // One object that can't be read, which has a metric of its own.
            answer.json(200, listJson("1", "{\"metadata\":{\"name\":\"x\"},\"data\":5}"));
          }
        });
  }

  @Test
  void theLibraryRetriesForEverWithoutReportingIt() {
    try (var server = server(new AtomicBoolean(false));
        var raw = new RawClient(server.uri())) {
      var informer = raw.configMaps();
      await().until(() -> server.count(r -> true) >= 3);
      // The only state to query; it is the same shortly after a healthy start.
      assertThat(informer.hasSynced()).isFalse();
      assertThat(informer.lastSyncResourceVersion()).isNull();
    }
  }

  @Test
  void oursAbortsTheStartWithAClearMessage() {
    try (var server = server(new AtomicBoolean(false));
        var time = ManualTime.create();
        var connection = ClusterConnection.builder("test").url(server.uri()).wireTime(time).open();
        var informers = Informers.on(connection)) {
      Informer<V1ConfigMap> maps = informers.of(CoreTypes.CONFIG_MAP).register();
      try (var host =
              ControllerHost.builder(connection, time)
                  .informers(informers)
                  .syncTimeout(Duration.ofSeconds(1))
                  .build();
          var starters = Actors.onPlatformThreads("starter")) {
        Act<Boolean> start = starters.start(host::start);
        await().until(() -> maps.health().lastError() != null);
        await()
            .until(
                () -> {
                  time.advance(Duration.ofMillis(100));
                  return start.hasEnded();
                });
        assertThatThrownBy(start::get)
            .isInstanceOf(InitialSyncTimeoutException.class)
            .hasMessageContaining("after 1 s")
            .hasMessageContaining("configmaps (list configmaps: 403 configmaps is forbidden)")
            .hasMessageContaining("check that");
      }
    }
  }

  /** As in a test that gives the connection a time that only it advances. */
  @Test
  void oursStartsWhileTheWireTimeStandsStillOrSaysThatItDoes() throws InterruptedException {
    var allowed = new AtomicBoolean(true);
    try (var server = server(allowed);
        var time = ManualTime.create();
        var connection = ClusterConnection.builder("test").url(server.uri()).wireTime(time).open();
        var served = Informers.on(connection);
        var refused = Informers.on(connection)) {
      served.of(CoreTypes.CONFIG_MAP).register();
      served.start();
      served.awaitSynced(Duration.ofMinutes(1));

      allowed.set(false);
      Informer<V1ConfigMap> maps = refused.of(CoreTypes.CONFIG_MAP).register();
      refused.start();
      await().until(() -> maps.health().lastError() != null);
      assertThatThrownBy(() -> refused.awaitSynced(Duration.ofMillis(1)))
          .isInstanceOf(InitialSyncTimeoutException.class)
          .hasMessageContaining("configmaps (list configmaps: 403 configmaps is forbidden)")
          .hasMessageEndingWith("the connection goes on: it stands still at " + time.instant());
    }
  }

  @Test
  void oursReportsMissingCachesToProbes() throws IOException, InterruptedException {
    var allowed = new AtomicBoolean(false);
    try (var server = server(allowed);
        var connection = ClusterConnection.builder("test").url(server.uri()).open();
        var time = TimeSource.system();
        var informers = Informers.on(connection)) {
      informers.of(CoreTypes.CONFIG_MAP).register();
      try (var host =
              ControllerHost.builder(connection, time).informers(informers).httpPort(0).build();
          var starters = Actors.onPlatformThreads("starter")) {
        Act<Boolean> start = starters.start(host::start);
        await().until(() -> host.httpPort() > 0);
        await()
            .untilAsserted(
                () ->
                    assertThat(get(host, "/readyz").body())
                        .contains("the host is STARTING")
                        .contains("informer configmaps is not synced yet: list configmaps: 403"));
        assertThat(get(host, "/readyz").statusCode()).isEqualTo(503);
        assertThat(get(host, "/healthz").statusCode()).isEqualTo(200);

        allowed.set(true);
        start.get();
        await().until(() -> get(host, "/readyz").statusCode() == 200);
        await()
            .until(
                () ->
                    get(host, "/metrics")
                        .body()
                        .contains("kueue4j_informer_watching{resource=\"configmaps\"} 1.0"));
        assertThat(get(host, "/metrics").body())
            .containsPattern("kueue4j_informer_age_seconds\\{resource=\"configmaps\"} \\d")
            .contains("kueue4j_informer_unreadable_objects{resource=\"configmaps\"} 1.0");
        assertThat(get(host, "/nonsense").statusCode()).isEqualTo(404);
      }
    }
  }

  private static HttpResponse<String> get(ControllerHost host, String path)
      throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + host.httpPort() + path)).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }
}
