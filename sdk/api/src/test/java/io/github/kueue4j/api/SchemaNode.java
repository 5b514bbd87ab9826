// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** One node of a CRD's schema. */
record SchemaNode(JsonObject json) {

  static final String OUT_OF_SCOPE = "kueue4j out of scope:";
  static final String EXTENSION = "kueue4j extension:";

  String text(String key) {
    JsonElement value = json.get(key);
    return value == null || !value.isJsonPrimitive() ? "" : value.getAsString();
  }

  boolean flag(String key) {
    return json.has(key) && json.get(key).getAsBoolean();
  }

  boolean isQuantity() {
    return flag("x-kubernetes-int-or-string");
  }

  boolean isOutOfScope() {
    return text("description").startsWith(OUT_OF_SCOPE);
  }

  boolean isExtension() {
    return text("description").startsWith(EXTENSION);
  }

  boolean keepsUnknownFields() {
    return flag("x-kubernetes-preserve-unknown-fields");
  }

  TreeSet<String> texts(String key) {
    TreeSet<String> texts = new TreeSet<>();
    JsonArray array = json.has(key) ? json.getAsJsonArray(key) : new JsonArray();
    array.forEach(element -> texts.add(element.getAsString()));
    return texts;
  }

  List<String> rules() {
    List<String> rules = new ArrayList<>();
    if (json.has("x-kubernetes-validations")) {
      json.getAsJsonArray("x-kubernetes-validations")
          .forEach(rule -> rules.add(rule.getAsJsonObject().get("rule").getAsString()));
    }
    return rules;
  }

  Map<String, SchemaNode> properties() {
    Map<String, SchemaNode> properties = new LinkedHashMap<>();
    if (json.has("properties")) {
      json.getAsJsonObject("properties")
          .asMap()
          .forEach((name, node) -> properties.put(name, new SchemaNode(node.getAsJsonObject())));
    }
    return properties;
  }

  SchemaNode items() {
    return new SchemaNode(json.getAsJsonObject("items"));
  }

  SchemaNode values() {
    return new SchemaNode(json.getAsJsonObject("additionalProperties"));
  }

  /** Visits this node and all below with their paths, such as {@code spec.podSets[].name}. */
  void visit(String path, BiConsumer<String, SchemaNode> visitor) {
    visitor.accept(path, this);
    properties()
        .forEach((name, node) -> node.visit(path.isEmpty() ? name : path + '.' + name, visitor));
    if (json.has("items")) {
      items().visit(path + "[]", visitor);
    }
    if (json.has("additionalProperties")) {
      values().visit(path + "{}", visitor);
    }
  }
}
