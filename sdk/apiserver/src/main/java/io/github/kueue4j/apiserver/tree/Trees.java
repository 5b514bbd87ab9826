// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.tree;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads Kubernetes objects as JSON trees and makes edited copies. Trees are shared between stored
 * versions, so nothing here changes its argument unless the name says "fresh".
 */
@API(status = API.Status.INTERNAL)
public final class Trees {

  private Trees() {}

  public static ObjectNode empty() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** A copy whose direct fields can be set without touching the original. */
  public static ObjectNode fresh(ObjectNode tree) {
    ObjectNode copy = empty();
    copy.setAll(tree);
    return copy;
  }

  /** The field as an object; an empty one if it is absent or something else. */
  public static ObjectNode object(JsonNode tree, String field) {
    return tree.get(field) instanceof ObjectNode value ? value : empty();
  }

  public static ObjectNode metadata(ObjectNode tree) {
    return object(tree, "metadata");
  }

  /** The field as text, empty if it is absent or no text. */
  public static String text(JsonNode tree, String field) {
    JsonNode value = tree.get(field);
    return value != null && value.isTextual() ? value.textValue() : "";
  }

  public static String name(ObjectNode tree) {
    return text(metadata(tree), "name");
  }

  public static String namespace(ObjectNode tree) {
    return text(metadata(tree), "namespace");
  }

  public static String uid(ObjectNode tree) {
    return text(metadata(tree), "uid");
  }

  public static boolean deleting(ObjectNode tree) {
    return metadata(tree).hasNonNull("deletionTimestamp");
  }

  public static Map<String, String> labels(ObjectNode tree) {
    return stringMap(object(metadata(tree), "labels"));
  }

  public static Map<String, String> stringMap(ObjectNode map) {
    Map<String, String> result = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : map.properties()) {
      result.put(entry.getKey(), entry.getValue().asText());
    }
    return result;
  }

  /** A copy of the tree with other metadata. */
  public static ObjectNode withMetadata(ObjectNode tree, ObjectNode metadata) {
    ObjectNode copy = fresh(tree);
    copy.set("metadata", metadata);
    return copy;
  }

  /** A copy with one top-level field set, or removed if the value is null. */
  public static ObjectNode with(ObjectNode tree, String field, @Nullable JsonNode value) {
    ObjectNode copy = fresh(tree);
    if (value == null) {
      copy.remove(field);
    } else {
      copy.set(field, value);
    }
    return copy;
  }

  /**
   * Sets a field of a fresh object to what it is elsewhere, or removes it if it is absent there.
   */
  public static void copyField(ObjectNode from, ObjectNode freshTo, String field) {
    JsonNode value = from.get(field);
    if (value == null) {
      freshTo.remove(field);
    } else {
      freshTo.set(field, value);
    }
  }

  /** The value at a dotted path such as {@code spec.nodeName}; null if there is none. */
  public static @Nullable JsonNode at(JsonNode tree, String dottedPath) {
    JsonNode current = tree;
    for (String step : dottedPath.split("\\.", -1)) {
      if (step.isEmpty()) {
        continue;
      }
      current = current.get(step);
      if (current == null) {
        return null;
      }
    }
    return current;
  }

  /** The API's {@code Time}: RFC 3339 in UTC with whole seconds. */
  public static String time(Instant instant) {
    return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS));
  }
}
