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
package io.github.kueue4j.testkit.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.flipkart.zjsonpatch.CompatibilityFlags;
import com.flipkart.zjsonpatch.InvalidJsonPatchException;
import com.flipkart.zjsonpatch.JsonPatch;
import com.flipkart.zjsonpatch.JsonPatchApplicationException;
import com.flipkart.zjsonpatch.Operation;
import java.util.EnumSet;

/** JSON patch, RFC 6902, through zjsonpatch with the API's kinds of errors. */
final class JsonPatchOperations {

  private static final EnumSet<CompatibilityFlags> FLAGS =
      EnumSet.of(CompatibilityFlags.FORBID_REMOVE_MISSING_OBJECT);

  private JsonPatchOperations() {}

  static JsonNode apply(ObjectNode object, ArrayNode operations) {
    for (JsonNode operation : operations) {
      requirePointer(operation, "path");
      requirePointer(operation, "from");
    }
    try {
      return JsonPatch.apply(operations, object, FLAGS);
    } catch (InvalidJsonPatchException e) {
      throw new PatchException(
          PatchException.Kind.MALFORMED, "malformed JSON patch: " + e.getMessage(), e);
    } catch (JsonPatchApplicationException e) {
      PatchException.Kind kind =
          e.getOperation() == Operation.TEST
              ? PatchException.Kind.TEST_FAILED
              : PatchException.Kind.NOT_APPLICABLE;
      throw new PatchException(kind, "the JSON patch doesn't fit: " + e.getMessage(), e);
    }
  }

  private static void requirePointer(JsonNode operation, String field) {
    String pointer = operation.path(field).asText("");
    if (!pointer.isEmpty() && !pointer.startsWith("/")) {
      throw new PatchException(
          PatchException.Kind.MALFORMED,
          "the " + field + " \"" + pointer + "\" is no JSON pointer, begin it with a slash");
    }
  }
}
