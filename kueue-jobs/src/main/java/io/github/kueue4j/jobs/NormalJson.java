// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

/** A canonical JSON form of pods: equal for all pods that a server treats as equal. */
final class NormalJson {
  private static final JsonPrimitive DEFAULT_PROTOCOL = new JsonPrimitive("TCP");

  private NormalJson() {}

  /** Removes empty values and the values that servers fill in by default. */
  static JsonElement of(JsonElement element) {
    return switch (element) {
      case JsonObject object -> {
        JsonObject normal = new JsonObject();
        object
            .entrySet()
            .forEach(
                entry -> {
                  JsonElement value = of(entry.getValue());
                  if (!empty(value)
                      && !(entry.getKey().equals("protocol") && value.equals(DEFAULT_PROTOCOL))) {
                    normal.add(entry.getKey(), value);
                  }
                });
        yield normal;
      }
      case JsonArray array -> {
        JsonArray normal = new JsonArray();
        array.forEach(item -> normal.add(of(item)));
        yield normal;
      }
      default -> element;
    };
  }

  private static boolean empty(JsonElement element) {
    return switch (element) {
      case JsonNull none -> true;
      case JsonObject object -> object.isEmpty();
      case JsonArray array -> array.isEmpty();
      case JsonPrimitive primitive -> primitive.isString() && primitive.getAsString().isEmpty();
      default -> false;
    };
  }
}
