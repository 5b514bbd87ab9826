// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S,0s",
    "PT119S,119s",
    "PT2M,2m",
    "PT2M5S,2m5s",
    "PT10M5S,10m",
    "PT179M,179m",
    "PT3H,3h",
    "PT7H59M,7h59m",
    "PT47H,47h",
    "P2D,2d",
    "P2DT3H,2d3h",
    "P8D,8d",
    "P729D,729d",
    "P731D,2y1d",
    "P3650D,10y",
    "PT-5S,<invalid>",
  })
  void isWrittenAsKubectlDoes(Duration age, String text) {
    assertThat(Age.of(age)).isEqualTo(text);
  }

  @Test
  void ofNothingIsUnknown() {
    assertThat(Age.since("", Instant.EPOCH)).isEqualTo("<unknown>");
    assertThat(Age.since("nonsense", Instant.EPOCH)).isEqualTo("<invalid>");
  }
}
