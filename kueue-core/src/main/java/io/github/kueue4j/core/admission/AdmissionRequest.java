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
package io.github.kueue4j.core.admission;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.github.kueue4j.api.KueueJson;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A write that the API server asks about.
 *
 * @param namespace of the object; empty for cluster scope
 * @param subresource which part is written, such as {@code status}; empty for the object itself
 * @param object as it would be stored
 * @param old as it is stored; null for a new one
 */
@API(status = API.Status.INTERNAL)
public record AdmissionRequest(
    String namespace, String subresource, JsonObject object, @Nullable JsonObject old) {

  /** Whether the object is on its way out; its finalizers must come off whatever it holds. */
  boolean deleting() {
    return object.get("metadata") instanceof JsonObject metadata
        && metadata.has("deletionTimestamp");
  }

  /**
   * The object, read.
   *
   * @throws JsonParseException if it isn't one of that class
   */
  <T> T objectAs(Class<T> type) {
    return KueueJson.fromTree(object, type);
  }

  /**
   * The object as it is stored, read; empty for a new one.
   *
   * @throws JsonParseException if it isn't one of that class
   */
  <T> Optional<T> oldAs(Class<T> type) {
    return Optional.ofNullable(old).map(tree -> KueueJson.fromTree(tree, type));
  }
}
