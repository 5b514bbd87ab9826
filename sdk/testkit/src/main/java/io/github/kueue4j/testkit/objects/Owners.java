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

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.managed.ManagedFields;
import java.time.Instant;

/** Says who owns what of an object after a write. */
interface Owners {
  /**
   * The owners after the write.
   *
   * @param before the version before; an empty object on a create
   */
  ManagedFields after(ObjectNode before, ObjectNode after, Instant now);
}
