// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static io.github.kueue4j.runtime.ScriptedServer.configMap;
import static io.github.kueue4j.runtime.ScriptedServer.listJson;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.runtime.RawClient;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.Odd;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;

/**
 * Gson refuses JSON that is nested deeper than 255, while an API server stores 10,000: one object
 * of one user makes a whole list unreadable for the library.
 */
class DeepObjectTest {

  private static ScriptedServer server() {
    String list = listJson("1", Odd.deeplyManaged("a", "1", 300), configMap("b", "1", "x"));
    return new ScriptedServer(
        (request, answer) -> {
          if (request.isWatch()) {
            answer
                .open()
                .event("MODIFIED", Odd.deeplyManaged("a", "2", 9_999))
                .event("ADDED", configMap("c", "3", "x"));
          } else {
            answer.json(200, list);
          }
        });
  }

  @Test
  void theLibraryReadsNothingAtAll() {
    try (var server = server();
        var raw = new RawClient(server.uri())) {
      var informer = raw.configMaps();
      await().until(() -> server.count(ScriptedServer.Received::isList) >= 2);
      assertThat(informer.hasSynced()).isFalse();
    }
  }

  @Test
  void oursReadsAll() throws InterruptedException {
    try (var server = server();
        var connection = ClusterConnection.builder("test").url(server.uri()).open();
        var informers = Informers.on(connection)) {
      Informer<V1ConfigMap> informer = informers.of(CoreTypes.CONFIG_MAP).register();
      informers.start();
      informers.awaitSynced(Patience.LIMIT);
      await().untilAsserted(() -> assertThat(informer.list()).hasSize(3));
    }
  }
}
