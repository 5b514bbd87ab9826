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
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.kubernetes.client.informer.cache.Cache;
import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.informer.cache.DeltaFIFO;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An object is deleted while the watch is down, before the informer has delivered it. */
class QueuedDeletionTest {

  @Test
  void theLibraryKeepsTheObjectForEver() throws InterruptedException {
    var cache = new Cache<V1ConfigMap>();
    var queue = new DeltaFIFO(Caches::deletionHandlingMetaNamespaceKeyFunc, cache);
    queue.replace(
        List.of(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("default").name("a"))),
        "1");
    queue.replace(List.of(), "2");

    assertThat(queue.pop(deltas -> {}))
        .as("no deletion")
        .extracting(delta -> delta.getLeft())
        .containsExactly(DeltaFIFO.DeltaType.Sync);
    assertThat(queue.listKeys()).isEmpty();
  }

  @Test
  void oursDeliversWhatItHasBeforeItListsAgain() {
    var goOn = new CountDownLatch(1);
    var lists = new AtomicInteger();
    var reflector = new AtomicReference<@Nullable Thread>();
    try (var server =
            new ScriptedServer(
                (request, answer) -> {
                  if (request.isWatch()) {
                    answer.open().event("ERROR", statusJson(410, "Expired", "too old")).end();
                  } else if (lists.incrementAndGet() == 2) {
                    answer.json(
                        200, listJson("2", configMap("a", "2", "one"), configMap("b", "2", "one")));
                  } else {
                    answer.json(200, listJson("1"));
                  }
                });
        var time = ManualTime.create();
        var connection = ClusterConnection.builder("test").url(server.uri()).wireTime(time).open();
        var informers = Informers.on(connection)) {
      Informer<V1ConfigMap> informer =
          informers
              .of(CoreTypes.CONFIG_MAP)
              .transform(
                  map -> {
                    reflector.set(Thread.currentThread());
                    return map;
                  })
              .register();
      informer.onChange(change -> awaitQuietly(goOn));
      informers.start();
      await().until(informer::synced);
      await().until(() -> time.pendingTimers() == 2); // of the watchdog and of the pause
      time.advance(Duration.ofSeconds(1));

      // One object is being delivered, the other is queued, and the watch fails.
      await().until(() -> informer.list().size() == 1);
      await().until(() -> informer.health().failuresInARow() == 2 && isWaiting(reflector.get()));
      assertThat(time.pendingTimers()).as("no pause before another list").isEqualTo(1);

      goOn.countDown();
      await()
          .until(
              () -> {
                time.advance(Duration.ofSeconds(1));
                return informer.health().relists() > 2 && informer.list().isEmpty();
              });
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isWaiting(@Nullable Thread thread) {
    return thread != null && thread.getState() == Thread.State.WAITING;
  }
}
