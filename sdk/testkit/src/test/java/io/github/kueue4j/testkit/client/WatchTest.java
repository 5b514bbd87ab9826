// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testkit.tree.Trees;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class WatchTest {
  private EmbeddedApiServer server;
  private JsonApi api;

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
    api = JsonApi.at(server.uri());
  }

  @AfterEach
  void stop() {
    api.close();
    server.close();
  }

  @Test
  void closingWaitsForItsConsumer() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicBoolean finished = new AtomicBoolean();
    Watch watch =
        api.watch(
            KueueTypes.RESOURCE_FLAVOR.path(),
            "",
            event -> {
              entered.countDown();
              awaitIn(release);
              finished.set(true);
            },
            () -> {});
    createFlavor();
    entered.await();

    try (Actors closers = Actors.onPlatformThreads("closer")) {
      Act<Boolean> closer = closers.start(watch::close);
      await().until(() -> closer.hasEnded() || closer.thread().getState() == Thread.State.WAITING);
      assertThat(closer.hasEnded()).isFalse();
      release.countDown();
      closer.get();
    }
    assertThat(finished).isTrue();
  }

  @Test
  void aConsumerMayCloseItsOwnWatch() {
    CompletableFuture<Watch> watch = new CompletableFuture<>();
    AtomicBoolean closed = new AtomicBoolean();
    watch.complete(
        api.watch(
            KueueTypes.RESOURCE_FLAVOR.path(),
            "",
            event -> {
              watch.join().close();
              closed.set(true);
            },
            () -> {}));
    createFlavor();
    await().untilTrue(closed);
  }

  @Test
  void aRefusalIsAnEventWithWhatTheServerSays() throws InterruptedException {
    createFlavor();
    server.faults().expireHistory();
    List<ObjectNode> events = new CopyOnWriteArrayList<>();
    CountDownLatch ended = new CountDownLatch(1);

    try (Watch watch =
        api.watch(KueueTypes.RESOURCE_FLAVOR.path(), "1", events::add, ended::countDown)) {
      assertThat(watch).isNotNull();
      ended.await();
    }

    assertThat(events).hasSize(1);
    assertThat(events.getFirst().path("type").asText()).isEqualTo("ERROR");
    assertThat(events.getFirst().path("object").path("code").asInt()).isEqualTo(410);
    assertThat(events.getFirst().path("object").path("reason").asText()).isEqualTo("Expired");
    assertThat(events.getFirst().path("object").path("message").asText()).isNotEmpty();
  }

  private void createFlavor() {
    ObjectNode flavor = Trees.empty().put("kind", "ResourceFlavor");
    flavor.put("apiVersion", "kueue.x-k8s.io/v1beta2");
    flavor.putObject("metadata").put("name", "default");
    api.create(KueueTypes.RESOURCE_FLAVOR.path(), flavor);
  }

  private static void awaitIn(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
