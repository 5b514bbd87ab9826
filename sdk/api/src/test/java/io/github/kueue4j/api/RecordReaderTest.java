// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordReaderTest {

  record Answer(List<Offer> offers, Optional<String> note) {}

  record Offer(int count, Quantity memory) {}

  private static Answer read(String json) {
    return RecordReader.readJson(json, Answer.class, "answer");
  }

  @Test
  void aDocumentBecomesARecord() {
    assertThat(read("{\"offers\": [{\"count\": 2, \"memory\": \"1Gi\"}], \"other\": {}}"))
        .isEqualTo(new Answer(List.of(new Offer(2, Quantity.parse("1Gi"))), Optional.empty()));
  }

  @Test
  void aWrongValueIsNamedWithItsPlace() {
    assertThatThrownBy(() -> read("{\"offers\": [{\"count\": \"two\", \"memory\": 1}]}"))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageContaining("answer.offers[0].count");
    assertThatThrownBy(() -> read("[]")).isInstanceOf(InvalidFieldException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<html>", "{offers: []}", "{\"offers\": []} {}", "{\"offers\": ["})
  void whatIsNotOneDocumentIsRefused(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("answer");
  }
}
