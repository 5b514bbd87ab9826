// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class StatusThrottleTest {
  private static final Duration INTERVAL = Duration.ofSeconds(3);
  private static final ObjectKey QUEUE = ObjectKey.cluster("a");
  private static final ObjectKey OTHER = ObjectKey.cluster("b");

  private final ManualTime time = ManualTime.create();
  private final StatusThrottle throttle = new StatusThrottle(time, INTERVAL);

  @Test
  void aRepeatedRequestNeedNotBeQueuedAgain() {
    assertThat(throttle.request(QUEUE)).isTrue();
    assertThat(throttle.request(QUEUE)).isFalse();
    assertThat(throttle.request(OTHER)).isTrue();
  }

  @Test
  void aRequestDuringAComputationLeadsToAnotherOne() {
    throttle.request(QUEUE);

    assertThat(throttle.tryStart(QUEUE)).isEmpty();

    assertThat(throttle.request(QUEUE)).isTrue();
  }

  @Test
  void aStartThatIsTooEarlyIsRepeatedOnceHoweverManyRequestsThereAre() {
    throttle.tryStart(QUEUE);
    throttle.startInterval(QUEUE);
    Instant next = time.instant().plus(INTERVAL);
    time.advance(Duration.ofSeconds(1));

    assertThat(throttle.request(QUEUE)).isTrue();
    assertThat(throttle.tryStart(QUEUE)).contains(next);
    assertThat(throttle.request(QUEUE)).isFalse();

    time.advance(Duration.ofSeconds(2));
    assertThat(throttle.tryStart(QUEUE)).isEmpty();
    assertThat(throttle.request(QUEUE)).isTrue();
  }

  @Test
  void aRepeatedStartCountsAsRequested() {
    throttle.tryStart(QUEUE);
    throttle.startInterval(QUEUE);

    assertThat(throttle.tryStart(QUEUE)).isPresent();
    assertThat(throttle.request(QUEUE)).isFalse();
  }

  @Test
  void aComputationThatDoesNotCountBeginsNoInterval() {
    throttle.tryStart(QUEUE);

    assertThat(throttle.tryStart(QUEUE)).isEmpty();
  }

  @Test
  void aClockThatIsSetBackDelaysNothing() {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    StatusThrottle setBack = new StatusThrottle(now::get, INTERVAL);
    setBack.tryStart(QUEUE);
    setBack.startInterval(QUEUE);

    now.set(Instant.EPOCH.minus(Duration.ofHours(1)));

    assertThat(setBack.tryStart(QUEUE)).isEmpty();
  }

  @Test
  void aDeletedObjectHasNoInterval() {
    throttle.tryStart(QUEUE);
    throttle.startInterval(QUEUE);
    throttle.forget(QUEUE);

    assertThat(throttle.tryStart(QUEUE)).isEmpty();
  }
}
