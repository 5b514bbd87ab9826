// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.RawController;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.controller.TestControllers;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** A reconciler that returns null leaves its key "in process" for ever. */
@ExpectedLog(level = Level.ERROR, logger = "FatalErrors", message = "An Error ended a thread")
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
class PoisonedKeyTest {

  private static final ObjectKey KEY = new ObjectKey("default", "a");

  @Test
  @SuppressWarnings("NullAway") // The very thing: a reconciler that returns null.
  void theLibraryNeverReconcilesTheKeyAgain() {
    var calls = new AtomicInteger();
    try (var library =
        RawController.start(
            request -> {
              calls.incrementAndGet();
              return request.getName().equals("a") ? null : new Result(false);
            })) {
      library.queue().add(new Request("default", "a"));
      await().untilAtomic(calls, is(1));
      library.queue().add(new Request("default", "a"));
      library.queue().add(new Request("default", "other"));

      await().untilAtomic(calls, is(2));
      // The other key was reconciled afterwards; this one stays marked as in process.
      assertThat(library.queue().length()).isZero();
      assertThat(calls).hasValue(2);
    }
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
  void oursReportsAnErrorAndKeepsTheKey() {
    var reported = new CopyOnWriteArrayList<Error>();
    retriesAfter(
        key -> {
          throw new LinkageError("provoked");
        },
        FatalErrors.then((thread, error) -> reported.add(error)));
    assertThat(reported).singleElement().isInstanceOf(LinkageError.class);
  }

  /** The first reconcile fails, the second, after the backoff, succeeds. */
  private static void retriesAfter(Reconciler wrong) {
    retriesAfter(wrong, FatalErrors.endProcess());
  }

  private static void retriesAfter(Reconciler wrong, FatalErrors fatalErrors) {
    var time = ManualTime.create();
    var calls = new AtomicInteger();
    Reconciler reconciler =
        key -> calls.incrementAndGet() == 1 ? wrong.reconcile(key) : Requeue.never();
    Controller controller =
        Controller.builder("ours", reconciler)
            .errorBackoff(Duration.ofSeconds(1), Duration.ofSeconds(8))
            .build();
    try (var running = TestControllers.start(controller, time, fatalErrors)) {
      controller.queue().add(KEY);
      // The queue counts a timer before it is set.
      Optional<Instant> retry = Optional.of(time.instant().plusSeconds(1));
      await().until(() -> time.nextTimer().equals(retry));
      assertThat(calls).hasValue(1);

      time.advance(Duration.ofSeconds(1));

      await().untilAtomic(calls, is(2));
      assertThat(running.reconciles("error")).isEqualTo(1);
    }
  }
}
