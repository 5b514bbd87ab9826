// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.RawController;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.controller.TestControllers;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** After failures and a success with a requeue delay, the library still counts the failures. */
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
class SurvivingBackoffTest {

  private static final ObjectKey KEY = new ObjectKey("default", "a");
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void theLibraryKeepsTheFailureCountAfterASuccess() {
    var calls = new AtomicInteger();
    try (var library =
        RawController.start(
            request -> calls.incrementAndGet() < 3 ? new Result(true) : new Result(true, HOUR))) {
      var request = new Request("default", "a");
      library.queue().add(request);
      await().untilAtomic(calls, is(3));
      assertThat(library.queue().numRequeues(request))
          .as("failures after the success")
          .isEqualTo(2);
    }
  }

  @Test
  void oursResetsTheFailureCountAfterASuccess() {
    var time = ManualTime.create();
    var calls = new AtomicInteger();
    Controller controller =
        Controller.builder(
                "ours",
                key -> {
                  int call = calls.incrementAndGet();
                  if (call == 3) {
                    return Requeue.after(HOUR);
                  }
                  throw new IllegalStateException("provoked failure " + call);
                })
            .errorBackoff(Duration.ofSeconds(1), Duration.ofMinutes(10))
            .build();
    try (var running = TestControllers.start(controller, time)) {
      controller.queue().add(KEY);
      reconciledAfter(time, controller, calls, Duration.ZERO, 1);
      reconciledAfter(time, controller, calls, Duration.ofSeconds(1), 2);
      reconciledAfter(time, controller, calls, Duration.ofSeconds(2), 3);
      // The third call succeeded: its own delay applies, and the next failure counts as the first.
      reconciledAfter(time, controller, calls, HOUR, 4);
      reconciledAfter(time, controller, calls, Duration.ofSeconds(1), 5);
      assertThat(running.reconciles("requeue_after")).isEqualTo(1);
    }
  }

  /** One nanosecond before, nothing happens. */
  private static void reconciledAfter(
      ManualTime time, Controller controller, AtomicInteger calls, Duration delay, int call) {
    if (!delay.isZero()) {
      await().until(() -> controller.queue().timers() == 1 && time.nextTimer().isPresent());
      time.advance(delay.minusNanos(1));
      assertThat(controller.queue().timers()).as("call %d is not early", call).isEqualTo(1);
      time.advance(Duration.ofNanos(1));
    }
    await().untilAtomic(calls, is(call));
  }
}
