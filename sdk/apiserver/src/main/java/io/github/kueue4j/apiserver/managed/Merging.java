// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.shape.Shape;
import io.github.kueue4j.apiserver.shape.Untyped;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lays an applied object over the stored one, and takes fields out of one. */
final class Merging {
  private Merging() {}

  /** The stored object with everything that the applied one says. */
  static ObjectNode merge(Shape shape, ObjectNode stored, ObjectNode applied) {
    return (ObjectNode) value(shape, stored, applied);
  }

  private static JsonNode value(Shape shape, @Nullable JsonNode stored, JsonNode applied) {
    Shape.Kind kind = shape.kind(applied);
    if (stored == null || kind == Shape.Kind.WHOLE || shape.kind(stored) != kind) {
      return applied;
    }
    return switch (kind) {
      case WHOLE -> applied;
      case FIELDS, MAP -> fields(shape, (ObjectNode) stored, applied);
      case SET, KEYED_LIST -> elements(shape, kind, stored, applied);
    };
  }

  private static ObjectNode fields(Shape shape, ObjectNode stored, JsonNode applied) {
    ObjectNode result = Trees.fresh(stored);
    for (Map.Entry<String, JsonNode> field : applied.properties()) {
      String name = field.getKey();
      result.set(name, value(Fields.child(shape, name), stored.get(name), field.getValue()));
    }
    return result;
  }

  /** Applied elements in their order; stored ones that aren't applied keep their places between. */
  private static ArrayNode elements(
      Shape shape, Shape.Kind kind, JsonNode stored, JsonNode applied) {
    Shape element = kind == Shape.Kind.SET ? Untyped.WHOLE : shape.element();
    Map<String, JsonNode> old = byStep(shape, kind, stored);
    Map<String, JsonNode> wanted = byStep(shape, kind, applied);
    ArrayNode result = JsonNodeFactory.instance.arrayNode();
    Deque<String> ahead = new ArrayDeque<>(old.keySet());
    Set<String> done = new HashSet<>();
    wanted.forEach(
        (step, value) -> {
          // Until the next element that both lists have, the stored list's own ones come first.
          while (!ahead.isEmpty()
              && (done.contains(ahead.element()) || !wanted.containsKey(ahead.element()))) {
            String own = ahead.remove();
            if (!done.contains(own)) {
              result.add(old.get(own));
            }
          }
          result.add(value(element, old.get(step), value));
          done.add(step);
        });
    for (String rest : ahead) {
      if (!wanted.containsKey(rest)) {
        result.add(old.get(rest));
      }
    }
    return result;
  }

  private static Map<String, JsonNode> byStep(Shape shape, Shape.Kind kind, JsonNode list) {
    Map<String, JsonNode> elements = new LinkedHashMap<>();
    for (JsonNode element : list) {
      String step = Step.in(shape, kind, element);
      // What can't be told from others stays where it is.
      elements.putIfAbsent(step == null ? "at " + elements.size() : step, element);
    }
    return elements;
  }

  /** A copy without these fields; what becomes empty through it goes too. */
  static ObjectNode without(Shape shape, ObjectNode object, FieldSet fields) {
    JsonNode rest = fields.isEmpty() ? object : without(shape, object, fields.json());
    return rest == null ? Trees.empty() : (ObjectNode) rest;
  }

  private static @Nullable JsonNode without(Shape shape, JsonNode value, JsonNode fields) {
    Shape.Kind kind = shape.kind(value);
    return switch (kind) {
      case WHOLE -> value;
      case FIELDS, MAP -> {
        ObjectNode result = Trees.empty();
        for (Map.Entry<String, JsonNode> field : value.properties()) {
          JsonNode minus = fields.get(Step.field(field.getKey()));
          Shape child = Fields.child(shape, field.getKey());
          JsonNode kept = kept(child, field.getValue(), minus);
          if (kept != null) {
            result.set(field.getKey(), kept);
          }
        }
        yield result.isEmpty() ? null : result;
      }
      case SET, KEYED_LIST -> {
        Shape inner = kind == Shape.Kind.SET ? Untyped.WHOLE : shape.element();
        ArrayNode result = JsonNodeFactory.instance.arrayNode();
        for (JsonNode element : value) {
          String step = Step.in(shape, kind, element);
          JsonNode kept = kept(inner, element, step == null ? null : fields.get(step));
          if (kept != null) {
            result.add(kept);
          }
        }
        yield result.isEmpty() ? null : result;
      }
    };
  }

  private static @Nullable JsonNode kept(Shape shape, JsonNode value, @Nullable JsonNode minus) {
    if (minus == null) {
      return value;
    }
    return FieldSet.isMember(minus) ? null : without(shape, value, minus);
  }
}
