// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.store;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One step in the life of an object.
 *
 * @param object the version that the step led to; for a deletion the last version, with the
 *     deletion's resourceVersion
 * @param previous the version before; null for the first
 */
@API(status = API.Status.INTERNAL)
public record Change(ChangeType changeType, StoredObject object, @Nullable StoredObject previous) {

  /** The kind of a change, in the words of watch events. */
  public enum ChangeType {
    ADDED,
    MODIFIED,
    DELETED
  }

  public long revision() {
    return object.revision();
  }
}
