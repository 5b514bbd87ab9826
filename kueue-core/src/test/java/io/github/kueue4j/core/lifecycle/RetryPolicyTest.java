// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.kueue4j.api.AdmissionCheckRetry;
import io.github.kueue4j.api.RetryStrategy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {

  @ParameterizedTest
  @CsvSource({"0, 30", "1, 60", "4, 480", "7, 3600", "2000, 3600", "-1, 30"})
  void backoffGrowsWithTheAttemptUpToItsMaximum(int attempt, long seconds) {
    RetryPolicy policy = RetryPolicy.backoff(Duration.ofSeconds(30), 2, Duration.ofHours(1));
    assertThat(policy.delay(attempt, 0)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void aFixedDelayStaysTheSame() {
    RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(45));
    assertThat(policy.delay(0, 0)).isEqualTo(policy.delay(99, 0)).hasSeconds(45);
  }

  @Test
  void fractionsAreRoundedUp() {
    assertThat(RetryPolicy.fixed(Duration.ofMillis(1500)).delay(0, 0)).hasSeconds(2);
    assertThat(new RetryPolicy(Duration.ofSeconds(10), null, 1.1, 0).delay(1, 0)).hasSeconds(11);
  }

  @Test
  void withoutAMaximumTheDelayIsStillBounded() {
    RetryPolicy policy = new RetryPolicy(Duration.ofSeconds(30), null, 10, 1);
    assertThat(policy.delay(Integer.MAX_VALUE, 0.999)).isLessThan(Duration.ofDays(80_000));
    assertThat(new RetryPolicy(Duration.ZERO, null, 10, 1).delay(Integer.MAX_VALUE, 0)).isZero();
  }

  @Test
  void jitterAddsAtMostItsShare() {
    RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(100)).withJitter(0.2);
    assertThat(policy.delay(0, 0)).hasSeconds(100);
    assertThat(policy.delay(0, 0.999999)).hasSeconds(120);
  }

  @Test
  void refusesValuesOutOfRange() {
    Duration second = Duration.ofSeconds(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryPolicy.fixed(Duration.ofSeconds(-1)));
    assertThatIllegalArgumentException().isThrownBy(() -> new RetryPolicy(second, null, 0.5, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RetryPolicy(second, null, Double.NaN, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new RetryPolicy(second, null, 1, 1.5));
  }

  @Test
  void anObjectIsReadLeniently() {
    AdmissionCheckRetry odd =
        new AdmissionCheckRetry(
            new RetryStrategy("Backoff"), Duration.ofSeconds(-5), null, Double.NaN, 7.0);
    assertThat(RetryPolicy.of(odd)).isEqualTo(new RetryPolicy(Duration.ZERO, null, 1, 1));
    AdmissionCheckRetry unknown =
        new AdmissionCheckRetry(
            new RetryStrategy("Quantum"), Duration.ofSeconds(5), Duration.ofSeconds(9), 3.0, 0.0);
    assertThat(RetryPolicy.of(unknown))
        .isEqualTo(new RetryPolicy(Duration.ofSeconds(5), Duration.ofSeconds(9), 1, 0));
  }
}
