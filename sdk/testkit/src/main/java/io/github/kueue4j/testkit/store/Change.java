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
package io.github.kueue4j.testkit.store;

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
public record Change(Type type, StoredObject object, @Nullable StoredObject previous) {

  /** What happened, in the words of watch events. */
  public enum Type {
    ADDED,
    MODIFIED,
    DELETED
  }

  public long revision() {
    return object.revision();
  }
}
