// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.List;
import org.apiguardian.api.API;

/** Carries out the conversion between versions that a CustomResourceDefinition asks for. */
@API(status = API.Status.INTERNAL)
public interface VersionConverter {

  /** The strategy None: versions differ in nothing but their name. */
  VersionConverter RENAMING =
      (objects, apiVersion) ->
          objects.stream()
              .map(object -> Trees.fresh(object).put("apiVersion", apiVersion))
              .toList();

  /** Finds the converter for the strategy Webhook. */
  interface Webhooks {
    /** For where nothing is converted. */
    Webhooks NONE = conversion -> RENAMING;

    /**
     * The converter of a definition.
     *
     * @param conversion the definition's {@code spec.conversion.webhook}
     */
    VersionConverter of(ObjectNode conversion);
  }

  /**
   * Objects in another version, in the same order.
   *
   * @throws io.github.kueue4j.apiserver.status.ApiException if they can't be converted
   */
  List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion);
}
