// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.controller.Queues;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.kubernetes.client.extended.workqueue.DefaultDelayingQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The library silently drops delayed adds beyond its buffer of 1,000. */
class LostDelayedAddsTest {

  private static final int THREADS = 16;

  @Test
  void theLibraryLosesAddsThatItsWaitingThreadDoesNotTakeInTime() throws InterruptedException {
    var waitingThread = new HeldExecutor();
    var queue = new DefaultDelayingQueue<Integer>(waitingThread);
    for (int i = 0; i < 5000; i++) {
      queue.addAfter(i, Duration.ofMillis(1));
    }

    AtomicInteger arrived = new AtomicInteger();
    try (Actors threads = Actors.onPlatformThreads("waiting")) {
      waitingThread.release(threads);
      while (arrived.get() < 1000) {
        arrived.incrementAndGet();
        queue.done(queue.get());
      }
      queue.shutDown();
    }

    assertThat(arrived).hasValue(1000);
    assertThat(queue.length()).as("4,000 of 5,000 are lost").isZero();
  }

  @Test
  void oursKeepsAHundredThousandTimers() {
    var time = ManualTime.create();
    var queue = Queues.of(time);
    int perThread = 100_000 / THREADS;
    List<Act<Boolean>> adders = new ArrayList<>();
    var go = new CountDownLatch(1);
    try (Actors threads = Actors.onPlatformThreads("adder")) {
      for (int t = 0; t < THREADS; t++) {
        int first = t * perThread;
        adders.add(
            threads.start(
                () -> {
                  go.await();
                  for (int i = first; i < first + perThread; i++) {
                    queue.addAfter(key(i), Duration.ofMillis(1 + i % 977));
                  }
                }));
      }
      go.countDown();
      adders.forEach(Act::get);
    }
    assertThat(queue.timers()).isEqualTo(100_000);
    assertThat(queue.length()).as("nothing comes early").isZero();

    time.advance(Duration.ofMillis(977));

    assertThat(queue.length()).isEqualTo(100_000);
    assertThat(queue.timers()).isZero();
  }

  @Test
  void oursAddsExactlyWhenDue() {
    var time = ManualTime.create();
    var queue = Queues.of(time);
    Instant due = time.instant().plusSeconds(10);
    queue.addAt(key(1), due);

    time.advanceTo(due.minusNanos(1));
    assertThat(queue.length()).isZero();
    time.advanceTo(due);
    assertThat(queue.length()).isEqualTo(1);
  }

  private static ObjectKey key(int i) {
    return new ObjectKey("default", "object-" + i);
  }

  /** Runs its task when told, as a busy machine would. */
  private static final class HeldExecutor extends AbstractExecutorService {
    private Runnable task = () -> {};

    void release(Actors threads) {
      threads.execute(task);
    }

    @Override
    public void execute(Runnable command) {
      task = command;
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
