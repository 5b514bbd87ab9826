// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.shape.Shape;
import io.github.kueue4j.apiserver.shape.Untyped;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields that an object sets, which its applier owns afterwards. */
final class Fields {
  private final FieldSet.Collector found = new FieldSet.Collector();
  private final List<String> errors = new ArrayList<>();

  private Fields() {}

  /**
   * The fields of an object.
   *
   * @param errors why it can't be told who owns what, such as {@code .spec.x: field not declared in
   *     schema}; empty if it can
   */
  record Found(FieldSet set, List<String> errors) {}

  static Found of(Shape shape, ObjectNode object) {
    Fields walk = new Fields();
    walk.parts(shape, object, "");
    return new Found(walk.found.set(), walk.errors);
  }

  /**
   * Adds every field of a type above a path of the set: who says something about a part of it says
   * that it is there.
   */
  static FieldSet withParents(Shape shape, FieldSet set) {
    return set.isEmpty() ? set : new FieldSet(withParents(shape, set.json()));
  }

  private static ObjectNode withParents(Shape shape, ObjectNode node) {
    ObjectNode result = Trees.empty();
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      String step = entry.getKey();
      ObjectNode below = (ObjectNode) entry.getValue();
      if (!below.isEmpty()) {
        boolean field = Step.isField(step);
        Shape inner = field ? child(shape, Step.fieldName(step)) : shape.element();
        below = withParents(inner, below);
        if (field && shape.declares(Step.fieldName(step))) {
          below = FieldSet.withItself(below);
        }
      }
      result.set(step, below);
    }
    return result;
  }

  /** The shape of a field; of one that the type doesn't have what can be guessed. */
  static Shape child(Shape shape, String name) {
    Shape child = shape.child(name);
    return child == null ? Untyped.DEDUCED : child;
  }

  private void value(Shape shape, JsonNode value, String path) {
    if (shape.kind(value) == Shape.Kind.WHOLE || value.isEmpty()) {
      found.add();
    } else {
      parts(shape, value, path);
    }
  }

  private void parts(Shape shape, JsonNode value, String path) {
    Shape.Kind kind = shape.kind(value);
    switch (kind) {
      case WHOLE -> {}
      case FIELDS, MAP -> fields(shape, value, path);
      case SET, KEYED_LIST -> elements(shape, kind, value, path);
    }
  }

  private void fields(Shape shape, JsonNode value, String path) {
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      String name = field.getKey();
      Shape child = shape.child(name);
      if (child == null) {
        errors.add(path + "." + name + ": field not declared in schema");
        continue;
      }
      found.enter(Step.field(name));
      if (!shape.declares(name)) {
        found.add();
      }
      value(child, field.getValue(), path + "." + name);
      found.leave();
    }
  }

  private void elements(Shape shape, Shape.Kind kind, JsonNode list, String path) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      JsonNode element = list.get(i);
      String step = Step.in(shape, kind, element);
      if (step == null) {
        errors.add(path + ": element " + i + ": " + lacking(shape, element));
        continue;
      }
      if (!seen.add(step)) {
        errors.add(path + ": duplicate entries for key " + Step.readable(step));
        continue;
      }
      found.enter(step);
      found.add();
      parts(
          kind == Shape.Kind.SET ? Untyped.WHOLE : shape.element(), element, path + "[" + i + "]");
      found.leave();
    }
  }

  private static String lacking(Shape list, JsonNode element) {
    @Nullable String missing = null;
    for (String key : list.keys()) {
      if (missing == null && !element.hasNonNull(key) && list.keyDefault(key) == null) {
        missing = key;
      }
    }
    return "associative list with keys has an element that omits key field \""
        + missing
        + "\" (and doesn't have default value)";
  }
}
