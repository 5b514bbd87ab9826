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

  /** What a server answers may grow; what people write is misspelt. */
  @Test
  void onlyWhatPeopleWriteMustHaveNoOtherFields() {
    String grown = "{\"offers\": [{\"count\": 2, \"memory\": 1, \"cuont\": 3}]}";

    assertThat(read(grown).offers()).hasSize(1);
    assertThatThrownBy(() -> RecordReader.readWrittenJson(grown, Answer.class, "data.policy"))
        .isInstanceOf(InvalidFieldException.class)
        .hasMessage(
            "data.policy.offers[0].cuont is '3': there is no such field; did you mean 'count'?");
    assertThat(
            RecordReader.readWrittenJson("{\"offers\": []}", Answer.class, "data.policy").offers())
        .isEmpty();
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
