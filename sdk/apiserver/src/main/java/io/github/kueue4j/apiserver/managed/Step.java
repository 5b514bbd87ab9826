// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.managed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.shape.Shape;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The steps of paths in the words of {@code FieldsV1}. */
final class Step {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Step() {}

  static String field(String name) {
    return "f:" + name;
  }

  static String value(JsonNode value) {
    return "v:" + value;
  }

  /** The step to an element of a keyed list; null if it lacks a key that has no default. */
  static @Nullable String element(Shape list, JsonNode element) {
    ObjectNode keys = Trees.empty();
    for (String key : list.keys()) {
      JsonNode value = element.get(key);
      if (value == null || value.isNull()) {
        value = list.keyDefault(key);
      }
      if (value == null) {
        return null;
      }
      keys.set(key, value);
    }
    return "k:" + keys;
  }

  /** The step to an element of a list of this kind; null if it can't be told from others. */
  static @Nullable String in(Shape list, Shape.Kind kind, JsonNode element) {
    return kind == Shape.Kind.SET ? value(element) : element(list, element);
  }

  static boolean isField(String step) {
    return step.startsWith("f:");
  }

  static String fieldName(String step) {
    return step.substring(2);
  }

  static boolean isWellFormed(String step) {
    return step.matches("[fi]:.*") || (step.matches("[kv]:.+") && json(step) != null);
  }

  private static @Nullable JsonNode json(String step) {
    try {
      return JSON.readTree(step.substring(2));
    } catch (JsonProcessingException e) {
      // A client sent this step. It is told that the whole set is malformed.
      return null;
    }
  }

  /** The step as messages show it. */
  static String readable(String step) {
    if (isField(step)) {
      return "." + fieldName(step);
    }
    String text = step.substring(2);
    JsonNode keys = step.startsWith("k:") ? json(step) : null;
    if (keys != null) {
      return keys.properties().stream()
          .map(Step::equation)
          .collect(Collectors.joining(",", "[", "]"));
    }
    return step.startsWith("v:") ? "[=" + text + "]" : "[" + text + "]";
  }

  private static String equation(Map.Entry<String, JsonNode> key) {
    return key.getKey() + "=" + key.getValue();
  }
}
