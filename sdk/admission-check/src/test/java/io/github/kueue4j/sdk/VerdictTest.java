// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the message of a Retry announces. */
class VerdictTest {

  private static final Reason FULL = Reason.of("Full");

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT45S, 45 s",
    "PT119S, 119 s",
    "PT119.2S, 2 min",
    "PT2M, 2 min",
    "PT2M29S, 2 min 29 s",
    "PT2M59S, 2 min 59 s",
    "PT4M7.1S, 4 min 8 s",
    "PT9M59.5S, 10 min",
    "PT10M1S, 11 min",
    "PT1H35M, 95 min",
    "PT2H, 2 h",
    "PT14H20M10S, 14 h 21 min",
    "PT47H59M40S, 48 h",
    "P2D, 2 d",
    "P3DT4H20M, 3 d 5 h",
    "P24855DT3H, 24855 d 3 h",
  })
  void theDelayIsSaidAsPeopleReadIt(Duration delay, String text) {
    var retry =
        new Verdict.Retry(FULL, "Again in {delay} (attempt {attempt}).", Delay.exactly(delay));

    assertThat(retry.message(7, delay)).isEqualTo("Again in " + text + " (attempt 7).");
  }

  @Test
  void noDelayCannotBeAnnounced() {
    assertThatThrownBy(() -> Verdict.retry(FULL, "Again in {delay}.", Delay.none()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'Again in {delay}.'")
        .hasMessageContaining("leave out {delay}, or name a delay");
  }

  @Test
  void aDelayOfThreeHundredYearsIsCutToWhatTheFieldHolds() {
    for (Duration endless :
        new Duration[] {
          Duration.ofDays(300 * 365), Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)
        }) {
      assertThat(Delay.exactly(endless).resolve(0, Instant.EPOCH, new Random(1)))
          .contains(Duration.ofSeconds(Integer.MAX_VALUE));
    }
  }
}
