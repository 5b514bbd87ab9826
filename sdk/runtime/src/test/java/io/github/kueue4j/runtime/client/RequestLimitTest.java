// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequestLimitTest {
  @Test
  void aBurstIsSentAtOnceThenOneAtATime() {
    try (ManualTime time = ManualTime.create()) {
      RequestLimit limit = new RequestLimit(time, 4, 3);

      assertThat(take(limit, 5))
          .containsExactly(
              Duration.ZERO,
              Duration.ZERO,
              Duration.ZERO,
              Duration.ofMillis(250),
              Duration.ofMillis(500));
    }
  }

  @Test
  void unusedTokensAreSavedUpToTheBurst() {
    try (ManualTime time = ManualTime.create()) {
      RequestLimit limit = new RequestLimit(time, 4, 3);
      assertThat(take(limit, 3)).containsOnly(Duration.ZERO);

      time.advance(Duration.ofMillis(500));
      assertThat(take(limit, 3))
          .containsExactly(Duration.ZERO, Duration.ZERO, Duration.ofMillis(250));

      time.advance(Duration.ofHours(1));
      assertThat(take(limit, 4))
          .containsExactly(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofMillis(250));
    }
  }

  private static List<Duration> take(RequestLimit limit, int count) {
    return Stream.generate(limit::take).limit(count).toList();
  }
}
