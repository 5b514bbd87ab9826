// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.github.kueue4j.api.KueueJson;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A write that the API server submits for review.
 *
 * @param namespace of the object; empty for cluster scope
 * @param object as it would be stored
 * @param old as it is stored; null for a new one
 */
@API(status = API.Status.INTERNAL)
public record AdmissionRequest(String namespace, JsonObject object, @Nullable JsonObject old) {

  /**
   * Whether the object is being deleted; then its finalizers must be removable even if it is
   * invalid.
   */
  boolean deleting() {
    return object.get("metadata") instanceof JsonObject metadata
        && metadata.has("deletionTimestamp");
  }

  /**
   * The object, parsed.
   *
   * @throws JsonParseException if it isn't one of that class
   */
  <T> T objectAs(Class<T> type) {
    return KueueJson.fromTree(object, type);
  }

  /**
   * The stored object, parsed; empty for a new one.
   *
   * @throws JsonParseException if it isn't one of that class
   */
  <T> Optional<T> oldAs(Class<T> type) {
    return Optional.ofNullable(old).map(tree -> KueueJson.fromTree(tree, type));
  }
}
