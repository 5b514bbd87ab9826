// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import io.github.kueue4j.apiserver.kinds.BuiltInKinds;
import io.github.kueue4j.apiserver.kinds.CustomResourceDefinition;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.List;
import java.util.Optional;

/** The holders of objects: their namespace and the definition of their kind. */
record Holders(ObjectStore store) {

  /** Refuses a new object whose namespace or kind is missing or being deleted. */
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
