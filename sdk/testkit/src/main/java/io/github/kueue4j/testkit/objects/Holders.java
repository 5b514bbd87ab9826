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
package io.github.kueue4j.testkit.objects;

import io.github.kueue4j.testkit.kinds.BuiltInKinds;
import io.github.kueue4j.testkit.kinds.CustomResourceDefinition;
import io.github.kueue4j.testkit.kinds.ServedResource;
import io.github.kueue4j.testkit.status.ApiErrors;
import io.github.kueue4j.testkit.status.ApiException;
import io.github.kueue4j.testkit.store.Key;
import io.github.kueue4j.testkit.store.ObjectStore;
import io.github.kueue4j.testkit.store.StoredObject;
import io.github.kueue4j.testkit.tree.Trees;
import java.util.List;
import java.util.Optional;

/** What holds objects: their namespace and the definition of their kind. */
record Holders(ObjectStore store) {

  /** Refuses a new object whose namespace or kind is missing or on its way out. */
  void checkMayHold(ServedResource resource, String namespace, String name) {
    if (resource.namespaced()) {
      StoredObject holder =
          store
              .kind(BuiltInKinds.NAMESPACES)
              .get(new Key("", namespace))
              .orElseThrow(() -> ApiErrors.notFound("", "namespaces", namespace));
      if (Trees.deleting(holder.tree())) {
        throw ApiErrors.forbidden(
            resource.group(),
            resource.plural(),
            name,
            "unable to create new content in namespace "
                + namespace
                + " because it is being terminated",
            List.of(
                new ApiException.Cause(
                    "NamespaceTerminating",
                    "namespace " + namespace + " is being terminated",
                    "metadata.namespace")));
      }
    }
    if (resource.custom()) {
      Optional<StoredObject> definition =
          store
              .kind(BuiltInKinds.DEFINITIONS)
              .get(new Key("", resource.plural() + "." + resource.group()));
      if (definition.isPresent() && CustomResourceDefinition.terminating(definition.get().tree())) {
        throw ApiErrors.methodNotAllowed(
            "create not allowed while custom resource definition is terminating");
      }
    }
  }
}
