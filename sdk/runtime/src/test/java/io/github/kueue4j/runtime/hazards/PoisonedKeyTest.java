/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime.hazards;

import static io.github.kueue4j.runtime.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.is;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.Controller;
import io.github.kueue4j.runtime.Reconciler;
import io.github.kueue4j.runtime.Requeue;
import io.github.kueue4j.runtime.TestControllers;
import io.kubernetes.client.extended.controller.DefaultController;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.extended.workqueue.DefaultRateLimitingQueue;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A reconciler that returns null leaves its key "in process" for ever. */
class PoisonedKeyTest {

  private static final ObjectKey KEY = new ObjectKey("default", "a");

  @Test
  void theLibraryNeverReconcilesTheKeyAgain() {
    var calls = new AtomicInteger();
    var queue = new DefaultRateLimitingQueue<Request>(Executors.newSingleThreadExecutor());
    var controller = rawController(calls, queue);
    Thread runner = Thread.ofPlatform().daemon().start(controller);
    try {
      queue.add(new Request("default", "a"));
      await().untilAtomic(calls, is(1));
      queue.add(new Request("default", "a"));
      queue.add(new Request("default", "other"));

      await().untilAtomic(calls, is(2));
      // The other key was handled after it; ours waits behind its own first reconcile.
      assertThat(queue.length()).isZero();
      assertThat(calls).hasValue(2);
    } finally {
      controller.shutdown();
      runner.interrupt();
    }
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // The very thing: a reconciler that returns null.
  private static DefaultController rawController(
      AtomicInteger calls, DefaultRateLimitingQueue<Request> queue) {
    var controller =
        new DefaultController(
            "raw",
            request -> {
              calls.incrementAndGet();
              return request.getName().equals("a") ? null : new Result(false);
            },
            queue);
    controller.setWorkerCount(1);
    controller.setWorkerThreadPool(Executors.newScheduledThreadPool(1));
    return controller;
  }

  @Test
  @SuppressWarnings("NullAway") // Unannotated code may return null whatever we declare.
  void oursTriesAgainAfterNull() {
    retriesAfter(key -> null);
  }

  @Test
  void oursTriesAgainAfterAnException() {
    retriesAfter(
        key -> {
          throw new IllegalStateException("provoked");
        });
  }

  @Test
  void oursTriesAgainAfterAnError() {
    retriesAfter(
        key -> {
          throw new LinkageError("provoked");
        });
  }

  /** The first reconcile goes wrong, the second, after the backoff, works. */
  private static void retriesAfter(Reconciler wrong) {
    var time = ManualTime.create();
    var calls = new AtomicInteger();
    Reconciler reconciler =
        key -> calls.incrementAndGet() == 1 ? wrong.reconcile(key) : Requeue.never();
    Controller controller =
        Controller.builder("ours", reconciler)
            .errorBackoff(Duration.ofSeconds(1), Duration.ofSeconds(8))
            .build();
    try (var running = TestControllers.start(controller, time)) {
      controller.queue().add(KEY);
      await().until(() -> controller.queue().timers() == 1);
      assertThat(calls).hasValue(1);

      time.advance(Duration.ofSeconds(1));

      await().untilAtomic(calls, is(2));
      assertThat(running.reconciles("error")).isEqualTo(1);
    }
  }
}
