// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.flipkart.zjsonpatch.JsonPatchApplicationException;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/**
 * For any two views: applying their difference to the first gives the second, also on a server's
 * object that contains more than the view.
 */
@Tag("thorough")
class ObjectDiffPropertiesTest {

  private static final ObjectMapper JACKSON = new ObjectMapper();

  /** A field that the server stores and the view doesn't contain. */
  private static final String UNKNOWN = "unknown";

  @Property(tries = 2000)
  void applyingTheDifferenceGivesTheSecondView(
      @ForAll("views") JsonObject before, @ForAll("views") JsonObject after) {
    ObjectDiff diff = ObjectDiff.between(before, after);
    assertThat(normal(applied(before, diff))).isEqualTo(normal(after));
  }

  @Property(tries = 2000)
  void whatTheViewDoesNotShowSurvives(
      @ForAll("views") JsonObject before, @ForAll("views") JsonObject after) {
    JsonObject server = withUnknown(before).getAsJsonObject();
    ObjectDiff diff = ObjectDiff.between(before, after);

    JsonObject result = applied(server, diff);

    assertThat(normal(withoutUnknown(result))).isEqualTo(normal(after));
    // Entries of keyed lists that both views contain keep their position and their unknown fields.
    assertThat(keptEntries(result, "conditions")).isEqualTo(surviving(server, after, "conditions"));
    assertThat(result.get(UNKNOWN)).isEqualTo(server.get(UNKNOWN));
  }

  @Property
  void equalViewsHaveAnEmptyDifference(@ForAll("views") JsonObject view) {
    assertThat(ObjectDiff.between(view, view.deepCopy()).isEmpty()).isTrue();
  }

  /** Types of the entries that still have their unknown field, in order. */
  private static List<String> keptEntries(JsonObject object, String list) {
    List<String> kept = new ArrayList<>();
    for (JsonElement entry : entries(object, list)) {
      if (entry.getAsJsonObject().has(UNKNOWN)) {
        kept.add(entry.getAsJsonObject().get("type").getAsString());
      }
    }
    return kept;
  }

  private static List<String> surviving(JsonObject server, JsonObject after, String list) {
    Set<String> wanted = new LinkedHashSet<>();
    entries(after, list).forEach(e -> wanted.add(e.getAsJsonObject().get("type").getAsString()));
    List<String> surviving = keptEntries(server, list);
    surviving.retainAll(wanted);
    return surviving;
  }

  private static JsonArray entries(JsonObject object, String list) {
    return object.get(list) instanceof JsonArray array ? array : new JsonArray();
  }

  /** Applies the difference as a server would: as a merge patch if that would be sent. */
  private static JsonObject applied(JsonObject document, ObjectDiff diff) {
    if (diff.needsMerge()) {
      return merged(document, diff.mergeDocument()).getAsJsonObject();
    }
    try {
      String patch = new JsonPatch(diff.operations()).body().toString();
      String result =
          com.flipkart.zjsonpatch.JsonPatch.apply(
                  JACKSON.readTree(patch), JACKSON.readTree(document.toString()))
              .toString();
      return JsonParser.parseString(result).getAsJsonObject();
    } catch (JsonProcessingException | JsonPatchApplicationException e) {
      throw new AssertionError("the patch can't be applied: " + diff.operations(), e);
    }
  }

  /** RFC 7386, section 2. */
  private static JsonElement merged(JsonElement target, JsonElement patch) {
    if (!(patch instanceof JsonObject members)) {
      return patch;
    }
    JsonObject result = target instanceof JsonObject object ? object.deepCopy() : new JsonObject();
    members
        .asMap()
        .forEach(
            (name, value) -> {
              if (value.isJsonNull()) {
                result.remove(name);
              } else {
                JsonElement old = result.has(name) ? result.get(name) : new JsonObject();
                result.add(name, merged(old, value));
              }
            });
    return result;
  }

