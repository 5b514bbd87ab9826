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
package io.github.kueue4j.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.queue.QueuedWorkload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PreemptionCirclesTest {
  private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");
  private static final QueuedWorkload WORKLOAD =
      QueuedWorkload.of(new ObjectKey("team", "w"), "uid", "lq", 0, START, List.of());

  private final PreemptionCircles circles = new PreemptionCircles();
  private Instant now = START;

  @Test
  void pausesGrowFromAMinuteToAnHour() {
    List<Long> minutes = new ArrayList<>();
    for (int round = 1; round <= 12; round++) {
      Optional<Instant> until = round(Duration.ofSeconds(90));
      minutes.add(until.map(end -> Duration.between(now, end).toMinutes()).orElse(0L));
    }

    assertThat(minutes).containsExactly(0L, 0L, 0L, 1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
  }

  @Test
  void itIsPeacefulDuringAPauseOnly() {
    for (int i = 0; i < 4; i++) {
      round(Duration.ofSeconds(90));
    }

    assertThat(circles.attempt(WORKLOAD, now).peaceful()).isTrue();
    assertThat(circles.attempt(WORKLOAD, now.plusSeconds(59)).peaceful()).isTrue();
    assertThat(circles.attempt(WORKLOAD, now.plusSeconds(60))).isEqualTo(WORKLOAD);
  }

  @Test
  void whoIsEvictedFromQuotaThatWasFreeIsNoPartOfACircle() {
    for (int i = 0; i < 10; i++) {
      circles.reserved(false);
      assertThat(circles.preempted(now)).isEmpty();
    }
    assertThat(round(Duration.ofSeconds(90))).isEmpty();
  }

  @Test
  void fourTimesWithinTwelveHoursCountAndFewerDoNot() {
    for (int i = 0; i < 10; i++) {
      assertThat(round(Duration.ofHours(4).plusSeconds(1))).isEmpty();
    }
    assertThat(round(Duration.ofHours(3))).isPresent();
    assertThat(round(Duration.ofHours(12).plusSeconds(1))).isEmpty();
  }

  @Test
  void aCircleThatHasBecomeSlowStaysSlow() {
    for (int i = 0; i < 12; i++) {
      round(Duration.ofSeconds(90));
    }
    for (int i = 0; i < 48; i++) {
      assertThat(round(Duration.ofMinutes(62))).contains(now.plus(Duration.ofHours(1)));
    }
  }

  @Test
  void oneEvictionCountsOnceHoweverOftenItIsSeen() {
    for (int i = 0; i < 3; i++) {
      round(Duration.ofSeconds(90));
    }
    assertThat(circles.preempted(now)).isEmpty();
    assertThat(round(Duration.ofSeconds(90))).isPresent();
  }

  /** Others are evicted for it, and after a while it is for others. */
  private Optional<Instant> round(Duration after) {
    circles.reserved(true);
    now = now.plus(after);
    return circles.preempted(now);
  }
}
