// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.http.prometheus.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThresholdTest {

  @ParameterizedTest
  @CsvSource({
    "< 0.5, 0.4, true",
    "< 0.5, 0.5, false",
    "<=0.5, 0.5, true",
    "<= 0.5, 0.6, false",
    "> -1, 0, true",
    "> 0, 0, false",
    ">= 8e1, 80, true",
    ">= 80, 79.9, false",
    "< 1, Infinity, false",
    "> 1, Infinity, true",
    "< 1, -Infinity, true",
  })
  void aValueIsComparedWithTheBound(String threshold, double value, boolean holds) {
    assertThat(Threshold.parse(threshold).holds(value)).isEqualTo(holds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0.5", "<", "= 1", "!= 1", "< x", "< NaN", "< Infinity", "< 1 s"})
  void whatIsNoConditionIsRefused(String text) {
    assertThatThrownBy(() -> Threshold.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theWorstSampleDecidesAndWhatIsNoNumberDoesNot() {
    List<Sample> samples =
        List.of(named("a", 3), named("b", Double.NaN), named("c", 7), named("d", -1));

    assertThat(Threshold.parse("< 5").worst(samples)).contains(named("c", 7));
    assertThat(Threshold.parse(">= 5").worst(samples)).contains(named("d", -1));
    assertThat(Threshold.parse("< 5").worst(List.of(named("b", Double.NaN)))).isEmpty();
  }

  @Test
  void stressGrowsFromTheBoundOn() {
    assertThat(Threshold.parse("< 0.5").stress(1, 2.5)).isEqualTo(0.25);
    assertThat(Threshold.parse("< 0.5").stress(9, 2.5)).isEqualTo(1);
    assertThat(Threshold.parse("< 0.5").stress(Double.POSITIVE_INFINITY, 2.5)).isEqualTo(1);
    assertThat(Threshold.parse("< 0.5").stress(Double.NaN, 2.5)).isEqualTo(1);
    assertThat(Threshold.parse("> 100").stress(75, 0)).isEqualTo(0.25);
  }

  @Test
  void theWorstValueOfATimeIsAskedFor() {
    assertThat(Threshold.parse("< 5").during(Duration.ofMinutes(2), "up # comment"))
        .isEqualTo("max_over_time((\nup # comment\n)[120000ms:4000ms])");
    assertThat(Threshold.parse("> 5").during(Duration.ofSeconds(3), "up"))
        .isEqualTo("min_over_time((\nup\n)[3000ms:1000ms])");
    assertThat(Threshold.parse("> 5").during(Duration.ofHours(24), "up"))
        .endsWith("[86400000ms:60000ms])");
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 0.1",
    "0.333333333, 0.333333",
    "1234567, 1234567",
    "-2.5, -2.5",
    "1e300, 1E+300",
    "1.5e-9, 1.5E-9",
    "Infinity, +Inf",
    "-Infinity, -Inf",
  })
  void valuesAreRoundedForPeople(double value, String text) {
    assertThat(Threshold.text(value)).isEqualTo(text);
  }

  private static Sample named(String name, double value) {
    return new Sample(Map.of("name", name), value);
  }
}
