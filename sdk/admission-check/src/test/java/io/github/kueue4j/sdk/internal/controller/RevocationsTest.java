// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.internal.controller.Revocations.Doubt;
import io.github.kueue4j.sdk.internal.controller.Revocations.Obstacle;
import io.github.kueue4j.sdk.internal.controller.Revocations.Ruling;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a Ready may be taken back, as a function of time. */
class RevocationsTest {
  private static final Instant T0 = Instant.parse("2026-06-01T10:00:00Z");

  private Instant now = T0;
  private final Revocations revocations =
      new Revocations(
          new Guards.RevocationLimits(Duration.ofSeconds(30), 2, Duration.ofMinutes(10)),
          () -> now);

  private Ruling rule(String check, @Nullable Doubt before) {
    return revocations.rule(check, before, CheckState.REJECTED, true);
  }

  private Ruling confirmed(String check) {
    return rule(check, new Doubt(CheckState.REJECTED, now.minusSeconds(30), null));
  }

  @Test
  void theSecondAnswerHasToComeLateEnough() {
    Ruling.Wait first = (Ruling.Wait) rule("gate", null);
    assertThat(first.obstacle()).isEqualTo(Obstacle.UNCONFIRMED);
    assertThat(first.in()).isEqualTo(Duration.ofSeconds(30));

    now = T0.plusMillis(29_999);
    Ruling.Wait early = (Ruling.Wait) rule("gate", first.doubt());
    assertThat(early.in()).isEqualTo(Duration.ofMillis(1));
    assertThat(early.doubt()).isEqualTo(first.doubt());

    now = T0.plusSeconds(30);
    assertThat(rule("gate", early.doubt())).isEqualTo(new Ruling.Allowed(true));
  }

  @Test
  void anotherStateIsAnotherFirstAnswer() {
    Doubt retry = new Doubt(CheckState.RETRY, T0.minusSeconds(60), Obstacle.UNCONFIRMED);

    Ruling.Wait ruling = (Ruling.Wait) rule("gate", retry);

    assertThat(ruling.doubt()).isEqualTo(new Doubt(CheckState.REJECTED, T0, null));
  }

  @Test
  void soManyEndWithinTheWindowAndTheNextWhenTheFirstIsOld() {
    assertThat(confirmed("gate")).isEqualTo(new Ruling.Allowed(true));
    now = T0.plusSeconds(60);
    assertThat(confirmed("gate")).isEqualTo(new Ruling.Allowed(true));
    now = T0.plusSeconds(90);
    Ruling.Wait third = (Ruling.Wait) confirmed("gate");
    assertThat(third.obstacle()).isEqualTo(Obstacle.HELD_BACK);
    assertThat(third.in()).isEqualTo(Duration.ofSeconds(510));

    now = T0.plusSeconds(600);
    assertThat(rule("gate", third.doubt())).isEqualTo(new Ruling.Allowed(true));
    assertThat(((Ruling.Wait) confirmed("gate")).in()).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void whatWasNotWrittenDoesNotCount() {
    confirmed("gate");
    confirmed("gate");
    assertThat(confirmed("gate")).isInstanceOf(Ruling.Wait.class);

    revocations.giveBack("gate");
    revocations.giveBack("unknown");

    assertThat(confirmed("gate")).isEqualTo(new Ruling.Allowed(true));
    assertThat(confirmed("gate")).isInstanceOf(Ruling.Wait.class);
  }

  @Test
  void eachCheckHasACountOfItsOwnAndWhatDoesNotRunHasNone() {
    confirmed("gate");
    confirmed("gate");

    assertThat(confirmed("other")).isEqualTo(new Ruling.Allowed(true));
    assertThat(
            revocations.rule(
                "gate",
                new Doubt(CheckState.REJECTED, now.minusSeconds(30), null),
                CheckState.REJECTED,
                false))
        .isEqualTo(new Ruling.Allowed(false));
  }

  @Test
  void withoutLimitsItHoldsAtOnce() {
    assertThat(new Revocations(null, () -> now).rule("gate", null, CheckState.RETRY, true))
        .isEqualTo(new Ruling.Allowed(false));
  }

  @Test
  void limitsThatMakeNoSenseAreRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new Guards.RevocationLimits(Duration.ZERO, 1, second))
        .hasMessageContaining("confirmAfter must be positive");
    assertThatThrownBy(() -> new Guards.RevocationLimits(second, 0, second))
        .hasMessageContaining("at least 1: 0");
    assertThatThrownBy(() -> new Guards.RevocationLimits(second, 1, Duration.ZERO))
        .hasMessageContaining("the window must be positive");
  }
}
