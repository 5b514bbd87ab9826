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

import io.github.kueue4j.testkit.store.StoredObject;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What a write led to.
 *
 * @param object the object as it is now; for a deletion its last version
 * @param effect what became of it
 * @param warnings for the client, one text each
 */
@API(status = API.Status.INTERNAL)
public record Written(StoredObject object, Effect effect, List<String> warnings) {
  public Written {
    warnings = List.copyOf(warnings);
  }

  /** What became of an object. */
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
