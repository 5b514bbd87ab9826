// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class AmountsTest {
  @Property
  void arithmeticIsExactOrSaturates(@ForAll long a, @ForAll long b) {
    BigInteger first = BigInteger.valueOf(a);
    BigInteger second = BigInteger.valueOf(b);
    assertThat(Amounts.add(a, b)).isEqualTo(clamp(first.add(second)));
    assertThat(Amounts.subtract(a, b)).isEqualTo(clamp(first.subtract(second)));
    assertThat(Amounts.multiply(a, b)).isEqualTo(clamp(first.multiply(second)));
  }

  @Property
  void whatIsAddedCanBeTakenAway(
      @ForAll Map<String, Integer> first, @ForAll Map<String, Integer> second) {
    Amounts<String> a = amounts(first);
    Amounts<String> b = amounts(second);
    assertThat(a.plus(b).minus(b)).isEqualTo(a);
    assertThat(a.plus(b)).isEqualTo(b.plus(a));
    assertThat(a.minus(a)).isEqualTo(Amounts.none());
  }

  @Test
  void amountsOfZeroAreAbsent() {
    assertThat(Amounts.of("cpu", 0)).isEqualTo(Amounts.none());
    assertThat(Amounts.of("cpu", 5).with("cpu", 0).isEmpty()).isTrue();
  }

  private static Amounts<String> amounts(Map<String, Integer> map) {
    Amounts<String> result = Amounts.none();
    for (Map.Entry<String, Integer> entry : map.entrySet()) {
      result = result.with(entry.getKey(), entry.getValue());
    }
    return result;
  }

  private static long clamp(BigInteger exact) {
    return exact
        .max(BigInteger.valueOf(Long.MIN_VALUE))
        .min(BigInteger.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }
}
