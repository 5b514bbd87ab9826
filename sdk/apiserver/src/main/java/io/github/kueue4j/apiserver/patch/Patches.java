// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apiguardian.api.API;

/**
 * The three patch formats of the API. No method changes its arguments; results share unchanged
 * subtrees with them.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class Patches {

  private Patches() {}

  /**
   * Applies a JSON patch (RFC 6902).
   *
   * @throws PatchException if it is malformed, doesn't fit or a test fails
   */
  public static ObjectNode jsonPatch(ObjectNode object, JsonNode patch) {
    if (!(patch instanceof ArrayNode operations)) {
      throw new PatchException(
          PatchException.Problem.MALFORMED, "a JSON patch is a list of operations, send an array");
    }
    return asObject(JsonPatchOperations.apply(object, operations));
  }

  /**
   * Applies a JSON merge patch (RFC 7386).
   *
   * @throws PatchException if the patch is no object
   */
  public static ObjectNode mergePatch(ObjectNode object, JsonNode patch) {
    if (!patch.isObject()) {
      throw new PatchException(
          PatchException.Problem.MALFORMED, "a merge patch is an object, send a JSON object");
    }
    return asObject(MergePatch.apply(object, patch));
  }

  /**
   * Applies a strategic merge patch to an object of a built-in kind.
   *
   * @param apiVersion of the object, such as {@code apps/v1}
   * @throws PatchException if it is malformed or doesn't fit
   */
  public static ObjectNode strategicMergePatch(
      String apiVersion, String kind, ObjectNode object, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      throw new PatchException(
          PatchException.Problem.MALFORMED,
          "a strategic merge patch is an object, send a JSON object");
    }
    return StrategicMergePatch.apply(apiVersion, kind, object, changes);
  }

  private static ObjectNode asObject(JsonNode patched) {
    if (patched instanceof ObjectNode object) {
      return object;
    }
    throw new PatchException(
        PatchException.Problem.NOT_APPLICABLE,
        "the patch turns the object into something else, patch its fields instead");
  }
}
