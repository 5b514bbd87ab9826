// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The records and the CRDs describe the same objects, field by field, in both directions. */
class RecordsAndCrdsAgreeTest {

  static Stream<CrdDocument> crds() {
    return CrdDocument.all();
  }

  @ParameterizedTest
  @MethodSource("crds")
  void everyFieldIsInBothWithTheSameTypeValuesDefaultAndRequiredness(CrdDocument crd) {
    assertThat(SchemaAgreement.differences(new SchemaNode(crd.schema()), crd.type().type()))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("crds")
  void everyFieldOfTheCrdIsKeptByTheRecord(CrdDocument crd) {
    JsonObject sample = SchemaSample.of(crd);

    JsonElement again = KueueJson.toTree(KueueJson.fromTree(sample, crd.type().type()));

    assertThat(again).isEqualTo(sample);
  }

  @ParameterizedTest
  @MethodSource("crds")
  void aFieldAddedByANewerServerIsSkippedAtAnyPosition(CrdDocument crd) {
    JsonObject sample = SchemaSample.of(crd);
    JsonObject future = sample.deepCopy();
    new SchemaNode(crd.schema())
        .visit(
            "",
            (path, node) -> {
              if (node.json().has("properties")) {
                objectsAt(future, path).forEach(place -> place.add("future", future("x")));
              }
            });
    assertThat(future).isNotEqualTo(sample);

    assertThat(KueueJson.toTree(KueueJson.fromTree(future, crd.type().type()))).isEqualTo(sample);
  }

  static Stream<Arguments> doctored() {
    return Stream.of(
        Arguments.of("a field less", edit(spec -> spec.remove("queueName"))),
        Arguments.of("a field more", edit(spec -> spec.add("news", node("string")))),
        Arguments.of("another type", edit(spec -> spec.add("priority", node("string")))),
        Arguments.of(
            "another default",
            edit(spec -> spec.getAsJsonObject("active").addProperty("default", false))),
        Arguments.of(
            "another requiredness",
            edit(spec -> items(spec.getAsJsonObject("podSets")).remove("required"))),
        Arguments.of(
            "a field less below",
            edit(
                spec ->
                    items(spec.getAsJsonObject("podSets"))
                        .getAsJsonObject("properties")
                        .remove("minCount"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("doctored")
  void aDifferenceIsFound(String what, JsonObject schema) {
    assertThat(SchemaAgreement.differences(new SchemaNode(schema), Workload.class))
        .as(what)
        .hasSize(1);
  }

  @Test
  void anotherEnumValueIsFound() {
    JsonObject schema = schemaOf("ClusterQueue");
    JsonArray words =
        schema
            .getAsJsonObject("properties")
            .getAsJsonObject("spec")
            .getAsJsonObject("properties")
            .getAsJsonObject("stopPolicy")
            .getAsJsonArray("enum");
    words.add("Sometimes");

    assertThat(SchemaAgreement.differences(new SchemaNode(schema), ClusterQueue.class))
        .singleElement()
        .asString()
        .contains("spec.stopPolicy words", "[Sometimes]");
  }

  private static JsonObject schemaOf(String kind) {
    return crds().filter(crd -> crd.type().kind().equals(kind)).findFirst().orElseThrow().schema();
  }

  private static JsonObject edit(Consumer<JsonObject> change) {
    JsonObject schema = schemaOf("Workload");
    change.accept(
        schema.getAsJsonObject("properties").getAsJsonObject("spec").getAsJsonObject("properties"));
    return schema;
  }

  private static JsonObject items(JsonObject array) {
    return array.getAsJsonObject("items");
  }

  private static JsonObject node(String type) {
    JsonObject node = new JsonObject();
    node.addProperty("type", type);
    return node;
  }

  private static JsonElement future(String text) {
    JsonObject inner = new JsonObject();
    inner.addProperty("text", text);
    JsonArray list = new JsonArray();
    list.add(inner);
    return list;
  }

  /** The objects of a sample at a path such as {@code spec.podSets[].template}. */
  private static List<JsonObject> objectsAt(JsonObject root, String path) {
    Stream<JsonElement> found = Stream.of((JsonElement) root);
    for (String step : path.isEmpty() ? new String[0] : path.split("\\.")) {
      String name = step.replace("[]", "").replace("{}", "");
      found = found.map(place -> place.getAsJsonObject().get(name)).filter(value -> value != null);
      if (step.endsWith("[]")) {
        found = found.flatMap(array -> array.getAsJsonArray().asList().stream());
      } else if (step.endsWith("{}")) {
        found = found.flatMap(map -> map.getAsJsonObject().asMap().values().stream());
      }
    }
    return found.map(JsonElement::getAsJsonObject).toList();
  }
}
