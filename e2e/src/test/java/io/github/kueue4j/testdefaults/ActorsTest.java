// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ActorsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  /** Play those that use the actors. */
  @AutoClose private final Actors testers = Actors.named("tester");

  @Test
  void refusesWorkAfterTheClose() {
    Actors actors = Actors.named("user");
    actors.close();
    AtomicBoolean done = new AtomicBoolean();

    Act<Boolean> late = actors.start(() -> done.set(true));

    assertThat(late.hasEnded()).isTrue();
    assertThat(done).isFalse();
    assertThatThrownBy(late::get)
        .isInstanceOf(CancellationException.class)
        .hasMessage("user-1 was not begun: its actors are closed");
    assertThatThrownBy(() -> actors.pool(1)).isInstanceOf(IllegalStateException.class);
    actors.close();
  }

  @Test
  void theCloseInterruptsAndWaitsUntilAllHaveEnded() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    Actors actors = Actors.named("user");
    actors.start(
        () -> {
          try {
            begun.countDown();
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            release.await();
            ended.set(true);
          }
        });
    begun.await();

    Act<Boolean> closing = testers.start(actors::close);
    interrupted.await();
    await().until(() -> closing.thread().getState() == Thread.State.TIMED_WAITING);
    assertThat(closing.hasEnded()).isFalse();
    assertThat(actors.running()).isEqualTo(1);
    release.countDown();

    closing.get();
    assertThat(ended).isTrue();
    assertThat(actors.running()).isZero();
  }

  @Test
  void whatIsStillToComeIsNotDone() {
    AtomicBoolean done = new AtomicBoolean();
    try (Actors actors = Actors.named("user")) {
      actors.after(Duration.ofDays(1), () -> done.set(true));
    }
    assertThat(done).isFalse();
  }

  @Test
  void whatFailsAfterTheCloseBeganIsForgiven() throws Exception {
    Actors actors = Actors.named("user");
    Act<Boolean> act =
        actors.start(
            () -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                throw new IOException("the connection was reset", e);
              }
            });
    begun.await();

    actors.close();

    assertThatThrownBy(act::get)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void whatFailedBeforeIsThrownByTheClose() {
    Actors actors = Actors.named("user");
    actors.start(ActorsTest::fail).await();
    actors.start(ActorsTest::fail).await();

    assertThatThrownBy(actors::close)
        .isInstanceOf(AssertionError.class)
        .hasMessage("user-1 failed: java.io.IOException: provoked")
        .hasCauseInstanceOf(IOException.class)
        .satisfies(
            error ->
                assertThat(error.getSuppressed()).singleElement().asString().contains("user-2"));
    actors.close();
  }

  private static void fail() throws IOException {
    throw new IOException("provoked");
  }

  @Test
  void whatAnAskerSawIsNotThrownAgain() {
    try (Actors actors = Actors.named("user")) {
      Act<Integer> question = actors.ask(() -> Integer.parseInt("none"));
      assertThatThrownBy(question::get).isInstanceOf(NumberFormatException.class);
      actors.throwIfFailed();
    }
  }

  @Test
  void aLoopThatWaitsForWhatActorsDoHearsOfFailures() {
    try (Actors actors = Actors.named("user")) {
      actors.start(ActorsTest::fail).await();
      assertThatThrownBy(actors::throwIfFailed).hasMessageContaining("user-1 failed");
    }
  }

  @Test
  void whatFailsBecauseItWasCanceledIsForgiven() throws Exception {
    try (Actors actors = Actors.named("user")) {
      Act<Boolean> act =
          actors.start(
              () -> {
                begun.countDown();
                new CountDownLatch(1).await();
              });
      begun.await();
      act.cancel();
      act.await();

      assertThat(act.hasEnded()).isTrue();
      assertThatCode(actors::throwIfFailed).doesNotThrowAnyException();
    }
  }

  @Test
  void whatDoesNotEndIsNamedWithItsPlace() throws Exception {
    Actors actors = Actors.patient(Duration.ofMillis(50), "stubborn");
    Act<Boolean> act = actors.start(this::ignoreInterrupts);
    begun.await();

    assertThatThrownBy(actors::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("stubborn-1 does not end; it is at\n")
        .hasMessageContaining("ActorsTest.ignoreInterrupts");
    assertThatThrownBy(act::get)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("stubborn-1 does not end");

    release.countDown();
    assertThat(act.get(LONG)).isTrue();
    actors.close();
  }

  @Test
  void aPoolThatDoesNotEndIsNamed() throws Exception {
    Actors actors = Actors.patient(Duration.ofMillis(50), "stubborn");
    ExecutorService pool = actors.pool(1);
    pool.execute(this::ignoreInterrupts);
    begun.await();

    assertThatThrownBy(actors::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("a pool of the actors 'stubborn' does not end");

    release.countDown();
    assertThat(pool.awaitTermination(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private void ignoreInterrupts() {
    begun.countDown();
    boolean interrupted = false;
    while (release.getCount() > 0) {
      try {
        release.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    // The latch may have been counted down before it was waited for.
    assertThat(interrupted || Thread.interrupted()).isTrue();
  }

  @Test
  void poolsEndWithTheActors() {
    ExecutorService pool;
    ExecutorService timers;
    try (Actors actors = Actors.named("user")) {
      pool = actors.pool(2);
      timers = actors.timers(1);
      pool.execute(begun::countDown);
    }
    assertThat(pool.isTerminated()).isTrue();
    assertThat(timers.isTerminated()).isTrue();
  }

  @Test
  void anActorMayCloseItsActors() {
    Actors actors = Actors.named("user");
    Act<Boolean> act = actors.start(actors::close);
    assertThat(act.get()).isTrue();
  }

  @Test
  void onlySomeActAtOnce() {
    AtomicInteger acting = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (Actors actors = Actors.atMost(2, "user")) {
      List<Act<Boolean>> acts = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        acts.add(
            actors.start(
                () -> {
                  most.accumulateAndGet(acting.incrementAndGet(), Math::max);
                  release.await();
                  acting.decrementAndGet();
                }));
      }
      await().until(() -> acting.get() == 2);
      assertThat(actors.running()).isEqualTo(10);
      release.countDown();
      acts.forEach(Act::get);
    }
    assertThat(most).hasValue(2);
  }

  @Test
  void aFailureGivesItsPlaceBack() {
    try (Actors actors = Actors.atMost(1, "user")) {
      assertThatThrownBy(actors.start(ActorsTest::fail)::get)
          .isInstanceOf(CompletionException.class);
      assertThat(actors.ask(() -> 1).get()).isEqualTo(1);
    }
  }
}
