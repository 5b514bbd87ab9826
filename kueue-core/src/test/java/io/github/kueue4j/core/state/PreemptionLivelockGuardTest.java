// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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

class PreemptionLivelockGuardTest {
  private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");
  private static final QueuedWorkload WORKLOAD =
      QueuedWorkload.of(new ObjectKey("team", "w"), "uid", "lq", 0, START, List.of());

  private final PreemptionLivelockGuard guard = new PreemptionLivelockGuard();
  private Instant now = START;

  @Test
  void pausesGrowFromAMinuteToAnHour() {
    List<Long> minutes = new ArrayList<>();
    for (int round = 1; round <= 12; round++) {
      minutes.add(round(Duration.ofSeconds(90)).map(Duration::toMinutes).orElse(0L));
    }

    assertThat(minutes).containsExactly(0L, 0L, 0L, 1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
  }

  @Test
  void preemptionIsSuspendedDuringAPauseOnly() {
    for (int i = 0; i < 4; i++) {
      round(Duration.ofSeconds(90));
    }

    assertThat(guard.restrict(WORKLOAD, now).preemptionSuspended()).isTrue();
    assertThat(guard.restrict(WORKLOAD, now.plusSeconds(59)).preemptionSuspended()).isTrue();
    assertThat(guard.restrict(WORKLOAD, now.plusSeconds(60))).isEqualTo(WORKLOAD);
  }

  @Test
  void anEvictionFromFreeQuotaIsNoPartOfALivelock() {
    for (int i = 0; i < 10; i++) {
      guard.reserved(false);
      assertThat(guard.preempted(now)).isEmpty();
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
  void aLivelockThatHasBecomeSlowStaysSlow() {
    for (int i = 0; i < 12; i++) {
      round(Duration.ofSeconds(90));
    }
    for (int i = 0; i < 48; i++) {
      assertThat(round(Duration.ofMinutes(62))).contains(Duration.ofHours(1));
    }
  }

  @Test
  void oneEvictionCountsOnceHoweverOftenItIsSeen() {
    for (int i = 0; i < 3; i++) {
      round(Duration.ofSeconds(90));
    }
    assertThat(guard.preempted(now)).isEmpty();
    assertThat(round(Duration.ofSeconds(90))).isPresent();
  }

  /** The Workload preempts others and is preempted after a while. */
  private Optional<Duration> round(Duration after) {
    guard.reserved(true);
    now = now.plus(after);
    return guard.preempted(now);
  }
}
