// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.shape.Shape;
import io.github.kueue4j.apiserver.shape.Untyped;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of an object before and after a write.
 *
 * @param changed the fields that are new or have another value
 * @param removed the fields that are gone
 */
record Comparison(FieldSet changed, FieldSet removed) {

  static Comparison between(Shape shape, ObjectNode before, ObjectNode after) {
    ComparisonWalk comparisonWalk = new ComparisonWalk();
    comparisonWalk.value(shape, before, after);
    return new Comparison(comparisonWalk.changed.set(), comparisonWalk.removed.set());
  }

  boolean isNothing() {
    return changed.isEmpty() && removed.isEmpty();
  }

  private static final class ComparisonWalk {
    private final FieldSet.Collector changed = new FieldSet.Collector();
    private final FieldSet.Collector removed = new FieldSet.Collector();

    @SuppressWarnings("ReferenceEquality") // Shared subtrees are what makes this cheap.
    void value(Shape shape, @Nullable JsonNode before, @Nullable JsonNode after) {
      if (before == after) {
        return;
      }
      Shape.Kind was = kind(shape, before);
      Shape.Kind is = kind(shape, after);
      if (was != null && is != null && was != is) {
        value(shape, before, null);
        value(shape, null, after);
        return;
      }
      Shape.Kind kind = is != null ? is : was == null ? Shape.Kind.WHOLE : was;
      if (kind == Shape.Kind.WHOLE || (isEmpty(before) && isEmpty(after))) {
        whole(before, after);
        return;
      }
      switch (kind) {
        case WHOLE -> {}
        case FIELDS, MAP -> fields(shape, before, after);
        case SET, KEYED_LIST -> elements(shape, kind, before, after);
      }
      if (before == null) {
        changed.add();
      } else if (after == null) {
        removed.add();
      }
    }

    private static Shape.@Nullable Kind kind(Shape shape, @Nullable JsonNode value) {
      return value == null ? null : shape.kind(value);
    }

    private static boolean isEmpty(@Nullable JsonNode value) {
      return value == null || value.isEmpty();
    }

    private void whole(@Nullable JsonNode before, @Nullable JsonNode after) {
      if (after == null) {
        removed.add();
      } else if (!after.equals(before)) {
        changed.add();
      }
    }

    private void fields(Shape shape, @Nullable JsonNode before, @Nullable JsonNode after) {
      if (after != null) {
        for (Map.Entry<String, JsonNode> field : after.properties()) {
          JsonNode old = before == null ? null : before.get(field.getKey());
          field(shape, field.getKey(), old, field.getValue());
        }
      }
      if (before != null) {
        for (Map.Entry<String, JsonNode> field : before.properties()) {
          if (after == null || !after.has(field.getKey())) {
            field(shape, field.getKey(), field.getValue(), null);
          }
        }
      }
    }

    @SuppressWarnings("ReferenceEquality") // Saves making the step's text.
    private void field(
        Shape shape, String name, @Nullable JsonNode before, @Nullable JsonNode after) {
      if (before != after) {
        step(Step.field(name), Fields.child(shape, name), before, after);
      }
    }

    private void elements(
        Shape shape, Shape.Kind kind, @Nullable JsonNode before, @Nullable JsonNode after) {
      Shape element = kind == Shape.Kind.SET ? Untyped.WHOLE : shape.element();
      Map<String, JsonNode> old = byStep(shape, kind, before);
      byStep(shape, kind, after)
          .forEach((step, value) -> step(step, element, old.remove(step), value));
      old.forEach((step, value) -> step(step, element, value, null));
    }

    private static Map<String, JsonNode> byStep(
        Shape shape, Shape.Kind kind, @Nullable JsonNode list) {
      Map<String, JsonNode> elements = new LinkedHashMap<>();
      if (list != null) {
        for (JsonNode element : list) {
          String step = Step.in(shape, kind, element);
          if (step != null) {
            elements.putIfAbsent(step, element);
          }
        }
      }
      return elements;
    }

    private void step(
        String step, Shape shape, @Nullable JsonNode before, @Nullable JsonNode after) {
      changed.enter(step);
      removed.enter(step);
      value(shape, before, after);
      changed.leave();
      removed.leave();
    }
  }
}
