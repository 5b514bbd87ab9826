// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.managed.FieldOwner;
import io.github.kueue4j.apiserver.managed.Ownership;
import java.util.Set;

/** The fields that a write through one endpoint can own. */
final class OwnershipOfWrites {
  private OwnershipOfWrites() {}

  static Ownership of(ServedResource resource, String subresource, WriteOptions options) {
    FieldOwner owner = new FieldOwner(options.fieldManager(), resource.apiVersion(), subresource);
    Set<String> within =
        switch (subresource) {
          case "status" -> resource.custom() ? Set.of("status") : Set.of("status", "metadata");
          case "finalize" -> Set.of("spec");
          default -> Set.of();
        };
    Set<String> outside =
        subresource.isEmpty() && resource.hasStatus() ? Set.of("status") : Set.of();
    return new Ownership(resource.rules().shape(), owner, within, outside);
  }
}
