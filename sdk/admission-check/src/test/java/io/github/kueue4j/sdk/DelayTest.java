// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DelayTest {

  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
  private final Random random = new Random(1);

  @Test
  void noDelayIsNotADelayOfZero() {
    assertThat(Delay.none().resolve(4, NOW, random)).isEmpty();
    assertThat(Delay.exactly(Duration.ZERO).resolve(4, NOW, random)).hasValue(Duration.ZERO);
  }

  @Test
  void isRoundedUpToWholeSeconds() {
    assertThat(Delay.exactly(Duration.ofMillis(1)).resolve(0, NOW, random))
        .hasValue(Duration.ofSeconds(1));
    assertThat(Delay.exactly(Duration.ofSeconds(20)).resolve(0, NOW, random))
        .hasValue(Duration.ofSeconds(20));
    assertThat(
            Delay.from(Backoff.exponential(Duration.ofMillis(300), 2).withoutJitter())
                .resolve(2, NOW, random))
        .hasValue(Duration.ofSeconds(2));
  }

  @Test
  void neverExceedsWhatTheFieldHolds() {
    assertThat(Delay.exactly(Duration.ofDays(1_000_000)).resolve(0, NOW, random))
        .hasValue(Duration.ofSeconds(Integer.MAX_VALUE));
  }

  @Test
  void aNegativeDelayIsRefused() {
    assertThatThrownBy(() -> Delay.exactly(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("negative");
  }

  @Test
  void aReasonIsOneWordForMachines() {
    assertThat(Reason.of("DailyBudgetExhausted")).hasToString("DailyBudgetExhausted");
    for (String bad : new String[] {"", "two words", "lower", "Dash-ed", "A".repeat(65)}) {
      assertThatThrownBy(() -> Reason.of(bad)).hasMessageContaining("upper-camel-case");
    }
  }
}
