// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static io.github.kueue4j.runtime.ScriptedServer.configMap;
import static io.github.kueue4j.runtime.ScriptedServer.listJson;
import static io.github.kueue4j.runtime.ScriptedServer.statusJson;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.RawClient;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.ScriptedServer.Answer;
import io.github.kueue4j.runtime.ScriptedServer.Received;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** "Too old resource version", as an HTTP status and inside the stream, once or repeatedly. */
class ExpiredVersionTest {

  private interface Refusal {
    void refuse(Answer answer) throws IOException;
  }

  private static void asStatus(Answer answer) throws IOException {
    answer.status(410, "Expired", "too old resource version");
  }

  private static void inStream(Answer answer) throws IOException {
    answer.open().event("ERROR", statusJson(410, "Expired", "too old resource version")).end();
  }

  /** Refuses watches as long as {@code broken}. */
  private static ScriptedServer server(Refusal refusal, AtomicBoolean broken) {
    var lists = new AtomicInteger();
    return new ScriptedServer(
        (request, answer) -> {
          if (!request.isWatch()) {
            String version = Integer.toString(lists.incrementAndGet());
            answer.json(200, listJson(version, configMap("a", version, "v" + version)));
          } else if (broken.get()) {
            refusal.refuse(answer);
          } else {
            answer.open().event("MODIFIED", configMap("a", "1000", "current"));
          }
        });
  }

  @Test
  void theLibraryListsEverySecondWithoutBackoff() {
    try (var server = server(ExpiredVersionTest::inStream, new AtomicBoolean(true));
        var raw = new RawClient(server.uri())) {
      raw.configMaps();
      // The rate never falls: with doubling pauses, the eighth list would come after two minutes.
      await().until(() -> server.count(Received::isList) >= 8);
    }
  }

  @Test
  void oursBacksOffAndRecoversFromAStatus() {
    backsOffAndRecovers(ExpiredVersionTest::asStatus);
  }

  @Test
  void oursBacksOffAndRecoversInsideTheStream() {
    backsOffAndRecovers(ExpiredVersionTest::inStream);
  }

  private static void backsOffAndRecovers(Refusal refusal) {
    var broken = new AtomicBoolean(true);
    try (var server = server(refusal, broken);
        var time = ManualTime.create();
        var connection = ClusterConnection.builder("test").url(server.uri()).wireTime(time).open();
        var informers = Informers.on(connection)) {
      Informer<V1ConfigMap> informer = informers.of(CoreTypes.CONFIG_MAP).register();
      informers.start();

      // Each further list waits until its pause has passed, and pauses grow.
      for (int failures = 1; failures <= 4; failures++) {
        int expected = failures;
        await().until(() -> informer.health().failuresInARow() == expected);
        assertThat(server.count(Received::isList)).isEqualTo(expected);
        assertThat(informer.health().lastError()).contains("410").contains("too old");
        assertThat(informer.health().watching()).isFalse();
        await().until(() -> time.pendingTimers() == 2); // of the watchdog and of the pause
        time.advance(Duration.ofMillis(200).multipliedBy(1L << (expected - 1)).minusNanos(1));
        assertThat(server.count(Received::isList)).as("not early").isEqualTo(expected);
        if (expected == 4) {
          broken.set(false);
        }
        time.advance(Duration.ofMillis(100).multipliedBy(1L << (expected - 1)).plusNanos(1));
      }

      await()
          .until(
              () ->
                  informer.list().stream()
                      .anyMatch(map -> "current".equals(map.getData().get("value"))));
      assertThat(informer.health().failuresInARow()).isZero();
      assertThat(informer.health().lastError()).isNull();
    }
  }
}