  /** Adds an unknown field to every object, as from a newer server. */
  private static JsonElement withUnknown(JsonElement element) {
    if (element instanceof JsonObject object) {
      var copy = new JsonObject();
      object.asMap().forEach((name, value) -> copy.add(name, withUnknown(value)));
      copy.addProperty(UNKNOWN, object.toString());
      return copy;
    }
    if (element instanceof JsonArray array) {
      var copy = new JsonArray();
      array.forEach(value -> copy.add(withUnknown(value)));
      return copy;
    }
    return element;
  }

  private static JsonObject withoutUnknown(JsonElement element) {
    return stripped(element).getAsJsonObject();
  }

  private static JsonElement stripped(JsonElement element) {
    if (element instanceof JsonObject object) {
      var copy = new JsonObject();
      object.asMap().forEach((name, value) -> copy.add(name, stripped(value)));
      copy.remove(UNKNOWN);
      return copy;
    }
    if (element instanceof JsonArray array) {
      var copy = new JsonArray();
      array.forEach(value -> copy.add(stripped(value)));
      return copy;
    }
    return element;
  }

  /** The same document with the lists whose order is insignificant sorted. */
  private static JsonObject normal(JsonObject object) {
    JsonObject copy = object.deepCopy();
    if (copy.get("conditions") instanceof JsonArray array) {
      List<JsonElement> sorted = new ArrayList<>(array.asList());
      sorted.sort(Comparator.comparing(e -> e.getAsJsonObject().get("type").getAsString()));
      var list = new JsonArray();
      sorted.forEach(list::add);
      copy.add("conditions", list);
    }
    return copy;
  }

  @Provide
  Arbitrary<JsonObject> views() {
    Arbitrary<JsonElement> scalar =
        Arbitraries.of("x", "y", "", "a/b~c").<JsonElement>map(JsonPrimitive::new);
    Arbitrary<JsonObject> leaf = object(scalar, Arbitraries.of("a", "b/c", "d~e"));
    Arbitrary<JsonElement> scalars =
        scalar.list().ofMaxSize(3).map(ObjectDiffPropertiesTest::array);
    Arbitrary<JsonElement> objects =
        leaf.<JsonElement>map(o -> o).list().ofMaxSize(3).map(ObjectDiffPropertiesTest::array);
    Arbitrary<JsonElement> value =
        Arbitraries.oneOf(scalar, leaf.map(o -> o), scalars, objects, keyed("name"));
    Arbitrary<JsonObject> spec = object(value, Arbitraries.of("p", "q", "r/s"));
    Arbitrary<JsonObject> top =
        object(Arbitraries.oneOf(value, spec.map(o -> o)), Arbitraries.of("spec", "other"));
    return Combinators.combine(top, keyed("type"), Arbitraries.of(true, false))
        .as(
            (object, conditions, present) -> {
              if (present) {
                object.add("conditions", conditions);
              }
              return object;
            });
  }

  private static Arbitrary<JsonObject> object(
      Arbitrary<? extends JsonElement> values, Arbitrary<String> names) {
    return Arbitraries.maps(names, values.map(v -> (JsonElement) v))
        .ofMaxSize(3)
        .map(
            map -> {
              var object = new JsonObject();
              map.forEach(object::add);
              return object;
            });
  }

  private static Arbitrary<JsonElement> keyed(String key) {
    return Arbitraries.maps(Arbitraries.of("k1", "k2", "k3", "k4"), Arbitraries.of("u", "v", "w"))
        .ofMaxSize(4)
        .map(
            map -> {
              var array = new JsonArray();
              map.forEach(
                  (name, value) -> {
                    var entry = new JsonObject();
                    entry.addProperty(key, name);
                    entry.addProperty("value", value);
                    array.add(entry);
                  });
              return array;
            });
  }

  private static JsonElement array(List<JsonElement> elements) {
    var array = new JsonArray();
    elements.forEach(array::add);
    return array;
  }
}
