// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static io.github.kueue4j.runtime.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.Controller;
import io.github.kueue4j.runtime.Requeue;
import io.github.kueue4j.runtime.TestControllers;
import io.kubernetes.client.extended.controller.DefaultController;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.extended.workqueue.DefaultRateLimitingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The library's shutdown neither waits for a running reconcile nor ends one that hangs. */
class SwallowedInterruptTest {

  @Test
  void theLibraryReturnsFromShutdownWhileAReconcileGoesOn() throws InterruptedException {
    var began = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var pool = new ScheduledThreadPoolExecutor(1);
    var queue = new DefaultRateLimitingQueue<Request>(Executors.newSingleThreadExecutor());
    var controller = rawController(began, release, pool, queue);
    Thread runner = Thread.ofPlatform().daemon().start(controller);
    queue.add(new Request("default", "a"));
    assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();

    controller.shutdown();

    assertThat(pool.isTerminated()).as("the reconcile ended before shutdown returned").isFalse();
    release.countDown();
    assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    runner.interrupt();
  }

  @SuppressWarnings("unchecked") // An empty array of a generic type is safe.
  private static DefaultController rawController(
      CountDownLatch began,
      CountDownLatch release,
      ScheduledThreadPoolExecutor pool,
      DefaultRateLimitingQueue<Request> queue) {
    var controller =
        new DefaultController(
            "raw",
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
            },
            queue);
    controller.setWorkerCount(1);
    controller.setWorkerThreadPool(pool);
    return controller;
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

    Thread closer = Thread.ofPlatform().start(running::close);
    await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
    release.countDown();
    closer.join();

    assertThat(ended.getCount()).as("drained before close returned").isZero();
  }
}
