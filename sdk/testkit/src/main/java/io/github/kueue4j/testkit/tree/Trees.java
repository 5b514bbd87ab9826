// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.tree;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.apiguardian.api.API;

/**
 * Reads Kubernetes objects as JSON trees. The API server has a class of its own for that, which it
 * doesn't publish: these few readers aren't worth a public API there.
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

  /** The API's {@code Time}: RFC 3339 in UTC with whole seconds. */
  public static String time(Instant instant) {
    return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS));
  }
}
