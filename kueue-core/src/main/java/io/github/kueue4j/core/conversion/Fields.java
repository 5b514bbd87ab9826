// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.conversion;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shared steps of the conversions. */
final class Fields {
  private Fields() {}

  static Optional<JsonObject> object(JsonObject parent, String name) {
    return parent.get(name) instanceof JsonObject child ? Optional.of(child) : Optional.empty();
  }

  static Optional<JsonArray> array(JsonObject parent, String name) {
    return parent.get(name) instanceof JsonArray child ? Optional.of(child) : Optional.empty();
  }

  /** The text of a field; empty if it is absent or not a string. */
  static String text(JsonObject parent, String name) {
    JsonElement value = parent.get(name);
    return value == null || !value.isJsonPrimitive() ? "" : value.getAsString();
  }

  static void rename(JsonObject parent, String from, String to) {
    JsonElement value = parent.remove(from);
    if (value != null) {
      parent.add(to, value);
    }
  }

  static void annotate(JsonObject object, String key, String value) {
    JsonObject metadata = child(object, "metadata");
    child(metadata, "annotations").addProperty(key, value);
  }

  /** Removes an annotation; null if there was none. */
  static @Nullable String takeAnnotation(JsonObject object, String key) {
    Optional<JsonObject> metadata = object(object, "metadata");
    Optional<JsonObject> annotations = metadata.flatMap(found -> object(found, "annotations"));
    if (annotations.isEmpty() || !annotations.get().has(key)) {
      return null;
    }
    String value = text(annotations.get(), key);
    annotations.get().remove(key);
    if (annotations.get().isEmpty()) {
      metadata.get().remove("annotations");
    }
    return value;
  }

  private static JsonObject child(JsonObject parent, String name) {
    return object(parent, name)
        .orElseGet(
            () -> {
              JsonObject made = new JsonObject();
              parent.add(name, made);
              return made;
            });
  }
}
