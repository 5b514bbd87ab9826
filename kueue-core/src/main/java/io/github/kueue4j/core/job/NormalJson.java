/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.job;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

/** Pods as JSON in the one form that those have in common which mean the same to a server. */
final class NormalJson {
  private static final JsonPrimitive DEFAULT_PROTOCOL = new JsonPrimitive("TCP");

  private NormalJson() {}

  /** Without what says nothing, and what servers fill in by default. */
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
