// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.Quantity;
import java.math.BigInteger;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountTest {

  @ParameterizedTest
  @CsvSource({"100, 100", "0.5, 0.5", "500m, 0.5", "0, 0", "1e3, 1000", "0.004, 0", "0.005, 0.01"})
  void isReadAndShown(String written, String shown) {
    assertThat(Amount.of(Quantity.parse(written))).hasToString(shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1e13", "1e300", "0.0000001"})
  void refusesWhatIsOutOfBounds(String written) {
    assertThatThrownBy(() -> Amount.of(Quantity.parse(written)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("write an amount from 0 to 10^12 with at most 6 decimals");
  }

  @Test
  void aThirdOfAnHourThriceIsAnHour() {
    Rate rate = Rate.of(Quantity.of(7), Quantity.parse("0.1"), Quantity.ONE);
    Amount third = rate.during(Duration.ofMinutes(20));

    assertThat(third.plus(third).plus(third)).isEqualTo(rate.during(Duration.ofHours(1)));
    assertThat(rate.during(Duration.ofHours(1))).hasToString("0.7");
  }

  @Test
  void absurdRequestsCostTheMostThatThereIs() {
    Rate rate = Rate.of(Quantity.parse("1e300"), Quantity.of(1), Quantity.ONE);

    assertThat(rate.during(Duration.ofDays(3650)))
        .isEqualTo(new Amount(BigInteger.TEN.pow(40)))
        .isEqualTo(rate.during(Duration.ofDays(1)).plus(rate.during(Duration.ofDays(1))));
  }

  @Test
  void pricesPerGibibyteAreExact() {
    Rate rate = Rate.of(Quantity.parse("3Gi"), Quantity.parse("0.004"), Quantity.parse("1Gi"));

    assertThat(rate.micros()).isEqualTo(BigInteger.valueOf(12_000));
  }
}
