// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventRecorderTest {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T09:00:00Z"));
  private final ManualTime wireTime = ManualTime.create();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final ClusterConnection connection =
      ClusterConnection.builder("kueue-core").url(server.uri()).wireTime(wireTime).open();
  private final EventRecorder recorder =
      new QueuedEventRecorder(connection, time, meters, Patience.LIMIT);
  private final Workload workload =
      Workload.named("default", "w")
          .withMetadata(new V1ObjectMeta().namespace("default").name("w").uid("u-1"));

  @AfterEach
  void close() {
    recorder.close();
    connection.close();
    server.close();
  }

  private List<EventsV1Event> events() {
    return connection.api().list(CoreTypes.EVENT, ListOptions.all()).items();
  }

  private EventsV1Event onlyEvent() {
    await().until(() -> !events().isEmpty());
    assertThat(events()).hasSize(1);
    return events().getFirst();
  }

  @Test
  void writesAllFieldsOfAnEvent() {
    recorder.warning(workload, "AdmissionCheckRejected", "Reject", "no budget");

    EventsV1Event event = onlyEvent();
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getReason()).isEqualTo("AdmissionCheckRejected");
    assertThat(event.getAction()).isEqualTo("Reject");
    assertThat(event.getNote()).isEqualTo("no budget");
    assertThat(event.getEventTime().toInstant()).isEqualTo(time.instant());
    assertThat(event.getReportingController()).isEqualTo("kueue-core");
    assertThat(event.getRegarding().getKind()).isEqualTo("Workload");
    assertThat(event.getRegarding().getApiVersion()).isEqualTo("kueue.x-k8s.io/v1beta2");
    assertThat(event.getRegarding().getUid()).isEqualTo("u-1");
    assertThat(event.getMetadata().getNamespace()).isEqualTo("default");
  }

  @Test
  void repetitionsBecomeOneSeries() {
    for (int i = 0; i < 50; i++) {
      recorder.normal(workload, "Retry", "Evict", "attempt 4");
    }
    onlyEvent();
    await().until(() -> wireTime.pendingTimers() == 1);
    time.advance(Duration.ofSeconds(30));
    recorder.normal(workload, "Retry", "Evict", "attempt 4");
    await()
        .until(
            () -> {
              wireTime.advance(QueuedEventRecorder.FLUSH);
              return onlyEvent().getSeries() != null && onlyEvent().getSeries().getCount() == 51;
            });
    assertThat(onlyEvent().getSeries().getLastObservedTime().toInstant()).isEqualTo(time.instant());
    assertThat(meters.counter("kueue4j.events.written").count()).isLessThanOrEqualTo(4);

    recorder.normal(workload, "Retry", "Evict", "attempt 5");
    await().until(() -> events().size() == 2);
  }

  @Test
  void aRepetitionMuchLaterIsANewEvent() {
    recorder.normal(workload, "Retry", "Evict", "again");
    onlyEvent();
    time.advance(QueuedEventRecorder.WINDOW.plusSeconds(1));
    recorder.normal(workload, "Retry", "Evict", "again");
    await().until(() -> events().size() == 2);
  }

  @Test
  void closingWritesTheQueuedEvents() {
    recorder.normal(workload, "Retry", "Evict", "again");
    recorder.normal(workload, "Retry", "Evict", "again");
    recorder.close();
    assertThat(onlyEvent().getSeries().getCount()).isEqualTo(2);
    recorder.normal(workload, "Late", "Evict", "after the end");
    assertThat(meters.counter("kueue4j.events.dropped").count()).isEqualTo(1);
  }

  @Test
  void aServerThatHangsNeverBlocksTheCaller() {
    var release = new CountDownLatch(1);
    try (var hanging = new ScriptedServer((request, answer) -> awaitQuietly(release));
        var slow = ClusterConnection.builder("test").url(hanging.uri()).open();
        var blocked = EventRecorder.on(slow, time, meters);
        var callers = Actors.onPlatformThreads("caller")) {
      int surplus = 10;
      blocked.normal(workload, "First", "Evict", "hangs");
      await().until(() -> !hanging.received().isEmpty());
      callers
          .start(
              () -> {
                for (int i = 0; i < QueuedEventRecorder.CAPACITY + surplus; i++) {
                  blocked.normal(workload, "Retry", "Evict", "note " + i);
                }
              })
          .get();
      assertThat(meters.counter("kueue4j.events.dropped").count()).isEqualTo(surplus);
      release.countDown();
    }
  }

  @Test
  void anEventThatIsThrottledIsWrittenLater() {
    try (var fault = server.faults().failNext(1, RequestMatcher.verbs("create"), 429)) {
      recorder.normal(workload, "Retry", "Evict", "again");
      await().until(() -> fault.hits() == 1);
    }
    await()
        .until(
            () -> {
              wireTime.advance(Duration.ofMillis(100));
              return !events().isEmpty();
            });

    assertThat(onlyEvent().getNote()).isEqualTo("again");
    assertThat(meters.counter("kueue4j.events.dropped").count()).isZero();
  }

  @Test
  void whatIsDroppedIsCountedFromZero() {
    assertThat(meters.get("kueue4j.events.dropped").counter().count()).isZero();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(90, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void eventsAboutClusterScopedObjectsLiveInDefaultAndLongTextsAreCut() {
    var queue =
        Workload.named("", "cq").withMetadata(new V1ObjectMeta().name("cq-" + "x".repeat(240)));
    recorder.normal(queue, "R", "A", "n".repeat(3000));
    EventsV1Event event = onlyEvent();
    assertThat(event.getMetadata().getNamespace()).isEqualTo("default");
    assertThat(event.getNote()).hasSize(1024).endsWith("...");
    assertThat(ObjectKey.of(event).name()).hasSizeLessThan(253);
  }

  @Test
  void theLimitOfANoteIsCountedInBytes() {
    recorder.normal(workload, "R", "A", "ü".repeat(600));

    String note = onlyEvent().getNote();
    assertThat(note.getBytes(StandardCharsets.UTF_8).length).isBetween(1020, 1024);
    assertThat(note).matches("ü+\\.\\.\\.");
  }
}
