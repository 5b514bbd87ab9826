// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.core.testing.OneQueue;
import io.github.kueue4j.core.testing.PlainSettings;
import io.github.kueue4j.core.testing.TeamState;
import io.github.kueue4j.core.testing.Unheard;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.Threads;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

@ExpectedLog(level = Level.ERROR, logger = "FatalErrors", message = "An Error ended a thread")
@ExpectedLog(
    level = Level.ERROR,
    logger = "StateLoop",
    message = "Could not apply an event to the scheduler's state")
class StateLoopTest {
  private final AtomicInteger turns = new AtomicInteger();

  @Test
  void aQuestionCausesNoTurnOfTheScheduler() throws Exception {
    State state =
        new State(PlainSettings.create(), new Outbox(), new Unheard() {}, () -> Instant.EPOCH);
    try (ManualTime time = ManualTime.create();
        StateLoop loop =
            new StateLoop(
                state,
                time,
                took -> turns.incrementAndGet(),
                time,
                FatalErrors.endProcess(),
                Threads.platform())) {
      loop.start();
      loop.beginScheduling();
      loop.catchUp();
      // Two questions: the first may have been answered before the turn.
      loop.catchUp();
      assertThat(turns).hasValue(1);

      for (int i = 0; i < 10; i++) {
        assertThat(loop.ask(reports -> reports.clusterQueue("none")).get()).isEmpty();
        assertThat(loop.rests().get()).isTrue();
      }
      assertThat(turns).hasValue(1);

      loop.post(changed -> {});
      loop.catchUp();
      loop.catchUp();
      assertThat(turns).hasValue(2);
    }
  }

  @Test
  void aSnapshotServesUntilSomethingChanges() throws Exception {
    State state =
        new State(PlainSettings.create(), new Outbox(), new Unheard() {}, () -> Instant.EPOCH);
    try (ManualTime time = ManualTime.create();
        StateLoop loop =
            new StateLoop(
                state, time, took -> {}, time, FatalErrors.endProcess(), Threads.platform())) {
      loop.start();
      loop.catchUp();
      var first = loop.snapshot().get();
      assertThat(loop.snapshot().get()).isSameAs(first);

      loop.post(changed -> {});
      assertThat(loop.snapshot().get()).isNotSameAs(first);
    }
  }

  /** It shows what it would do as the leader, so it must not put off what follows from changes. */
  @Test
  void aReplicaThatDoesNotScheduleKnowsTheQuotaOfItsCohorts() throws Exception {
    Queue<String> cohorts = new ConcurrentLinkedQueue<>();
    State.Effects effects =
        new Unheard() {
          @Override
          public void cohortChanged(String cohort) {
            cohorts.add(cohort);
          }
        };
    State state = new State(PlainSettings.create(), new Outbox(), effects, () -> Instant.EPOCH);
    try (ManualTime time = ManualTime.create();
        StateLoop loop =
            new StateLoop(
                state, time, took -> {}, time, FatalErrors.endProcess(), Threads.platform())) {
      loop.start();
      loop.post(
          changed ->
              OneQueue.changeClusterQueue(
                  changed, "cohortName: co, " + TeamState.cpus(1), Instant.EPOCH));

      await().until(() -> cohorts.contains("co"));
    }
  }

  @Test
  void anErrorOfAnEventIsReportedAndEndsLiveness() {
    var reported = new CompletableFuture<String>();
    FatalErrors errors =
        FatalErrors.then((thread, error) -> reported.complete(thread.getName() + ": " + error));
    State state =
        new State(PlainSettings.create(), new Outbox(), new Unheard() {}, () -> Instant.EPOCH);
    try (ManualTime time = ManualTime.create();
        StateLoop loop = new StateLoop(state, time, took -> {}, time, errors, Threads.platform())) {
      assertThat(loop.problems()).isEmpty();
      loop.start();
      loop.post(
          broken -> {
            throw new OutOfMemoryError("provoked");
          });

      assertThat(reported.join()).isEqualTo("kueue4j-state: java.lang.OutOfMemoryError: provoked");
      await()
          .until(
              () ->
                  loop.problems().equals(List.of("the thread of the scheduler's state has ended")));
    }
  }

  @Test
  void anExceptionOfAnEventIsNot() throws Exception {
    State state =
        new State(PlainSettings.create(), new Outbox(), new Unheard() {}, () -> Instant.EPOCH);
    try (ManualTime time = ManualTime.create();
        StateLoop loop =
            new StateLoop(
                state, time, took -> {}, time, FatalErrors.endProcess(), Threads.platform())) {
      loop.start();
      loop.post(
          broken -> {
            throw new IllegalStateException("provoked");
          });

      loop.catchUp();
      assertThat(loop.problems()).isEmpty();
    }
  }

  @Test
  void aStepWithoutEndEndsLivenessAndAnIdleLoopDoesNot() throws Exception {
    State state =
        new State(PlainSettings.create(), new Outbox(), new Unheard() {}, () -> Instant.EPOCH);
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (ManualTime clock = ManualTime.create();
        ManualTime wireTime = ManualTime.create();
        StateLoop loop =
            new StateLoop(
                state, clock, took -> {}, wireTime, FatalErrors.endProcess(), Threads.platform())) {
      loop.start();
      // Idle for long: the loop gives its signs of life without an event.
      wireTime.advance(StateLoop.STUCK_AFTER.plusSeconds(1));
      await().until(() -> loop.problems().isEmpty());

      loop.post(
          endless -> {
            stuck.countDown();
            awaitUninterruptibly(release);
          });
      stuck.await();
      // The time of deadlines and timestamps says nothing about the loop.
      clock.advance(Duration.ofHours(1));
      wireTime.advance(StateLoop.STUCK_AFTER);
      assertThat(loop.problems()).isEmpty();
      wireTime.advance(Duration.ofSeconds(1));
      assertThat(loop.problems())
          .containsExactly("the scheduler's state has taken no step for 61 s");

      release.countDown();
      await().until(() -> loop.problems().isEmpty());
    } finally {
      release.countDown();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
