// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fills in a schema's defaults. A null where the schema allows none is treated as absent: it gets
 * the default or is dropped. Defaults are copied in: two objects never share one.
 */
final class Defaulting {

  private Defaulting() {}

  static JsonNode apply(SchemaNode node, JsonNode value) {
    return switch (value) {
      case ObjectNode object -> object(node, object);
      case ArrayNode array when node.items() != null -> array(node.items(), array);
      default -> value;
    };
  }

  private static JsonNode object(SchemaNode node, ObjectNode object) {
    @Nullable ObjectNode result = null;
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      SchemaNode child = node.properties().get(field.getKey());
      if (child == null) {
        child = node.additional();
      }
      if (child == null || (node.embeddedResource() && Pruning.isEnvelope(field.getKey()))) {
        continue;
      }
      JsonNode before = field.getValue();
      if (before.isNull() && !child.nullable()) {
        result = result == null ? Pruning.shallowCopy(object) : result;
        if (child.defaultValue() == null) {
          result.remove(field.getKey());
        } else {
          result.set(field.getKey(), apply(child, child.defaultValue().deepCopy()));
        }
        continue;
      }
      JsonNode after = apply(child, before);
      if (Pruning.differs(after, before)) {
        result = result == null ? Pruning.shallowCopy(object) : result;
        result.set(field.getKey(), after);
      }
    }
    for (Map.Entry<String, SchemaNode> property : node.properties().entrySet()) {
      JsonNode value = property.getValue().defaultValue();
      if (value != null && !object.has(property.getKey())) {
        result = result == null ? Pruning.shallowCopy(object) : result;
        result.set(property.getKey(), apply(property.getValue(), value.deepCopy()));
      }
    }
    return result == null ? object : result;
  }

  private static JsonNode array(SchemaNode items, ArrayNode array) {
    @Nullable ArrayNode result = null;
    for (int i = 0; i < array.size(); i++) {
      JsonNode before = array.get(i);
      JsonNode start = before;
      if (before.isNull() && !items.nullable() && items.defaultValue() != null) {
        start = items.defaultValue().deepCopy();
      }
      JsonNode after = apply(items, start);
      if (Pruning.differs(after, before)) {
        result = result == null ? Pruning.shallowCopy(array) : result;
        result.set(i, after);
      }
    }
    return result == null ? array : result;
  }
}
