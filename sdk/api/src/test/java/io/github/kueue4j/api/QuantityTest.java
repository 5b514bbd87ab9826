// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

  @ParameterizedTest
  @CsvSource({
    // text, canonical text, exact amount
    "0, 0, 0",
    "0Ki, 0, 0",
    "-0, 0, 0",
    "1, 1, 1",
    "+5, 5, 5",
    "007, 7, 7",
    "1., 1, 1",
    ".5, 500m, 0.5",
    "1n, 1n, 0.000000001",
    "1u, 1u, 0.000001",
    "1m, 1m, 0.001",
    "1k, 1k, 1000",
    "1M, 1M, 1000000",
    "1G, 1G, 1000000000",
    "1T, 1T, 1000000000000",
    "1P, 1P, 1000000000000000",
    "1E, 1E, 1000000000000000000",
    "1000m, 1, 1",
    "1024m, 1024m, 1.024",
    "1500, 1500, 1500",
    "1000, 1k, 1000",
    "100000, 100k, 100000",
    "0.1, 100m, 0.1",
    "-1.5, -1500m, -1.5",
    "1Ki, 1Ki, 1024",
    "1Mi, 1Mi, 1048576",
    "1Gi, 1Gi, 1073741824",
    "1Ti, 1Ti, 1099511627776",
    "1Pi, 1Pi, 1125899906842624",
    "1Ei, 1Ei, 1152921504606846976",
    "1.5Gi, 1536Mi, 1610612736",
    "1.5Ki, 1536, 1536",
    "1024Ki, 1Mi, 1048576",
    "0.5Ki, 512, 512",
    "1.1Ki, 1126400m, 1126.4",
    "-2Ki, -2Ki, -2048",
    "0.0001Ki, 102400u, 0.1024",
    "1e3, 1e3, 1000",
    "1E3, 1e3, 1000",
    "12e6, 12e6, 12000000",
    "100e1, 1e3, 1000",
    "5e0, 5, 5",
    "1e-3, 1e-3, 0.001",
    "1e18, 1e18, 1000000000000000000",
    "1e21, 1e21, 1000000000000000000000",
    "100000000000000000000, 100E, 100000000000000000000",
    "1000000000000000000000, 1e21, 1000000000000000000000",
    "0.0000001, 100n, 0.0000001",
  })
  void readsAndWritesLikeTheApiServer(String text, String canonical, BigDecimal amount) {
    Quantity quantity = Quantity.parse(text);

    assertThat(quantity.amount()).isEqualByComparingTo(amount);
    assertThat(quantity).hasToString(canonical);
    assertThat(Quantity.parse(canonical)).isEqualTo(quantity);
  }

  @ParameterizedTest
  @CsvSource({
    "0.0000000001, 1n",
    "-0.0000000001, -1n",
    "1e-12, 1e-9",
    "1.0000000001, 1000000001n",
    "8Ei, 9223372036854775807",
    "-8Ei, -9223372036854775807",
  })
  void roundsAwayFromZeroAtNanoAndCapsBinaries(String text, String canonical) {
    assertThat(Quantity.parse(text)).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "1 Gi",
        "1gi",
        "1KI",
        "1K",
        "--1",
        "1.2.3",
        "abc",
        "1e",
        "1ee3",
        "Ki",
        "1e1.5",
        "1e999999999",
        "1e99999999999999999999",
        "1e-301",
        "NaN",
        "Infinity",
        "0x10",
        "1_000",
        ".",
        "-",
        "1i",
        "1mm",
        "1,5",
        "1\n",
        "１",
      })
  void refusesGarbage(String text) {
    assertThatThrownBy(() -> Quantity.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("\"" + text + "\" is not a quantity: ")
        .hasMessageContaining("500m");
  }

  @Test
  void doesNotRepeatAHugeTextInItsMessage() {
    assertThatThrownBy(() -> Quantity.parse("9".repeat(10_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .hasSizeLessThan(200);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1000",
    "1m, 1, 1",
    "1500m, 2, 1500",
    "-1500m, -1, -1500",
    "1n, 1, 1",
    "-1n, 0, 0",
    "1Ei, 1152921504606846976, 9223372036854775807",
    "1e30, 9223372036854775807, 9223372036854775807",
    "-1e30, -9223372036854775808, -9223372036854775808",
    "9223372036854775807, 9223372036854775807, 9223372036854775807",
  })
  void valuesRoundUpAndSaturate(String text, long value, long milliValue) {
    assertThat(Quantity.parse(text).value()).isEqualTo(value);
    assertThat(Quantity.parse(text).milliValue()).isEqualTo(milliValue);
  }

  @Test
  void equalAmountsAreEqualHoweverWritten() {
    assertThat(Quantity.parse("1024"))
        .isEqualTo(Quantity.parse("1Ki"))
        .hasSameHashCodeAs(Quantity.parse("1Ki"))
        .isEqualTo(Quantity.parse("1.024e3"))
        .hasSameHashCodeAs(Quantity.parse("1024000m"))
        .isNotEqualTo(Quantity.parse("1025"));
    assertThat(Quantity.parse("0")).hasSameHashCodeAs(Quantity.parse("0.000"));
  }

  @Test
  void arithmeticKeepsTheFormatOfTheFirstUnlessItIsZero() {
    assertThat(Quantity.parse("1Gi").add(Quantity.parse("1Mi"))).hasToString("1025Mi");
    assertThat(Quantity.ZERO.add(Quantity.parse("1Ki"))).hasToString("1Ki");
    assertThat(Quantity.ZERO.subtract(Quantity.parse("1Ki"))).hasToString("-1Ki");
    assertThat(Quantity.parse("2").subtract(Quantity.parse("500m"))).hasToString("1500m");
    assertThat(Quantity.parse("1Ei").multiply(10)).hasToString("10Ei");
    assertThat(Quantity.parse("1").multiply(new BigDecimal("0.3333333333333")))
        .hasToString("333333334n");
  }

  @Test
  void orders() {
    assertThat(Quantity.parse("1Ki")).isGreaterThan(Quantity.parse("1k"));
    assertThat(Quantity.parse("1Ki").max(Quantity.parse("1k"))).hasToString("1Ki");
    assertThat(Quantity.parse("1Ki").min(Quantity.parse("1k"))).hasToString("1k");
    assertThat(Quantity.of(3)).isEqualTo(Quantity.ofMilli(3000));
    assertThat(Quantity.ZERO.isZero()).isTrue();
    assertThat(Quantity.parse("-1n").signum()).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1Ei", "100n", "1e18", "0", "1536Mi", "333333334n"})
  void theClientsTypeKeepsTheAmountAndTheNotation(String text) {
    Quantity quantity = Quantity.parse(text);

    assertThat(Quantity.ofClient(quantity.toClient())).isEqualTo(quantity).hasToString(text);
  }
}
