// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class QuantityPropertyTest {

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<BigDecimal> numbers =
        Arbitraries.bigDecimals()
            .between(new BigDecimal("-1e15"), new BigDecimal("1e15"))
            .ofScale(12);
    Arbitrary<String> suffixes =
        Arbitraries.of(
            "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
            "e3", "E-4", "e0", "e17");
    return Combinators.combine(numbers, suffixes)
        .as((number, suffix) -> number.toPlainString() + suffix);
  }

  @Provide
  Arbitrary<Quantity> quantities() {
    return texts().map(Quantity::parse);
  }

  @Property
  void canonicalTextIsAFixedPointThatKeepsTheAmount(@ForAll("texts") String text) {
    Quantity quantity = Quantity.parse(text);
    Quantity again = Quantity.parse(quantity.toString());

    // Only sums can pass the cap of binary suffixes; what was read never does.
    assertThat(again).isEqualTo(quantity).hasSameHashCodeAs(quantity);
    assertThat(again).hasToString(quantity.toString());
  }

  @Property
  void additionAndSubtractionAreExact(
      @ForAll("quantities") Quantity a, @ForAll("quantities") Quantity b) {
    assertThat(a.add(b)).isEqualTo(b.add(a)).hasSameHashCodeAs(b.add(a));
    assertThat(a.add(b).subtract(b)).isEqualTo(a).hasSameHashCodeAs(a);
    assertThat(a.add(b).amount()).isEqualByComparingTo(a.amount().add(b.amount()));
  }

  @Property
  void multiplicationIsRepeatedAddition(
      @ForAll("quantities") Quantity a, @ForAll @IntRange(min = 0, max = 20) int factor) {
    Quantity sum = Quantity.ZERO;
    for (int i = 0; i < factor; i++) {
      sum = sum.add(a);
    }
    assertThat(a.multiply(factor)).isEqualTo(sum);
  }

  @Property
  void orderIsThatOfTheAmountsAndAgreesWithEquality(
      @ForAll("quantities") Quantity a, @ForAll("quantities") Quantity b) {
    assertThat(Integer.signum(a.compareTo(b))).isEqualTo(a.amount().compareTo(b.amount()));
    assertThat(a.equals(b)).isEqualTo(a.compareTo(b) == 0);
    assertThat(a.compareTo(b)).isEqualTo(-b.compareTo(a));
  }

  @Property
  void valuesAreTheCeilingWithinTheBoundsOfALong(@ForAll("quantities") Quantity a) {
    assertThat(a.value()).isEqualTo(ceiling(a.amount()));
    assertThat(a.milliValue()).isEqualTo(ceiling(a.amount().movePointRight(3)));
  }

  private static long ceiling(BigDecimal amount) {
    return amount
        .setScale(0, RoundingMode.CEILING)
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .max(BigDecimal.valueOf(Long.MIN_VALUE))
        .longValueExact();
  }
}
