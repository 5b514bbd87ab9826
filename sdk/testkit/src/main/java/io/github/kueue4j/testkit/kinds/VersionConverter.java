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
package io.github.kueue4j.testkit.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.tree.Trees;
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
   * @throws io.github.kueue4j.testkit.status.ApiException if they can't be converted
   */
  List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion);
}
