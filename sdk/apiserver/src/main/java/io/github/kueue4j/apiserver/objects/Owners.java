// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.managed.ManagedFields;
import java.time.Instant;

/** Updates the owners of an object's fields after a write. */
interface Owners {
  /**
   * The owners after the write.
   *
   * @param before the version before; an empty object on a create
   */
  ManagedFields after(ObjectNode before, ObjectNode after, Instant now);
}
