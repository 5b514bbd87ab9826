// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static io.github.kueue4j.runtime.ScriptedServer.configMap;
import static io.github.kueue4j.runtime.ScriptedServer.listJson;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.RawClient;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.ClientBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The library doesn't notice a watch whose connection is open but delivers nothing any more. */
@ExpectedLog(logger = "CachedInformer", message = "The watch is silent")
@ExpectedLog(logger = "CachedInformer", message = "Listing or watching failed; retrying")
class SilentWatchTest {

  private static final ObjectKey KEY = new ObjectKey("default", "a");
  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** Lists the object in a newer version each time; its watches open and stay silent. */
  private static ScriptedServer silentServer() {
    var lists = new AtomicInteger();
    return new ScriptedServer(
        (request, answer) -> {
          if (request.isWatch()) {
            answer.open();
          } else {
            String version = Integer.toString(lists.incrementAndGet());
            answer.json(200, listJson(version, configMap("a", version, "v" + version)));
          }
        });
  }

  @Test
  void theLibraryWaitsForEver() {
    try (var server = silentServer();
        var raw = new RawClient(server.uri())) {
      var informer = raw.configMaps();
      await().until(informer::hasSynced);
      await().until(() -> server.count(ScriptedServer.Received::isWatch) == 1);

      await()
          .during(Duration.ofSeconds(2))
          .until(
              () ->
                  server.count(ScriptedServer.Received::isList) == 1
                      && "v1".equals(value(informer.getIndexer().getByKey("default/a"))));
      assertThat(raw.client().getReadTimeout()).as("no timeout").isZero();
    }
  }

  @Test
  void theLibrarysFactoryRefusesAReadTimeout() {
    var client = new ClientBuilder().setReadTimeout(Duration.ofSeconds(30)).build();
    assertThatThrownBy(() -> new SharedInformerFactory(client))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be zero");
  }

  @Test
  void oursClosesTheSilentWatchAndListsAnew() {
    try (var server = silentServer();
        var time = ManualTime.create();
        var connection = ClusterConnection.builder("test").url(server.uri()).wireTime(time).open();
        var informers = Informers.on(connection, LIMIT)) {
      Informer<V1ConfigMap> informer = informers.of(CoreTypes.CONFIG_MAP).register();
      informers.start();
      await().until(() -> informer.synced() && informer.health().watching());
      assertThat(informer.get(KEY).map(SilentWatchTest::value)).contains("v1");

      // Silence up to the limit is normal.
      time.advance(LIMIT);
      assertThat(informer.health().watching()).isTrue();
      assertThat(informer.health().lastEventAge()).isEqualTo(LIMIT);

      await()
          .until(
              () -> {
                time.advance(LIMIT.dividedBy(4));
                return informer.get(KEY).map(SilentWatchTest::value);
              },
              value -> !value.equals(Optional.of("v1")));
      assertThat(informer.health().relists()).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void oursStillLimitsOrdinaryCalls() {
    try (var server = new ScriptedServer((request, answer) -> {});
        var connection =
            ClusterConnection.builder("test")
                .url(server.uri())
                .callTimeout(Duration.ofMillis(300))
                .open()) {
      assertThatThrownBy(() -> connection.api().get(CoreTypes.CONFIG_MAP, KEY))
          .hasMessageContaining("get configmaps default/a")
          .hasMessageContaining("timeout");
    }
  }

  private static String value(V1ConfigMap map) {
    return map.getData().getOrDefault("value", "");
  }
}
