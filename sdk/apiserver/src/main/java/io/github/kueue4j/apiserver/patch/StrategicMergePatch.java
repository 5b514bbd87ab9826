// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.github.kueue4j.apiserver.protobuf.ApiMessages;
import io.github.kueue4j.apiserver.protobuf.ProtobufKinds;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Strategic merge patch: a merge patch that knows which lists are keyed.
 *
 * <p>Source: Kubernetes community documentation, "Strategic Merge Patch", with the directives
 * {@code $patch}, {@code $retainKeys}, {@code $deleteFromPrimitiveList} and {@code
 * $setElementOrder}.
 */
final class StrategicMergePatch {

  static final String DIRECTIVE = "$patch";
  private static final String RETAIN_KEYS = "$retainKeys";
  private static final String ORDER = "$setElementOrder/";
  private static final String DELETE_VALUES = "$deleteFromPrimitiveList/";
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private StrategicMergePatch() {}

  static ObjectNode apply(String apiVersion, String kind, ObjectNode object, ObjectNode changes) {
    Descriptor message = ProtobufKinds.messageOf(apiVersion, kind).orElse(null);
    if (message != null) {
      return merge(object, changes, message);
    }
    // A kind without a known message has keyed lists in its metadata alone.
    ObjectNode others = NODES.objectNode();
    others.setAll(changes);
    JsonNode metadata = others.remove("metadata");
    ObjectNode result = merge(object, others, null);
    if (metadata instanceof ObjectNode changed) {
      ObjectNode before =
          result.get("metadata") instanceof ObjectNode known ? known : NODES.objectNode();
      result.set("metadata", merge(before, changed, ApiMessages.objectMeta()));
    }
    return result;
  }

  static ObjectNode merge(ObjectNode object, ObjectNode changes, @Nullable Descriptor message) {
    JsonNode directive = changes.get(DIRECTIVE);
    if (directive != null) {
      return directed(directive.asText(), changes, message);
    }
    ObjectNode result = NODES.objectNode();
    result.setAll(object);
    retainKeys(result, changes);
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      String name = change.getKey();
      if (name.startsWith(DELETE_VALUES)) {
        deleteValues(result, name.substring(DELETE_VALUES.length()), change.getValue());
      } else if (!name.startsWith("$")) {
        change(result, name, change.getValue(), changes.get(ORDER + name), message);
      }
    }
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      String name = change.getKey();
      if (name.startsWith(ORDER) && !changes.has(name.substring(ORDER.length()))) {
        reorder(result, name.substring(ORDER.length()), change.getValue(), message);
      }
    }
    return result;
  }

  private static ObjectNode directed(
      String directive, ObjectNode changes, @Nullable Descriptor message) {
    return switch (directive) {
      case "delete" -> NODES.objectNode();
      case "replace", "merge" -> {
        ObjectNode rest = NODES.objectNode();
        rest.setAll(changes);
        rest.remove(DIRECTIVE);
        yield merge(NODES.objectNode(), rest, message);
      }
      default ->
          throw new PatchException(
              PatchException.Problem.MALFORMED,
              "unknown patch type \"" + directive + "\", use replace, delete or merge");
    };
  }

  private static void retainKeys(ObjectNode result, ObjectNode changes) {
    if (!(changes.get(RETAIN_KEYS) instanceof ArrayNode names)) {
      return;
    }
    Set<String> retained = new HashSet<>();
    names.forEach(name -> retained.add(name.asText()));
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      String name = change.getKey();
      if (!name.startsWith("$") && !change.getValue().isNull() && !retained.contains(name)) {
        throw new PatchException(
            PatchException.Problem.MALFORMED,
            "$retainKeys does not contain " + name + ", which the patch sets; add it there");
      }
    }
    result.retain(retained);
  }

  private static void change(
      ObjectNode result,
      String name,
      JsonNode value,
      @Nullable JsonNode order,
      @Nullable Descriptor message) {
    if (value.isNull()) {
      result.remove(name);
      return;
    }
    JsonNode before = result.get(name);
    Optional<FieldDescriptor> field =
        message == null ? Optional.empty() : ApiMessages.field(message, name);
    if (value instanceof ObjectNode changes) {
      boolean replaced = field.filter(ListKeys::isReplaced).isPresent();
      ObjectNode start =
          before instanceof ObjectNode known && !replaced ? known : NODES.objectNode();
      result.set(name, merge(start, changes, below(field)));
    } else if (value instanceof ArrayNode elements) {
      ArrayNode start = before instanceof ArrayNode known ? known : NODES.arrayNode();
      result.set(name, ListMerge.merge(name, start, elements, order, field.orElse(null)));
    } else {
      result.set(name, value);
    }
  }

  /** The message of a field's value; null for maps, plain values and unknown fields. */
  static @Nullable Descriptor below(Optional<FieldDescriptor> field) {
    return field
        .filter(known -> known.getJavaType() == FieldDescriptor.JavaType.MESSAGE)
        .filter(known -> !known.isMapField())
        .map(FieldDescriptor::getMessageType)
        .orElse(null);
  }

  private static void deleteValues(ObjectNode result, String name, JsonNode values) {
    if (!(result.get(name) instanceof ArrayNode before) || !(values instanceof ArrayNode gone)) {
      return;
    }
    Set<JsonNode> deleted = new HashSet<>();
    gone.forEach(deleted::add);
    ArrayNode rest = NODES.arrayNode();
    before.forEach(
        value -> {
          if (!deleted.contains(value)) {
            rest.add(value);
          }
        });
    result.set(name, rest);
  }

  private static void reorder(
      ObjectNode result, String name, JsonNode order, @Nullable Descriptor message) {
    if (result.get(name) instanceof ArrayNode before && message != null) {
      ApiMessages.field(message, name)
          .ifPresent(
              field ->
                  result.set(name, ListMerge.merge(name, before, NODES.arrayNode(), order, field)));
    }
  }
}
