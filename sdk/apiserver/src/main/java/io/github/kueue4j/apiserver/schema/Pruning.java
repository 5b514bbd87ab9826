// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds and drops fields that a schema doesn't know. */
final class Pruning {

  /** Is told every dropped field. */
  interface Listener {
    void dropped(FieldPath path);
  }

  private static final Listener SILENT = path -> {};

  private final Listener listener;

  private Pruning(Listener listener) {
    this.listener = listener;
  }

  static ObjectNode prune(SchemaNode root, ObjectNode object) {
    return (ObjectNode) new Pruning(SILENT).value(root, object, FieldPath.ROOT);
  }

  static ObjectNode prune(SchemaNode root, ObjectNode object, Listener listener) {
    return (ObjectNode) new Pruning(listener).value(root, object, FieldPath.ROOT);
  }

  private JsonNode value(SchemaNode node, JsonNode value, FieldPath path) {
    return switch (value) {
      case ObjectNode object -> object(node, object, path);
      case ArrayNode array when node.items() != null -> array(node.items(), array, path);
      default -> value;
    };
  }

  private JsonNode object(SchemaNode node, ObjectNode object, FieldPath path) {
    @Nullable ObjectNode result = null;
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      String name = field.getKey();
      FieldPath at = path.child(name);
      JsonNode before = field.getValue();
      if (node.embeddedResource() && isEnvelope(name)) {
        continue;
      }
      SchemaNode child = node.properties().get(name);
      if (child == null) {
        child = node.additional();
      }
      if (child != null) {
        JsonNode after = value(child, before, at);
        if (differs(after, before)) {
          result = result == null ? shallowCopy(object) : result;
          result.set(name, after);
        }
      } else if (!node.preserveUnknown() && !node.allowsAnything()) {
        result = result == null ? shallowCopy(object) : result;
        result.remove(name);
        listener.dropped(at);
      }
    }
    return result == null ? object : result;
  }

  private JsonNode array(SchemaNode items, ArrayNode array, FieldPath path) {
    @Nullable ArrayNode result = null;
    for (int i = 0; i < array.size(); i++) {
      JsonNode before = array.get(i);
      JsonNode after = value(items, before, path.index(i));
      if (differs(after, before)) {
        result = result == null ? shallowCopy(array) : result;
        result.set(i, after);
      }
    }
    return result == null ? array : result;
  }

  static boolean isEnvelope(String field) {
    return field.equals("metadata") || field.equals("apiVersion") || field.equals("kind");
  }

  /** Whether a value was replaced on the way; equal contents alone don't count. */
  @SuppressWarnings("ReferenceEquality")
  static boolean differs(JsonNode one, JsonNode other) {
    return one != other;
  }

  static ObjectNode shallowCopy(ObjectNode object) {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    copy.setAll(object);
    return copy;
  }

  static ArrayNode shallowCopy(ArrayNode array) {
    ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
    copy.addAll(array);
    return copy;
  }
}
