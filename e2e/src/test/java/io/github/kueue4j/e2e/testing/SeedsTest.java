// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.simulation.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The seed of a random test is given by a system property. */
class SeedsTest {
  private static final String PROPERTY = "kueue4j.torture.seed";

  @Test
  void aWholeNumberIsOne() {
    assertThat(Seeds.read(PROPERTY, "7")).hasValue(7);
    assertThat(Seeds.read(PROPERTY, "-9223372036854775808")).hasValue(Long.MIN_VALUE);
    assertThat(Seeds.read(PROPERTY, "")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "1.5", " 7", "0x7", "9223372036854775808"})
  void anythingElseIsRefusedInOneLine(String text) {
    assertThatThrownBy(() -> Seeds.read(PROPERTY, text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "-Dkueue4j.torture.seed="
                + text
                + " is no seed; write a whole number, such as -Dkueue4j.torture.seed=7");
  }

  @Test
  void aRangeIsItsFirstAndItsLast() {
    assertThat(Seeds.range("kueue4j.sim.seeds", "251-253")).containsExactly(251L, 252L, 253L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "5-", "-5", "500-251", "1-2-3", "1 - 2", "1-9999999999"})
  void anyOtherRangeIsRefusedInOneLine(String text) {
    assertThatThrownBy(() -> Seeds.range("kueue4j.sim.seeds", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "-Dkueue4j.sim.seeds="
                + text
                + " is no range of seeds; write the first and the last, such as"
                + " -Dkueue4j.sim.seeds=251-500");
  }
}
