// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CountsPaceTest {
  private static final Duration INTERVAL = Duration.ofSeconds(3);
  private static final ObjectKey FIRST = queue(0);

  private final ManualTime time = ManualTime.create();
  private final CountsPace pace = new CountsPace(time, INTERVAL);

  private static ObjectKey queue(int number) {
    return ObjectKey.cluster("queue-" + number);
  }

  private void write(int queues) {
    IntStream.range(0, queues).mapToObj(CountsPaceTest::queue).forEach(pace::written);
  }

  /** How long the first queue's counts wait from now on. */
  private Duration pause() {
    Duration passed = Duration.ZERO;
    while (!pace.due(FIRST)) {
      time.advance(Duration.ofSeconds(1));
      passed = passed.plusSeconds(1);
    }
    return passed;
  }

  @Test
  void aQueueThatWasNotWrittenIsDueAtOnce() {
    write(100);

    assertThat(pace.due(queue(100))).isTrue();
  }

  @Test
  void twelveQueuesAreWrittenOncePerInterval() {
    write(12);

    assertThat(pause()).isEqualTo(INTERVAL);
  }

  @Test
  void moreQueuesShareTheSameNumberOfWrites() {
    write(40);

    assertThat(pause()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void noPauseIsLongerThanFiveIntervalsHoweverManyQueuesThereAre() {
    write(10_000);

    assertThat(pause()).isEqualTo(INTERVAL.multipliedBy(5));
  }

  @Test
  void queuesAtRestDoNotCount() {
    write(40);
    time.advance(INTERVAL.multipliedBy(5));
    write(3);

    assertThat(pause()).isLessThanOrEqualTo(INTERVAL);
  }

  @Test
  void queuesThatAreGoneDoNotCount() {
    write(40);
    IntStream.range(1, 40).mapToObj(CountsPaceTest::queue).forEach(pace::forget);

    assertThat(pause()).isLessThanOrEqualTo(INTERVAL);
  }

  @Test
  void aClockThatIsSetBackDelaysNothing() {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    CountsPace setBack = new CountsPace(now::get, INTERVAL);
    setBack.written(FIRST);

    now.set(Instant.EPOCH.minus(Duration.ofHours(1)));

    assertThat(setBack.due(FIRST)).isTrue();
  }
}
