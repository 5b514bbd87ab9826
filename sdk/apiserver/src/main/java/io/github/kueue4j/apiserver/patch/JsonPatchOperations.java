// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.patch;

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
          PatchException.Problem.MALFORMED, "malformed JSON patch: " + e.getMessage(), e);
    } catch (JsonPatchApplicationException e) {
      PatchException.Problem problem =
          e.getOperation() == Operation.TEST
              ? PatchException.Problem.TEST_FAILED
              : PatchException.Problem.NOT_APPLICABLE;
      throw new PatchException(problem, "the JSON patch doesn't fit: " + e.getMessage(), e);
    }
  }

  private static void requirePointer(JsonNode operation, String field) {
    String pointer = operation.path(field).asText("");
    if (!pointer.isEmpty() && !pointer.startsWith("/")) {
      throw new PatchException(
          PatchException.Problem.MALFORMED,
          "the " + field + " \"" + pointer + "\" is no JSON pointer, begin it with a slash");
    }
  }
}
