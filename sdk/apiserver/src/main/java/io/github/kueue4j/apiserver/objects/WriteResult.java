// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import io.github.kueue4j.apiserver.store.StoredObject;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The result of a write.
 *
 * @param object the object as it is now; for a deletion its last version
 * @param effect what the write did
 * @param warnings for the client, one text each
 */
@API(status = API.Status.INTERNAL)
public record WriteResult(StoredObject object, Effect effect, List<String> warnings) {
  public WriteResult {
    warnings = List.copyOf(warnings);
  }

  /** The effect of a write on an object. */
  public enum Effect {
    CREATED,
    /** Another version, or the same one if there was nothing to change. */
    CHANGED,
    /** It no longer exists. */
    GONE
  }

  /** Whether the object no longer exists. */
  public boolean gone() {
    return effect == Effect.GONE;
  }
}
