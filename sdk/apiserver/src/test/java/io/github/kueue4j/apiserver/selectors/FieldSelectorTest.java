// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.selectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldSelectorTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|true",
        "metadata.name=a|true",
        "metadata.name==a|true",
        "metadata.name!=a|false",
        "metadata.name=a,spec.node=|true",
        "spec.node!=|false",
        "spec.text=x\\,y\\=z|true",
      })
  void selects(String text, boolean selected) {
    ObjectNode object = Trees.empty();
    object.putObject("metadata").put("name", "a");
    object.putObject("spec").put("text", "x,y=z");
    Selector selector =
        FieldSelector.parse(text, Set.of("spec.node", "spec.text"), true).selector();
    assertThat(selector.selects(object)).isEqualTo(selected);
  }

  @Test
  void refusesWhatTheKindDoesNotOffer() {
    assertThatThrownBy(() -> FieldSelector.parse("spec.other=1", Set.of("spec.node"), true))
        .isInstanceOf(SelectorSyntaxException.class)
        .hasMessage("field label not supported: spec.other");
    assertThatThrownBy(() -> FieldSelector.parse("nonsense", Set.of(), true))
        .isInstanceOf(SelectorSyntaxException.class);
  }
}
