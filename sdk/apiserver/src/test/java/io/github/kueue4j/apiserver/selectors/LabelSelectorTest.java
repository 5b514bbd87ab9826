// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.selectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|true",
        "app|true",
        "!app|false",
        "!absent|true",
        "app=web|true",
        "app==web|true",
        "app = web|true",
        "app=other|false",
        "app!=other|true",
        "absent!=other|true",
        "app in (api, web)|true",
        "app in (api)|false",
        "absent in (api)|false",
        "app notin (api)|true",
        "absent notin (api)|true",
        "example.com/size>2|true",
        "example.com/size<3|false",
        "absent>1|false",
        "app=web,example.com/size=3|true",
        "app=web,example.com/size=4|false",
        "empty=|true",
        "app=|false",
      })
  void selects(String selector, boolean selected) {
    assertThat(LabelSelector.parse(selector).selects(labelled())).isEqualTo(selected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"=", "a=b=c", "a in", "a in (b", "a of (b)", "-a", "a=b c", "a,,b", "a>x"})
  void refuses(String selector) {
    assertThatThrownBy(() -> LabelSelector.parse(selector))
        .isInstanceOf(SelectorSyntaxException.class);
  }

  private static ObjectNode labelled() {
    ObjectNode object = Trees.empty();
    object
        .putObject("metadata")
        .putObject("labels")
        .put("app", "web")
        .put("example.com/size", "3")
        .put("empty", "");
    return object;
  }
}
