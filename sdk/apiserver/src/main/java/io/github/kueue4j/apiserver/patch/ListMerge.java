// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The list that a strategic merge patch makes: replaced, merged as a set or merged by a key. */
final class ListMerge {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ListMerge() {}

  /**
   * @param order the {@code $setElementOrder} of the list, null if none
   * @param field the list's field, null if unknown: then it is replaced
   */
  static ArrayNode merge(
      String name,
      ArrayNode before,
      ArrayNode changes,
      @Nullable JsonNode order,
      @Nullable FieldDescriptor field) {
    Optional<String> key = field == null ? Optional.empty() : ListKeys.keyOf(field);
    if (key.isPresent() && field != null) {
      return byKey(name, before, changes, order, key.get(), field.getMessageType());
    }
    if (field != null && ListKeys.isSet(field)) {
      Set<JsonNode> values = new LinkedHashSet<>();
      before.forEach(values::add);
      changes.forEach(values::add);
      return ordered(new ArrayList<>(values), before, order, Function.identity());
    }
    return changes;
  }

  private static ArrayNode byKey(
      String name,
      ArrayNode before,
      ArrayNode changes,
      @Nullable JsonNode order,
      String key,
      Descriptor message) {
    boolean replace = false;
    Map<JsonNode, JsonNode> merged = new LinkedHashMap<>();
    before.forEach(element -> merged.put(element.path(key), element));
    List<ObjectNode> plain = new ArrayList<>();
    for (JsonNode element : changes) {
      ObjectNode change = objectOf(name, element);
      String directive = change.path(StrategicMergePatch.DIRECTIVE).asText("merge");
      switch (directive) {
        case "replace" -> {
          replace = true;
          if (change.has(key)) {
            plain.add(change);
          }
        }
        case "delete" -> merged.remove(keyOf(name, change, key));
        case "merge" -> plain.add(change);
        default ->
            throw new PatchException(
                PatchException.Problem.MALFORMED,
                "unknown patch type \"" + directive + "\" in " + name);
      }
    }
    if (replace) {
      merged.clear();
    }
    for (ObjectNode change : plain) {
      ObjectNode rest = NODES.objectNode();
      rest.setAll(change);
      rest.remove(StrategicMergePatch.DIRECTIVE);
      JsonNode id = keyOf(name, change, key);
      ObjectNode start = merged.get(id) instanceof ObjectNode known ? known : NODES.objectNode();
      merged.put(id, StrategicMergePatch.merge(start, rest, message));
    }
    return ordered(new ArrayList<>(merged.values()), before, order, element -> element.path(key));
  }

  private static ObjectNode objectOf(String name, JsonNode element) {
    if (element instanceof ObjectNode object) {
      return object;
    }
    throw new PatchException(
        PatchException.Problem.MALFORMED, "the elements of " + name + " must be objects");
  }

  private static JsonNode keyOf(String name, ObjectNode element, String key) {
    JsonNode id = element.get(key);
    if (id == null) {
      throw new PatchException(
          PatchException.Problem.NOT_APPLICABLE,
          "map: " + element + " does not contain declared merge key: " + key + " of " + name);
    }
    return id;
  }

  /**
   * Puts the elements that the order names into its order; the others keep their places among what
   * was there before.
   */
  private static ArrayNode ordered(
      List<JsonNode> elements,
      ArrayNode before,
      @Nullable JsonNode order,
      Function<JsonNode, JsonNode> identity) {
    ArrayNode result = NODES.arrayNode();
    if (!(order instanceof ArrayNode names)) {
      return result.addAll(elements);
    }
    Map<JsonNode, Integer> wanted = positions(names, identity);
    Map<JsonNode, Integer> known = positions(before, identity);
    List<JsonNode> named = new ArrayList<>();
    List<JsonNode> others = new ArrayList<>();
    for (JsonNode element : elements) {
      (wanted.containsKey(identity.apply(element)) ? named : others).add(element);
    }
    named.sort(Comparator.comparing(element -> wanted.getOrDefault(identity.apply(element), 0)));
    int other = 0;
    for (JsonNode element : named) {
      Integer position = known.get(identity.apply(element));
      while (position != null
          && other < others.size()
          && known.getOrDefault(identity.apply(others.get(other)), Integer.MAX_VALUE) < position) {
        result.add(others.get(other++));
      }
      result.add(element);
    }
    return result.addAll(others.subList(other, others.size()));
  }

  private static Map<JsonNode, Integer> positions(
      ArrayNode list, Function<JsonNode, JsonNode> identity) {
    Map<JsonNode, Integer> positions = new HashMap<>();
    for (int i = 0; i < list.size(); i++) {
      positions.putIfAbsent(identity.apply(list.get(i)), i);
    }
    return positions;
  }
}
