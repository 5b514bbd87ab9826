// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * JSON merge patch, RFC 7386. Unchanged subtrees are shared between the argument and the result.
 */
final class MergePatch {

  private MergePatch() {}

  static JsonNode apply(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch;
    }
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    if (target instanceof ObjectNode object) {
      result.setAll(object);
    }
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      if (change.getValue().isNull()) {
        result.remove(change.getKey());
      } else {
        JsonNode before = result.path(change.getKey());
        result.set(change.getKey(), apply(before, change.getValue()));
      }
    }
    return result;
  }
}
