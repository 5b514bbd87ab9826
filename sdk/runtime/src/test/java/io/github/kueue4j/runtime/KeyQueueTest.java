// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import static io.github.kueue4j.runtime.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
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

  @Test
  void aTimerInThePastIsAnAdd() throws InterruptedException {
    queue.addAt("a", start.minusSeconds(5));
    takeAndFinish("a");
    assertThat(queue.timers()).isZero();
  }

  @Test
  void shuttingDownWakesWorkersAndDropsTimers() throws InterruptedException {
    Thread worker = Thread.ofPlatform().start(() -> takeQuietly(queue));
    await().until(() -> worker.getState() == Thread.State.WAITING);
    queue.addAt("a", start.plusSeconds(1));

    queue.shutDown();

    worker.join(Duration.ofSeconds(60));
    assertThat(worker.isAlive()).isFalse();
    queue.add("b");
    queue.addAfter("c", SECOND);
    assertThat(queue.length() + queue.timers() + time.pendingTimers()).isZero();
    assertThat(queue.take()).isNull();
  }

  private static void takeQuietly(KeyQueue<String> queue) {
    try {
      queue.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
