// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("counts threads")
class TimerThreadTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static long timerThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("kueue4j-timer"))
        .count();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 300, 100_000})
  void tasksRunOnceInOrderAndNeverEarly(double factor) {
    int count = 2_000;
    Random random = new Random(7);
    List<Instant> ran = new CopyOnWriteArrayList<>();
    AtomicInteger early = new AtomicInteger();
    CountDownLatch allAreThere = new CountDownLatch(1);
    try (TimeSource time = TimeSource.scaled(START, factor)) {
      // The order is guaranteed only for tasks that are scheduled in time.
      time.at(Instant.MIN, () -> awaitQuietly(allAreThere));
      for (int i = 0; i < count; i++) {
        // Up to 200 ms of real time ahead.
        Instant when = time.instant().plusNanos((long) (random.nextInt(200_000_000) * factor));
        time.at(
            when,
            () -> {
              if (time.instant().isBefore(when)) {
                early.incrementAndGet();
              }
              ran.add(when);
            });
      }
      allAreThere.countDown();
      await().atMost(Duration.ofSeconds(30)).until(() -> ran.size() >= count);
    }
    assertThat(early).hasValue(0);
    assertThat(ran).hasSize(count).isSorted();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void scaledTimeRunsByItsFactor() throws InterruptedException {
    try (TimeSource time = TimeSource.scaled(START, 300)) {
      long outerStart = System.nanoTime();
      Instant first = time.instant();
      long innerStart = System.nanoTime();
      CountDownLatch fired = new CountDownLatch(1);
      time.at(first.plusSeconds(60), fired::countDown);
      assertThat(fired.await(30, TimeUnit.SECONDS)).isTrue();
      long innerEnd = System.nanoTime();
      Instant last = time.instant();
      long outerEnd = System.nanoTime();

      Duration passed = Duration.between(first, last);
      assertThat(passed)
          .isGreaterThanOrEqualTo(Duration.ofSeconds(60))
          .isBetween(
              Duration.ofNanos((innerEnd - innerStart) * 300).minusMillis(1),
              Duration.ofNanos((outerEnd - outerStart) * 300).plusMillis(1));
    }
  }

  @Test
  void anEarlierTimerWakesTheSleepingThread() throws InterruptedException {
    try (TimeSource time = TimeSource.system()) {
      CountDownLatch late = new CountDownLatch(1);
      CountDownLatch soon = new CountDownLatch(1);
      time.after(Duration.ofDays(40_000_000), late::countDown);
      time.after(Duration.ofMillis(10), soon::countDown);

      assertThat(soon.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(late.getCount()).isEqualTo(1);
    }
  }

  @Test
  void pastInstantsRunAtOnceAndCancelledOnesDoNot() throws InterruptedException {
    try (TimeSource time = TimeSource.system()) {
      CountDownLatch cancelledInTime = new CountDownLatch(1);
      time.at(Instant.MIN, () -> awaitQuietly(cancelledInTime));
      CountDownLatch past = new CountDownLatch(1);
      AtomicInteger cancelled = new AtomicInteger();
      time.after(Duration.ofMillis(50), cancelled::incrementAndGet).cancel();
      CountDownLatch afterIt = new CountDownLatch(1);
      time.after(Duration.ofMillis(100), afterIt::countDown);
      time.at(Instant.MIN, past::countDown);
      cancelledInTime.countDown();

      assertThat(past.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(afterIt.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(cancelled).hasValue(0);
    }
  }

  @Test
  void aTaskThatThrowsOrInterruptsDoesNotStopTheOthers() throws InterruptedException {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    List<Throwable> seen = new CopyOnWriteArrayList<>();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> seen.add(failure));
    try (TimeSource time = TimeSource.system()) {
      CountDownLatch last = new CountDownLatch(1);
      time.at(
          START,
          () -> {
            throw new IllegalStateException("boom");
          });
      time.at(START.plusSeconds(1), () -> Thread.currentThread().interrupt());
      time.after(Duration.ofMillis(50), last::countDown);

      assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(seen).singleElement().satisfies(failure -> assertThat(failure).hasMessage("boom"));
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void startingAndClosingAHundredTimesLeavesNoThread() {
    long before = timerThreads();
    for (int i = 0; i < 100; i++) {
      TimeSource time = i % 2 == 0 ? TimeSource.system() : TimeSource.scaled(START, 300);
      time.after(Duration.ofHours(1), () -> {});
      time.close();
      time.close();
    }
    assertThat(timerThreads()).isEqualTo(before);
  }

  @Test
  void aTaskMayCloseItsOwnSource() {
    TimeSource time = TimeSource.system();
    long before = timerThreads();
    time.at(START, time::close);

    await().until(() -> timerThreads() == before);
    assertThatThrownBy(() -> time.at(START, () -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void manyTimersAreAllKept() {
    AtomicInteger ran = new AtomicInteger();
    int count = 100_000;
    try (TimeSource time = TimeSource.scaled(START, 1_000_000)) {
      for (int i = 0; i < count; i++) {
        time.after(Duration.ofSeconds(i % 1000), ran::incrementAndGet);
      }
      await().atMost(Duration.ofSeconds(30)).untilAtomic(ran, org.hamcrest.Matchers.is(count));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesInvalidFactors(double factor) {
    assertThatThrownBy(() -> TimeSource.scaled(START, factor))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("factor");
  }

  @Test
  void theSystemsTimeHasASteadyCompanionThatClosesWithIt() throws InterruptedException {
    TimeSource steady;
    try (TimeSource system = TimeSource.system()) {
      steady = system.steady();
      assertThat(steady).isNotEqualTo(system);
      assertThat(steady.steady()).isEqualTo(steady);
      CountDownLatch fired = new CountDownLatch(1);
      steady.after(Duration.ofMillis(1), fired::countDown);
      assertThat(fired.await(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThatThrownBy(() -> steady.after(Duration.ZERO, () -> {}))
        .isInstanceOf(IllegalStateException.class);
  }
}
