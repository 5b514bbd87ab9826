/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequestLimitTest {
  @Test
  void aBurstGoesAtOnceThenOneAtATime() {
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
  void whatWasNotUsedIsSavedUpToTheBurst() {
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
