// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireTextsTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "YQ==", "YWI=", "YWJj", "YWJj\nYWJj", "+/+/"})
  void base64(String text) {
    assertThat(WireTexts.base64Problem(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"###, 0", "YWJj#, 4", "YWJ, 0", "YWJjY, 4", "=, 0", "Y===, 1", "YQ==YQ==, 4"})
  void brokenBase64SaysWhere(String text, int position) {
    assertThat(WireTexts.base64Problem(text))
        .contains("illegal base64 data at input byte " + position);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00.5Z",
        "2026-01-01T00:00:00+01:00",
        "2026-01-01T00:00:00.123456Z"
      })
  void times(String text) {
    assertThat(WireTexts.timeProblem(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "yesterday", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z"})
  void brokenTimes(String text) {
    assertThat(WireTexts.timeProblem(text)).isPresent();
    assertThat(WireTexts.microTimeProblem(text)).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:00:00.123456Z, true",
    "2026-01-01T00:00:00.123456+01:00, true",
    "2026-01-01T00:00:00Z, false",
    "2026-01-01T00:00:00.123Z, false",
    "2026-01-01T00:00:00.1234567Z, false",
  })
  void microTimesHaveSixDigits(String text, boolean good) {
    assertThat(WireTexts.microTimeProblem(text).isEmpty()).isEqualTo(good);
  }

  @ParameterizedTest
  @CsvSource({"1, true", "100m, true", "1.5Gi, true", "many, false", "'', false", "1x, false"})
  void quantities(String text, boolean good) {
    assertThat(WireTexts.quantityProblem(text).isEmpty()).isEqualTo(good);
  }
}
