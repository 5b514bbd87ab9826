// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.sdk.internal.controller.BackendReach.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often an outage is written, and what of it. */
class BackendConditionTest {
  private static final ObjectKey MAIN = ObjectKey.cluster("main");
  private static final Instant T0 = Instant.parse("2026-06-01T12:04:00Z");

  private final ManualTime time = new ManualTime(T0);
  private final BackendCondition condition = new BackendCondition(time, time);
  private List<Condition> object = List.of();

  private static Standing failing(String cause, Instant since) {
    return new Standing.Failing("Unreachable", cause, since);
  }

  /** Writes what follows, if anything does. */
  private BackendCondition.Next write(Standing standing) {
    BackendCondition.Next next = condition.next(MAIN, 1L, object, standing, false);
    if (next.tells(object)) {
      condition.written(MAIN);
    }
    object = next.conditions();
    return next;
  }

  private Condition shown() {
    return Conditions.find(object, BackendCondition.TYPE).orElseThrow();
  }

  @Test
  void nothingIsSaidBeforeTheFirstFailure() {
    assertThat(write(new Standing.Answers()).conditions()).isEmpty();
    assertThat(write(new Standing.Unknown()).conditions()).isEmpty();
  }

  @Test
  void whatFlapsIsWrittenEveryHalfMinute() {
    write(failing("refused", T0));
    assertThat(shown().message()).isEqualTo("refused, since 2026-06-01 12:04 UTC");
    time.advance(Duration.ofSeconds(10));

    assertThat(write(new Standing.Answers()).again()).isEqualTo(T0.plusSeconds(30));
    assertThat(shown().isFalse()).isTrue();

    time.advance(Duration.ofSeconds(20));
    assertThat(write(new Standing.Answers()).again()).isNull();
    assertThat(shown().isTrue()).isTrue();
  }

  @Test
  void anotherCauseOfTheSameOutageIsWrittenEveryFiveMinutes() {
    write(failing("refused", T0));
    time.advance(Duration.ofMinutes(4));

    assertThat(write(failing("too slow", T0)).again()).isEqualTo(T0.plusSeconds(300));

    time.advance(Duration.ofMinutes(1));
    write(failing("too slow", T0));
    assertThat(shown().message()).isEqualTo("too slow, since 2026-06-01 12:04 UTC");
    assertThat(shown().lastTransitionTime()).isEqualTo(T0);
  }

  /** It doesn't know since when; the object does. */
  @Test
  void aControllerThatStartsDuringAnOutageWritesNothing() {
    write(failing("refused", T0));
    time.advance(Duration.ofHours(1));
    BackendCondition another = new BackendCondition(time, time);

    BackendCondition.Next next =
        another.next(MAIN, 1L, object, failing("refused", time.instant()), false);

    assertThat(next.tells(object)).isFalse();
  }
}
