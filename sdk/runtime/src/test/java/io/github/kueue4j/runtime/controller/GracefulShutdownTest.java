// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Controllers of one host stop together, even if one of them is busy. */
@Isolated("measures time")
@ExpectedLog(
    logger = "RunningController",
    message = "Reconciles are still running after the grace period")
class GracefulShutdownTest {
  private static final int MANY = 120;

  private static final ObjectKey A = new ObjectKey("default", "a");

  @Test
  void whileOneStopsTheOthersTakeNoKeys() throws InterruptedException {
    var began = new CountDownLatch(1);
    var mayEnd = new CountDownLatch(1);
    Controller slow =
        Controller.builder(
                "slow",
                key -> {
                  began.countDown();
                  mayEnd.await();
                  return Requeue.never();
                })
            .build();
    Controller other = Controller.builder("other", key -> Requeue.never()).build();
    try (var time = ManualTime.create();
        var connection = ClusterConnection.builder("test").url(nowhere()).open();
        var host =
            ControllerHost.builder(connection, time).controller(slow).controller(other).build();
        var closers = Actors.onPlatformThreads("closer")) {
      host.start();
      slow.queue().add(A);
      assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
      Act<Boolean> closing = closers.start(host::close);
      await().until(() -> !host.leading());

      await().untilAsserted(() -> assertThat(accepts(other)).isFalse());
      assertThat(closing.hasEnded()).isFalse();
      mayEnd.countDown();
      closing.get();
    }
  }

  @Test
  void allShareOneGracePeriod() throws InterruptedException {
    var began = new CountDownLatch(MANY);
    var interrupted = new CountDownLatch(MANY);
    Reconciler hangs =
        key -> {
          began.countDown();
          try {
            new CountDownLatch(1).await();
            return Requeue.never();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
        };
    try (var time = ManualTime.create();
        var connection = ClusterConnection.builder("test").url(nowhere()).open()) {
      var builder = ControllerHost.builder(connection, time).gracePeriod(Duration.ofSeconds(1));
      for (int i = 0; i < MANY; i++) {
        builder.controller(Controller.builder("hangs-" + i, hangs).build());
      }
      ControllerHost host = builder.build();
      host.start();
      builder.controllers.forEach(controller -> controller.queue().add(A));
      assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();

      long begin = System.nanoTime();
      host.close();

      assertThat(interrupted.getCount()).isZero();
      // One after the other they would take a second each; together, one and what a busy machine
      // adds.
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isLessThan(Duration.ofSeconds(MANY - 1));
    }
  }

  /** Whether a worker of this controller still takes keys. */
  private static boolean accepts(Controller controller) {
    controller.queue().add(A);
    controller.queue().addAfter(A, Duration.ofHours(1));
    return controller.queue().timers() > 0;
  }

  private static URI nowhere() {
    return URI.create("http://127.0.0.1:1");
  }
}
