// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.testkit.junit.KueueTest;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How a cluster lets virtual time pass. */
@KueueTest
class VirtualTimeTest {
  private static final Duration STEP = Duration.ofMinutes(1);

  @Test
  void itPassesStepByStepUntilTheConditionHolds(KueueCluster cluster, ManualTime time) {
    Instant start = time.instant();
    AtomicInteger asked = new AtomicInteger();

    cluster.advanceUntil(STEP, "the third question", () -> asked.incrementAndGet() == 3);

    assertThat(time.instant()).isEqualTo(start.plus(STEP.multipliedBy(2)));
  }

  @Test
  void aTimerThatIsSetTooLateForTheFirstStepFires(KueueCluster cluster, ManualTime time) {
    AtomicInteger asked = new AtomicInteger();
    AtomicBoolean fired = new AtomicBoolean();

    cluster.advanceUntil(
        STEP,
        "the timer",
        () -> {
          if (asked.incrementAndGet() == 2) {
            time.after(STEP, () -> fired.set(true));
          }
          return fired.get();
        });

    assertThat(asked).hasValue(3);
  }

  @Test
  void whatNeverHoldsEndsWithThePatience() {
    try (ManualTime time = ManualTime.create();
        KueueCluster cluster = KueueCluster.of(time, Duration.ofMillis(1))) {
      assertThatThrownBy(() -> cluster.advanceUntil(STEP, "rain", () -> false))
          .isInstanceOf(StepFailedException.class)
          .hasMessageStartingWith("waited 1ms in vain for rain; it is");
    }
  }
}
