// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.apiserver.shape.Shape;
import io.github.kueue4j.apiserver.shape.Untyped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The shape that a structural schema gives to values. */
record SchemaShape(SchemaNode node, boolean root) implements Shape {

  @Override
  public Kind kind(JsonNode value) {
    if (value.isObject()) {
      return ofObject();
    }
    if (value.isArray()) {
      return switch (node.list().listType()) {
        case ATOMIC -> Kind.WHOLE;
        case SET -> Kind.SET;
        case MAP -> Kind.KEYED_LIST;
      };
    }
    return Kind.WHOLE;
  }

  private Kind ofObject() {
    if (node.atomicMap()) {
      return Kind.WHOLE;
    }
    boolean free = node.additional() != null || node.allowsAnything() || node.preserveUnknown();
    return node.properties().isEmpty() && free && !root ? Kind.MAP : Kind.FIELDS;
  }

  @Override
  public @Nullable Shape child(String name) {
    Shape common = root ? Shape.ofEveryObject(name) : null;
    if (common != null) {
      return common;
    }
    SchemaNode property = node.properties().get(name);
    if (property != null) {
      return new SchemaShape(property, false);
    }
    SchemaNode additional = node.additional();
    if (additional != null) {
      return new SchemaShape(additional, false);
    }
    boolean anything =
        node.preserveUnknown() || node.allowsAnything() || (node.embeddedResource() && !root);
    return anything ? Untyped.DEDUCED : null;
  }

  @Override
  public boolean declares(String name) {
    return root || node.properties().containsKey(name);
  }

  @Override
  public Shape element() {
    SchemaNode items = node.items();
    return items == null ? Untyped.DEDUCED : new SchemaShape(items, false);
  }

  @Override
  public List<String> keys() {
    return node.list().keys().stream().sorted().toList();
  }

  @Override
  public @Nullable JsonNode keyDefault(String key) {
    SchemaNode items = node.items();
    SchemaNode property = items == null ? null : items.properties().get(key);
    return property == null ? null : property.defaultValue();
  }
}
