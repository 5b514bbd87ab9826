// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.prometheuscheck.RetryDelay.Exponential;
import io.github.kueue4j.prometheuscheck.RetryDelay.Proportional;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RetryDelayTest {
  private static final Threshold THRESHOLD = Threshold.parse("< 0.5");
  private static final Optional<Duration> NO_SPREAD = Optional.of(Duration.ZERO);

  @Test
  void aFixedDelayIsAlwaysTheSame() {
    assertThat(fixed(Duration.ofMinutes(5), NO_SPREAD).delay(7, 99, THRESHOLD, "u"))
        .isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void aBackoffGrowsWithTheAttemptUpToItsBound() {
    RetryDelay usual =
        new RetryDelay(Optional.empty(), Optional.empty(), Optional.empty(), NO_SPREAD);
    assertThat(usual.delay(0, 9, THRESHOLD, "u")).isEqualTo(Duration.ofSeconds(30));
    assertThat(usual.delay(2, 9, THRESHOLD, "u")).isEqualTo(Duration.ofMinutes(2));
    assertThat(usual.delay(90, 9, THRESHOLD, "u")).isEqualTo(Duration.ofMinutes(10));

    Exponential steep =
        new Exponential(
            Optional.of(Duration.ofMinutes(1)), Optional.of(3.0), Optional.of(Duration.ofHours(1)));
    RetryDelay own =
        new RetryDelay(Optional.empty(), Optional.of(steep), Optional.empty(), NO_SPREAD);
    assertThat(own.delay(1, 9, THRESHOLD, "u")).isEqualTo(Duration.ofMinutes(3));
  }

  @Test
  void aProportionalDelayGrowsWithTheExcess() {
    RetryDelay delay =
        new RetryDelay(
            Optional.empty(),
            Optional.empty(),
            Optional.of(new Proportional(Duration.ofMinutes(1), Duration.ofMinutes(11), 2.5)),
            NO_SPREAD);

    assertThat(delay.delay(5, 0.5, THRESHOLD, "u")).isEqualTo(Duration.ofMinutes(1));
    assertThat(delay.delay(5, 1, THRESHOLD, "u")).isEqualTo(Duration.ofSeconds(60 + 150));
    assertThat(delay.delay(5, 8, THRESHOLD, "u")).isEqualTo(Duration.ofMinutes(11));
    assertThat(delay.delay(5, Double.NaN, THRESHOLD, "u")).isEqualTo(Duration.ofMinutes(11));
  }

  @Test
  void theSpreadIsTheSameForTheSameAttemptAndAtMostAsGiven() {
    RetryDelay delay = fixed(Duration.ofMinutes(1), Optional.of(Duration.ofMinutes(20)));

    Duration first = delay.delay(0, 9, THRESHOLD, "u");
    assertThat(first).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(21));
    assertThat(delay.delay(0, 9, THRESHOLD, "u")).isEqualTo(first);
    assertThat(delay.delay(1, 9, THRESHOLD, "u")).isNotEqualTo(first);
    assertThat(delay.delay(0, 9, THRESHOLD, "other")).isNotEqualTo(first);
    assertThat(fixed(Duration.ofMinutes(1), Optional.empty()).delay(0, 9, THRESHOLD, "u"))
        .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
  }

  @Test
  void noSpreadExceedsTheLongestDelay() {
    RetryDelay usual = RetryDelay.usual();
    RetryDelay day = fixed(Duration.ofHours(24), Optional.of(Duration.ofHours(1)));
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      String uid = new UUID(random.nextLong(), random.nextLong()).toString();
      assertThat(usual.delay(4, 9, THRESHOLD, uid))
          .isBetween(Duration.ofMinutes(8), Duration.ofMinutes(10));
      assertThat(usual.delay(9, 9, THRESHOLD, uid))
          .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10));
      assertThat(day.delay(0, 9, THRESHOLD, uid))
          .isBetween(Duration.ofHours(23), Duration.ofHours(24));
    }
  }

  /**
   * Five thousand come at once during an alarm of 32 minutes and wait 5 to 10 minutes each time.
   * Evenly over the ten minutes after its end at the latest, no second sees more than a few of
   * them.
   */
  @Test
  void fiveThousandThatWaitComeBackSpreadWhenTheAlarmClears() {
    RetryDelay delay = fixed(Duration.ofMinutes(5), Optional.empty());
    Duration alarm = Duration.ofMinutes(32);
    Random random = new Random(1);
    List<Long> returns = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      String uid = new UUID(random.nextLong(), random.nextLong()).toString();
      Duration at = Duration.ZERO;
      for (int attempt = 0; at.compareTo(alarm) < 0; attempt++) {
        at = at.plus(delay.delay(attempt, 9, THRESHOLD, uid));
      }
      returns.add(at.minus(alarm).toSeconds());
    }

    int[] perSecond = new int[601];
    returns.forEach(second -> perSecond[Math.toIntExact(second)]++);
    assertThat(Collections.max(returns)).isLessThanOrEqualTo(600);
    for (int count : perSecond) {
      // The mean at the beginning, where the density is the highest, is 5000 / 450 s = 11.
      assertThat(count).isLessThan(40);
    }
  }

  @Test
  void contradictionsAndBoundsAreTold() {
    assertThatThrownBy(
            () ->
                new RetryDelay(
                    Optional.of(Duration.ofMinutes(1)),
                    Optional.of(
                        new Exponential(Optional.empty(), Optional.empty(), Optional.empty())),
                    Optional.empty(),
                    Optional.empty()))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageContaining("write one of them");
    assertThatThrownBy(() -> fixed(Duration.ofHours(25), Optional.empty()))
        .hasMessageContaining("fixed is 'PT25H': write a duration of at most 24h");
    assertThatThrownBy(() -> fixed(Duration.ofHours(1), Optional.of(Duration.ofSeconds(-1))))
        .hasMessageContaining("spread");
    assertThatThrownBy(() -> new Proportional(Duration.ofMinutes(2), Duration.ofMinutes(1), 1))
        .hasMessageContaining("stressed is 'PT1M': write a delay that is at least relaxed");
    assertThatThrownBy(() -> new Exponential(Optional.empty(), Optional.of(0.5), Optional.empty()))
        .hasMessageContaining("factor");
  }

  private static RetryDelay fixed(Duration delay, Optional<Duration> spread) {
    return new RetryDelay(Optional.of(delay), Optional.empty(), Optional.empty(), spread);
  }
}
