// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualTimeTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final ManualTime time = new ManualTime(START);
  private final List<String> log = new ArrayList<>();

  private void note(String what) {
    log.add(what + "@" + Duration.between(START, time.instant()).toSeconds());
  }

  @Test
  void tasksRunInOrderEachAtItsOwnInstant() {
    time.after(Duration.ofSeconds(20), () -> note("c"));
    time.after(Duration.ofSeconds(10), () -> note("a"));
    time.after(Duration.ofSeconds(10), () -> note("b"));

    time.advance(Duration.ofSeconds(9));
    assertThat(log).isEmpty();

    time.advance(Duration.ofSeconds(21));
    assertThat(log).containsExactly("a@10", "b@10", "c@20");
    assertThat(time.instant()).isEqualTo(START.plusSeconds(30));
  }

  @Test
  void tasksSetByTasksRunInTheSameAdvance() {
    time.after(
        Duration.ofSeconds(1),
        () -> {
          note("a");
          time.after(Duration.ofSeconds(1), () -> note("b"));
          time.at(START, () -> note("past"));
        });

    time.advance(Duration.ofSeconds(5));

    assertThat(log).containsExactly("a@1", "past@1", "b@2");
  }

  @Test
  void cancelledTasksDoNotRun() {
    Cancellable first = time.after(Duration.ofSeconds(1), () -> note("a"));
    time.after(Duration.ofSeconds(2), () -> note("b"));
    assertThat(time.pendingTimers()).isEqualTo(2);

    first.cancel();
    first.cancel();

    assertThat(time.nextTimer()).contains(START.plusSeconds(2));
    time.advance(Duration.ofSeconds(5));
    assertThat(log).containsExactly("b@2");
  }

  @Test
  void runDueDoesNotAdvance() {
    time.at(START.minusSeconds(5), () -> note("a"));
    assertThat(log).isEmpty();

    time.advance(Duration.ZERO);

    assertThat(log).containsExactly("a@0");
    assertThat(time.nextTimer()).isEmpty();
  }

  @Test
  void timeDoesNotGoBack() {
    assertThatThrownBy(() -> time.advanceTo(START.minusSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("back");
  }

  @Test
  void aTaskThatThrowsStopsTheAdvanceAtItsInstant() {
    time.after(
        Duration.ofSeconds(3),
        () -> {
          throw new IllegalStateException("boom");
        });
    time.after(Duration.ofSeconds(4), () -> note("b"));

    assertThatThrownBy(() -> time.advance(Duration.ofSeconds(9))).hasMessage("boom");
    assertThat(time.instant()).isEqualTo(START.plusSeconds(3));
    time.advance(Duration.ofSeconds(1));
    assertThat(log).containsExactly("b@4");
  }

  @Test
  void aClosedSourceTakesNoTimers() {
    time.after(Duration.ofSeconds(1), () -> note("a"));
    time.close();

    time.advance(Duration.ofSeconds(5));
    assertThat(log).isEmpty();
    assertThatThrownBy(() -> time.at(START, () -> note("b")))
        .isInstanceOf(IllegalStateException.class);
  }
}
