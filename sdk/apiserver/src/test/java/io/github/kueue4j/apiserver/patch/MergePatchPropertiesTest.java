// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** What RFC 7386 promises of merge patches. */
class MergePatchPropertiesTest {

  @Property(tries = 300)
  void applyingTwiceIsApplyingOnce(
      @ForAll("objects") ObjectNode object, @ForAll("patches") ObjectNode patch) {
    ObjectNode once = Patches.mergePatch(object, patch);

    assertThat(Patches.mergePatch(once, patch)).isEqualTo(once);
  }

  @Property(tries = 300)
  void theDifferenceLeadsFromOneToTheOther(
      @ForAll("objects") ObjectNode from, @ForAll("objects") ObjectNode to) {
    assertThat(Patches.mergePatch(from, difference(from, to))).isEqualTo(to);
  }

  @Property(tries = 300)
  void theArgumentsStayAsTheyAre(
      @ForAll("objects") ObjectNode object, @ForAll("patches") ObjectNode patch) {
    ObjectNode objectBefore = object.deepCopy();
    ObjectNode patchBefore = patch.deepCopy();

    Patches.mergePatch(object, patch);

    assertThat(object).isEqualTo(objectBefore);
    assertThat(patch).isEqualTo(patchBefore);
  }

  @Property(tries = 300)
  void whatThePatchDoesNotNameStays(
      @ForAll("objects") ObjectNode object, @ForAll("patches") ObjectNode patch) {
    ObjectNode patched = Patches.mergePatch(object, patch);

    for (Map.Entry<String, JsonNode> field : object.properties()) {
      if (!patch.has(field.getKey())) {
        assertThat(patched.get(field.getKey())).isEqualTo(field.getValue());
      }
    }
  }

  /** The plainest patch that leads from one object to another. */
  private static ObjectNode difference(ObjectNode from, ObjectNode to) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : from.properties()) {
      if (!to.has(field.getKey())) {
        patch.putNull(field.getKey());
      }
    }
    for (Map.Entry<String, JsonNode> field : to.properties()) {
      JsonNode before = from.get(field.getKey());
      if (before instanceof ObjectNode one && field.getValue() instanceof ObjectNode other) {
        patch.set(field.getKey(), difference(one, other));
      } else if (!field.getValue().equals(before)) {
        patch.set(field.getKey(), field.getValue());
      }
    }
    return patch;
  }

  @Provide
  Arbitrary<ObjectNode> objects() {
    return tree(3, false);
  }

  @Provide
  Arbitrary<ObjectNode> patches() {
    return tree(3, true);
  }

  private static Arbitrary<ObjectNode> tree(int depth, boolean nulls) {
    Arbitrary<JsonNode> leaves =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, 3).map(IntNode::valueOf),
            Arbitraries.of("x", "y").map(TextNode::valueOf),
            Arbitraries.integers().list().ofMaxSize(2).map(MergePatchPropertiesTest::array));
    Arbitrary<JsonNode> values =
        nulls ? leaves.injectNull(0.3).map(MergePatchPropertiesTest::orNull) : leaves;
    if (depth > 0) {
      values = Arbitraries.oneOf(values, tree(depth - 1, nulls).map(object -> object));
    }
    return Arbitraries.maps(Arbitraries.of("a", "b", "c"), values)
        .ofMaxSize(3)
        .map(
            fields -> {
              ObjectNode object = JsonNodeFactory.instance.objectNode();
              fields.forEach((name, value) -> object.set(name, value));
              return object;
            });
  }

  private static JsonNode array(Iterable<Integer> numbers) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    numbers.forEach(array::add);
    return array;
  }

  private static JsonNode orNull(@Nullable JsonNode node) {
    return node == null ? NullNode.getInstance() : node;
  }
}
