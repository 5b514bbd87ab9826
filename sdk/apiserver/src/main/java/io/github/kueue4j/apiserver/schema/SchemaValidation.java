// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.kueue4j.apiserver.schema.SchemaNode.ListSemantics;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Walks an object along its schema and collects what doesn't fit, leaving CEL rules aside. */
final class SchemaValidation {

  private final List<FieldError> errors = new ArrayList<>();
  private final ValueChecks checks = new ValueChecks();

  private SchemaValidation() {}

  static List<FieldError> validate(SchemaNode root, ObjectNode object, @Nullable ObjectNode old) {
    SchemaValidation walk = new SchemaValidation();
    walk.value(root, object, Correlation.of(object, old), FieldPath.ROOT);
    return walk.errors;
  }

  private void value(SchemaNode node, JsonNode value, Correlation before, FieldPath path) {
    if (before.identical() || (value.isNull() && node.nullable())) {
      return;
    }
    int start = errors.size();
    if (fitsType(node, value, path)) {
      checks.check(node.values(), node.format(), value, path, errors);
      if (errors.size() > start && before.unchanged()) {
        errors.subList(start, errors.size()).clear();
        return;
      }
      switch (value) {
        case ObjectNode object -> object(node, object, before, path);
        case ArrayNode array -> array(node, array, before, path);
        default -> {}
      }
    } else if (before.unchanged()) {
      errors.subList(start, errors.size()).clear();
    }
  }

  private boolean fitsType(SchemaNode node, JsonNode value, FieldPath path) {
    if (node.intOrString()) {
      if (JsonType.INTEGER.matches(value) || value.isTextual()) {
        return true;
      }
      wrongType(path, "integer,string", value);
      return false;
    }
    if (node.type() == null || node.type().matches(value)) {
      return true;
    }
    wrongType(path, node.type().word(), value);
    return false;
  }

  private void wrongType(FieldPath path, String expected, JsonNode value) {
    String actual = JsonType.wordFor(value);
    errors.add(
        new FieldError(
            path.toString(),
            FieldError.ErrorType.TYPE_INVALID,
            TextNode.valueOf(actual),
            ValueChecks.inBody(path) + " must be of type " + expected + ": \"" + actual + "\""));
  }

  private void object(SchemaNode node, ObjectNode object, Correlation before, FieldPath path) {
    boolean root = path == FieldPath.ROOT;
    if (node.embeddedResource() && !root) {
      embedded(object, path);
    }
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      String name = field.getKey();
      SchemaNode child = node.properties().get(name);
      if (child != null) {
        value(child, field.getValue(), before.field(name, field.getValue()), path.child(name));
      } else if (node.additional() != null) {
        Correlation correlation = before.field(name, field.getValue());
        value(node.additional(), field.getValue(), correlation, path.child(name));
      }
    }
  }

  private void embedded(ObjectNode object, FieldPath path) {
    for (String field : List.of("apiVersion", "kind")) {
      if (object.path(field).asText("").isEmpty()) {
        errors.add(FieldError.required(path.child(field).toString(), "must not be empty"));
      }
    }
  }

  private void array(SchemaNode node, ArrayNode array, Correlation before, FieldPath path) {
    SchemaNode items = node.items();
    if (items == null || array.isEmpty()) {
      return;
    }
    Correlation.ListElements listElements = before.elements(node, array);
    for (int i = 0; i < array.size(); i++) {
      JsonNode element = array.get(i);
      value(items, element, listElements.at(i, element), path.index(i));
    }
    if (node.list().listType() != ListSemantics.ListType.ATOMIC) {
      duplicates(node, items, array, before, path);
    }
  }

  private void duplicates(
      SchemaNode node, SchemaNode items, ArrayNode array, Correlation before, FieldPath path) {
    if (array.size() < 2) {
      return;
    }
    Set<JsonNode> seen = HashSet.newHashSet(array.size());
    for (int i = 0; i < array.size(); i++) {
      JsonNode identity =
          node.list().listType() == ListSemantics.ListType.SET
              ? array.get(i)
              : keys(node.list().keys(), items, array.get(i));
      if (!seen.add(identity) && !before.unchanged()) {
        errors.add(
            new FieldError(path.index(i).toString(), FieldError.ErrorType.DUPLICATE, identity, ""));
      }
    }
  }

  private static JsonNode keys(List<String> names, SchemaNode items, JsonNode element) {
    ObjectNode keys = JsonNodeFactory.instance.objectNode();
    for (String name : names) {
      SchemaNode property = items.properties().get(name);
      JsonNode value = element.get(name);
      if (value == null && property != null) {
        value = property.defaultValue();
      }
      if (value != null) {
        keys.set(name, value);
      }
    }
    return keys;
  }
}
