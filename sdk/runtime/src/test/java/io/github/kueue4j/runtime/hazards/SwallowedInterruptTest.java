// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.RawController;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.controller.TestControllers;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The library's shutdown neither waits for a running reconcile nor ends one that hangs. */
class SwallowedInterruptTest {

  @Test
  void theLibraryReturnsFromShutdownWhileAReconcileGoesOn() throws InterruptedException {
    var began = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    try (var library =
        RawController.start(
            request -> {
              began.countDown();
              boolean interrupted = false;
              while (release.getCount() > 0) {
                try {
                  release.await();
                } catch (InterruptedException e) {
                  interrupted = true;
                }
              }
              return new Result(interrupted);
            })) {
      library.queue().add(new Request("default", "a"));
      assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();

      library.controller().shutdown();

      assertThat(library.workers().isTerminated())
          .as("the reconcile ended before shutdown returned")
          .isFalse();
      release.countDown();
      assertThat(library.workers().awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void oursWaitsForARunningReconcile() throws InterruptedException {
    var began = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var ended = new CountDownLatch(1);
    Controller controller =
        Controller.builder(
                "ours",
                key -> {
                  began.countDown();
                  release.await();
                  ended.countDown();
                  return Requeue.never();
                })
            .build();
    var running = TestControllers.start(controller, ManualTime.create());
    controller.queue().add(ObjectKey.cluster("a"));
    assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();

    try (Actors closers = Actors.onPlatformThreads("closer")) {
      Act<Boolean> closer = closers.start(running::close);
      await().until(() -> closer.thread().getState() == Thread.State.TIMED_WAITING);
      release.countDown();
      closer.get();
    }

    assertThat(ended.getCount()).as("drained before close returned").isZero();
  }
}
