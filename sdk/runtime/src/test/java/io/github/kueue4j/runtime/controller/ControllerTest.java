// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class ControllerTest {

  private static final ObjectKey A = new ObjectKey("default", "a");

  private final ManualTime time = ManualTime.create();

  @Test
  void aResultReplacesThePreviousTimer() {
    var answers =
        new CopyOnWriteArrayList<>(
            List.of(
                Requeue.after(Duration.ofMinutes(10)),
                Requeue.at(time.instant().plusSeconds(60)),
                Requeue.never()));
    var calls = new AtomicInteger();
    Controller controller =
        Controller.builder("test", key -> answers.get(calls.getAndIncrement())).build();
    try (var running = TestControllers.start(controller, time)) {
      controller.queue().add(A);
      await().until(() -> running.reconciles("requeue_after") == 1);
      controller.queue().add(A);
      await().until(() -> running.reconciles("requeue_after") == 2);

      time.advance(Duration.ofSeconds(60));
      await().until(() -> running.reconciles("success") == 1);

      time.advance(Duration.ofHours(1));
      assertThat(controller.queue().length() + controller.queue().timers()).isZero();
      assertThat(calls).hasValue(3);
    }
  }

  @Test
  void workersRunInParallelButNeverOnTheSameKey() throws InterruptedException {
    var both = new CyclicBarrier(2);
    Set<ObjectKey> active = ConcurrentHashMap.newKeySet();
    var overlaps = new AtomicInteger();
    var calls = new AtomicInteger();
    Controller controller =
        Controller.builder(
                "test",
                key -> {
                  if (!active.add(key)) {
                    overlaps.incrementAndGet();
                  }
                  if (calls.incrementAndGet() <= 2) {
                    both.await(60, TimeUnit.SECONDS); // Two workers must be here at once.
                  }
                  active.remove(key);
                  return Requeue.never();
                })
            .workers(2)
            .build();
    try (var running = TestControllers.start(controller, time)) {
      controller.queue().add(A);
      controller.queue().add(new ObjectKey("default", "b"));
      await().until(() -> running.reconciles("success") == 2);
      for (int i = 0; i < 2000; i++) {
        controller.queue().add(A);
      }
      await().until(() -> controller.queue().length() == 0 && active.isEmpty());
      assertThat(overlaps).hasValue(0);
    }
  }

  /** The test fails if a thread dies of an exception. */
  @Test
  void aControllerThatIsStoppedWhileItStartsEndsQuietly() {
    for (int i = 0; i < 50; i++) {
      Controller controller = Controller.builder("stopped", key -> Requeue.never()).build();
      TestControllers.start(controller, time).close();
    }

    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("kueue4j-stopped-")));
  }

  @Test
  void everyLogLineOfAReconcileContainsItsNumber() {
    var seen = new AtomicReference<Map<String, String>>(Map.of());
    Controller controller =
        Controller.builder(
                "test",
                key -> {
                  seen.set(MDC.getCopyOfContextMap());
                  return Requeue.never();
                })
            .build();
    try (var running = TestControllers.start(controller, time)) {
      controller.queue().add(A);
      await().until(() -> running.reconciles("success") == 1);
      assertThat(seen.get())
          .containsEntry("controller", "test")
          .containsEntry("object", "default/a")
          .containsEntry("reconcile", "test-1");
    }
  }

  @Test
  void aConflictIsRetriedAndIsNoError() {
    var calls = new AtomicInteger();
    Controller controller =
        Controller.builder(
                "test",
                key -> {
                  if (calls.incrementAndGet() == 1) {
                    throw new KubernetesApiException.Conflict("changed", null);
                  }
                  return Requeue.never();
                })
            .errorBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1))
            .build();
    try (var running = TestControllers.start(controller, time)) {
      controller.queue().add(A);
      await().until(() -> controller.queue().timers() == 1 && time.nextTimer().isPresent());
      time.advance(Duration.ofSeconds(1));
      await().until(() -> running.reconciles("success") == 1);
      assertThat(running.reconciles("conflict")).isEqualTo(1);
      assertThat(running.reconciles("error")).isZero();
    }
  }

  @Test
  @ExpectedLog(
      logger = "RunningController",
      message = "Reconciles are still running after the grace period")
  void aReconcileThatHangsIsInterruptedAfterTheGracePeriod() throws InterruptedException {
    var began = new CountDownLatch(1);
    var interrupted = new CountDownLatch(1);
    Controller controller =
        Controller.builder(
                "test",
                key -> {
                  began.countDown();
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                  }
                  return Requeue.never();
                })
            .build();
    try (var running = TestControllers.start(controller, time)) {
      controller.queue().add(A);
      assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
      controller.stop(Duration.ofMillis(50));
      assertThat(interrupted.getCount()).isZero();
      assertThat(running.reconciles("error")).isEqualTo(1);
    }
  }

  @Test
  void belongsToOneHostOnly() {
    Controller controller = Controller.builder("test", key -> Requeue.never()).build();
    assertThatThrownBy(controller::queue)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("build its ControllerHost first");
    try (var running = TestControllers.start(controller, time)) {
      assertThatThrownBy(() -> TestControllers.start(controller, time))
          .isInstanceOf(IllegalStateException.class);
      assertThat(running.reconciles("success")).isZero();
    }
    assertThatThrownBy(() -> Controller.builder("x", key -> Requeue.never()).workers(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
