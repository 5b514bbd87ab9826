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

import io.github.kueue4j.testkit.kinds.ServedResource;
import io.github.kueue4j.testkit.managed.FieldOwner;
import io.github.kueue4j.testkit.managed.Ownership;
import java.util.Set;

/** Which fields a write through one endpoint can own. */
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
