// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import org.junit.jupiter.api.Test;

class FieldPathTest {
  private final JsonObject object =
      JsonParser.parseString("{groups: {a: {size: 1}, '*': {size: 2}}}").getAsJsonObject();

  @Test
  void aStarThatIsDeclaredStandsForEachMember() {
    FieldPath sizes = FieldPath.parse("groups.*.size");

    assertThat(sizes.isMany()).isTrue();
    assertThat(sizes.allIn(object)).containsExactly(new JsonPrimitive(1), new JsonPrimitive(2));
    assertThat(sizes).hasToString("groups.*.size");
  }

  @Test
  void aStarThatIsAKeyStandsForItself() {
    FieldPath size = FieldPath.parse("groups.*.size").inElement("*");

    assertThat(size).isEqualTo(FieldPath.of("groups").child("*").child("size"));
    assertThat(size.isMany()).isFalse();
    assertThat(size.allIn(object)).containsExactly(new JsonPrimitive(2));
    size.set(object, new JsonPrimitive(3));
    assertThat(object).hasToString("{\"groups\":{\"a\":{\"size\":1},\"*\":{\"size\":3}}}");
  }
}
