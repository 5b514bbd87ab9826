// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;

/** Changes of a copy of an object, recorded as a JSON patch (RFC 6902). */
final class Edits {
  private final JsonObject object;
  private final JsonArray patch = new JsonArray();

  Edits(JsonObject original) {
    this.object = original.deepCopy();
  }

  /** The object as changed so far. */
  JsonObject object() {
    return object;
  }

  ReviewResult.Allowed ruling() {
    return new ReviewResult.Allowed(patch, List.of());
  }

  /** Sets a member at a path, and creates missing parents. */
  void set(JsonElement value, String... path) {
    JsonObject parent = object;
    StringBuilder pointer = new StringBuilder();
    for (int i = 0; i < path.length - 1; i++) {
      pointer.append('/').append(escaped(path[i]));
      if (!(parent.get(path[i]) instanceof JsonObject)) {
        JsonObject made = new JsonObject();
        parent.add(path[i], made);
        note("add", pointer.toString(), made.deepCopy());
      }
      parent = parent.getAsJsonObject(path[i]);
    }
    String last = path[path.length - 1];
    parent.add(last, value);
    note("add", pointer + "/" + escaped(last), value);
  }

  /** Adds a finalizer unless it is present. */
  void finalizer(String name) {
    JsonElement present =
        object.get("metadata") instanceof JsonObject metadata ? metadata.get("finalizers") : null;
    JsonArray finalizers = present instanceof JsonArray array ? array.deepCopy() : new JsonArray();
    if (!finalizers.contains(new JsonPrimitive(name))) {
      finalizers.add(name);
      set(finalizers, "metadata", "finalizers");
    }
  }

  /** Removes a member of an element of a list. */
  void remove(JsonObject element, String pointer, String member) {
    element.remove(member);
    JsonObject operation = new JsonObject();
    operation.addProperty("op", "remove");
    operation.addProperty("path", pointer + "/" + escaped(member));
    patch.add(operation);
  }

  private void note(String kind, String pointer, JsonElement value) {
    JsonObject operation = new JsonObject();
    operation.addProperty("op", kind);
    operation.addProperty("path", pointer);
    operation.add("value", value.deepCopy());
    patch.add(operation);
  }

  private static String escaped(String member) {
    return member.replace("~", "~0").replace("/", "~1");
  }
}
