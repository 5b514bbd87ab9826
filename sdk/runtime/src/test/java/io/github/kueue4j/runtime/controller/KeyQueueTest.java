// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.ErrorBackoff;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyQueueTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = ManualTime.create();
  private final Instant start = time.instant();
  private final KeyQueue<String> queue =
      new KeyQueue<>(time, new ErrorBackoff(SECOND, Duration.ofSeconds(5)));

  private void takeAndFinish(String expected) throws InterruptedException {
    assertThat(queue.length()).isEqualTo(1);
    assertThat(queue.take()).isEqualTo(expected);
    queue.done(expected);
  }

  @Test
  void aWaitingKeyIsQueuedOnce() throws InterruptedException {
    queue.add("a");
    queue.add("a");
    takeAndFinish("a");
    assertThat(queue.length()).isZero();
  }

  @Test
  void aKeyThatIsAddedWhileInProcessIsHandedOutAgain() throws InterruptedException {
    queue.add("a");
    assertThat(queue.take()).isEqualTo("a");
    queue.add("a");
    queue.add("a");
    assertThat(queue.length()).as("never two workers on one key").isZero();
    queue.done("a");
    takeAndFinish("a");
    assertThat(queue.length()).isZero();
  }

  private KeyQueue<String> shared(int workers) {
    return new KeyQueue<>(
        time,
        new ErrorBackoff(SECOND, Duration.ofSeconds(5)),
        new WaitingKeys.Sharing<>(key -> key.substring(0, 1), SharedPlaces.of(workers)));
  }

  @Test
  void groupsTakeTurns() throws InterruptedException {
    KeyQueue<String> shared = shared(8);
    for (String key : List.of("a1", "a2", "a3", "b1", "c1", "b2")) {
      shared.add(key);
    }
    for (String expected : List.of("a1", "b1", "c1", "a2", "b2", "a3")) {
      assertThat(shared.take()).isEqualTo(expected);
      shared.done(expected);
    }
    assertThat(shared.isIdle()).isTrue();
  }

  @Test
  void aGroupThatHasItsShareOfTheWorkersWaits() throws InterruptedException {
    KeyQueue<String> shared = shared(4);
    for (String key : List.of("a1", "a2", "a3", "a4", "a5")) {
      shared.add(key);
    }
    for (String expected : List.of("a1", "a2", "a3")) {
      assertThat(shared.take()).isEqualTo(expected);
    }
    shared.add("b1");
    assertThat(shared.take()).isEqualTo("b1");
    shared.done("b1");
    shared.done("a2");
    assertThat(shared.take()).isEqualTo("a4");
    assertThat(shared.length()).isEqualTo(1);
  }

  @Test
  void keysOfLowPriorityComeAfterTheOthersButGetEveryEighthTurn() throws InterruptedException {
    queue.addLowPriority("low-1");
    queue.addLowPriority("low-2");
    queue.addLowPriority("low-1");
    List<String> others = IntStream.rangeClosed(1, 10).mapToObj(n -> "other-" + n).toList();
    others.forEach(queue::add);
    List<String> expected = new ArrayList<>(others);
    expected.add(7, "low-1");
    expected.add("low-2");

    assertThat(queue.length()).isEqualTo(12);
    List<String> taken = new ArrayList<>();
    while (queue.length() > 0) {
      String key = Objects.requireNonNull(queue.take());
      taken.add(key);
      queue.done(key);
    }

    assertThat(taken).isEqualTo(expected);
    assertThat(queue.isIdle()).isTrue();
  }

  @Test
  void aKeyOfLowPriorityIsBroughtForwardByAnAdd() throws InterruptedException {
    queue.addLowPriority("low-1");
    queue.addLowPriority("low-2");
    queue.add("low-2");
    queue.addLowPriority("low-2");

    assertThat(queue.length()).isEqualTo(2);
    assertThat(queue.take()).isEqualTo("low-2");
    queue.addLowPriority("low-2");
    assertThat(queue.length()).as("never two workers on one key").isEqualTo(1);
    queue.done("low-2");
    assertThat(queue.take()).isEqualTo("low-2");
    queue.done("low-2");
    takeAndFinish("low-1");
    assertThat(queue.isIdle()).isTrue();
  }

  @Test
  void aWorkerWakesForAKeyOfLowPriority() throws Exception {
    try (Actors workers = Actors.named("worker")) {
      Act<String> taken = workers.ask(queue::take);
      queue.addLowPriority("low");
      assertThat(taken.get()).isEqualTo("low");
    }
  }

  @Test
  void whereGroupsShareTheWorkersThereIsNoLowPriority() throws InterruptedException {
    KeyQueue<String> shared = shared(8);
    shared.addLowPriority("a1");
    shared.add("b1");
    assertThat(shared.take()).isEqualTo("a1");
    shared.done("a1");
    assertThat(shared.take()).isEqualTo("b1");
  }

  @Test
  void aWorkerThatWaitsForAKeyOfAnotherGroupGetsOneThatComesLater() throws Exception {
    KeyQueue<String> shared = shared(4);
    for (String key : List.of("a1", "a2", "a3", "a4")) {
      shared.add(key);
    }
    for (int worker = 0; worker < 3; worker++) {
      shared.take();
    }
    try (Actors workers = Actors.named("worker")) {
      Act<String> taken = workers.ask(shared::take);
      shared.add("b1");
      assertThat(taken.get()).isEqualTo("b1");

      Act<String> next = workers.ask(shared::take);
      shared.done("a1");
      assertThat(next.get()).isEqualTo("a4");
    }
  }

  @Test
  void theEarliestDelayedAddWins() throws InterruptedException {
    queue.addAt("a", start.plusSeconds(10));
    queue.addAt("a", start.plusSeconds(3));
    queue.addAt("a", start.plusSeconds(20));
    assertThat(queue.timers()).isEqualTo(1);

    time.advance(Duration.ofSeconds(3));
    takeAndFinish("a");
    assertThat(queue.timers()).as("one add per key is enough").isZero();
  }

  @Test
  void aReplacedTimerMayMoveBothWays() throws InterruptedException {
    queue.replaceTimer("a", start.plusSeconds(3));
    queue.replaceTimer("a", start.plusSeconds(10));
    time.advance(Duration.ofSeconds(9));
    assertThat(queue.length()).isZero();
    queue.replaceTimer("a", start.plusSeconds(9));
    takeAndFinish("a");
    queue.replaceTimer("a", start.plusSeconds(30));
    queue.cancelTimer("a");
    assertThat(queue.timers()).isZero();
    assertThat(time.pendingTimers()).as("nothing stays armed").isZero();
  }

  @Test
  void aReplacedTimerNeverLosesADelayedAdd() throws InterruptedException {
    queue.addAt("a", start.plusSeconds(3));
    queue.replaceTimer("a", start.plusSeconds(10));
    queue.cancelTimer("a");
    time.advance(Duration.ofSeconds(3));
    takeAndFinish("a");
  }

  @Test
  void failuresBackOffUpToTheCapUntilForgotten() throws InterruptedException {
    for (int seconds : new int[] {1, 2, 4, 5, 5}) {
      queue.addAfterFailure("a");
      time.advance(Duration.ofSeconds(seconds).minusNanos(1));
      assertThat(queue.length()).isZero();
      time.advance(Duration.ofNanos(1));
      takeAndFinish("a");
    }
    assertThat(queue.failures("a")).isEqualTo(5);
    queue.forget("a");
    assertThat(queue.failures("a")).isZero();

    queue.addAfterFailure("a");
    queue.forget("a");
    assertThat(queue.timers()).as("a success cancels the pending backoff").isZero();
  }

  @Test
  void oneTimerOfTheSourceServesAllKeys() {
    queue.addAt("a", start.plusSeconds(10));
    queue.addAt("b", start.plusSeconds(5));
    queue.addAt("c", start.plusSeconds(20));
    assertThat(time.pendingTimers()).isEqualTo(1);
    assertThat(time.nextTimer()).contains(start.plusSeconds(5));

    time.advance(Duration.ofSeconds(30));
    assertThat(queue.length()).isEqualTo(3);
  }

  /** The machine's clock, which may be set; {@link #time} is the monotonic one beside it. */
  private final ManualTime clock = ManualTime.create();

  private final KeyQueue<String> timed =
      new KeyQueue<>(clock.withSteady(time), new ErrorBackoff(SECOND, Duration.ofSeconds(5)));

  /** Simulated time that passes an instant while a timer is being set for it. */
  private record PassingTime(ManualTime clock) implements TimeSource {
    @Override
    public Instant instant() {
      return clock.instant();
    }

    @Override
    public Cancellable at(Instant when, Runnable task) {
      clock.advanceTo(when);
      return clock.at(when, task);
    }

    @Override
    public void close() {
      clock.close();
    }
  }

  @Test
  void anInstantThatPassesWhileItsTimerIsSetIsNotMissed() throws InterruptedException {
    try (PassingTime passing = new PassingTime(ManualTime.create())) {
      KeyQueue<String> timed =
          new KeyQueue<>(passing, new ErrorBackoff(SECOND, Duration.ofSeconds(5)));
      timed.replaceTimer("a", passing.instant().plus(SECOND));

      assertThat(timed.length()).isEqualTo(1);
      assertThat(timed.timers()).isZero();
      assertThat(passing.clock().pendingTimers()).isZero();
    }
  }

  @Test
  void delaysPassWhileTheClockStandsStill() {
    timed.addAfterFailure("failed");
    timed.replaceTimerAfter("requeued", SECOND);
    timed.addAfter("added", SECOND);
    timed.replaceSteadyTimer("steady", time.instant().plus(SECOND));
    clock.advance(Duration.ofHours(1));
    assertThat(timed.timers()).isEqualTo(4);

    time.advance(SECOND);

    assertThat(timed.length()).isEqualTo(4);
    assertThat(timed.timers()).isZero();
  }

  @Test
  void instantsAreThoseOfTheClock() {
    timed.replaceTimer("a", clock.instant().plus(Duration.ofHours(1)));
    time.advance(Duration.ofHours(2));
    assertThat(timed.length()).isZero();

    clock.advance(Duration.ofHours(1));

    assertThat(timed.length()).isEqualTo(1);
  }

  @Test
  void aRequeueReplacesThatOfTheOtherKind() {
    timed.replaceTimer("a", clock.instant().plus(SECOND));
    timed.replaceTimerAfter("a", Duration.ofSeconds(9));
    assertThat(timed.timers()).isEqualTo(1);
    timed.replaceTimer("a", clock.instant().plus(SECOND));
    assertThat(timed.timers()).isEqualTo(1);
    timed.replaceSteadyTimer("a", time.instant().plus(SECOND));
    assertThat(timed.timers()).isEqualTo(1);
    assertThat(clock.pendingTimers()).isZero();
    timed.cancelTimer("a");
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void aTimerInThePastIsAnAdd() throws InterruptedException {
    queue.addAt("a", start.minusSeconds(5));
    takeAndFinish("a");
    assertThat(queue.timers()).isZero();
  }

  @Test
  void shuttingDownWakesWorkersAndDropsTimers() throws InterruptedException {
    try (Actors workers = Actors.onPlatformThreads("worker")) {
      Act<Boolean> worker = workers.start(queue::take);
      await().until(() -> worker.thread().getState() == Thread.State.WAITING);
      queue.addAt("a", start.plusSeconds(1));

      queue.shutDown();

      worker.get();
    }
    queue.add("b");
    queue.addAfter("c", SECOND);
    assertThat(queue.length() + queue.timers() + time.pendingTimers()).isZero();
    assertThat(queue.take()).isNull();
  }
}
