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
package io.github.kueue4j.testkit.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.schema.FieldError;
import io.github.kueue4j.testkit.shape.Shape;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** What a kind demands of its objects beyond metadata. All methods are pure. */
@API(status = API.Status.INTERNAL)
public interface ObjectRules {

  /** Paths of fields that the kind doesn't know, in the words of strict decoding. */
  List<String> unknownFields(ObjectNode incoming);

  /** Drops unknown fields and fills in defaults. */
  ObjectNode prepare(ObjectNode incoming);

  /**
   * Fills in what the server itself decides, once metadata is complete.
   *
   * @param old the version before, null on a create
   */
  ObjectNode complete(ObjectNode object, @Nullable ObjectNode old, Instant now);

  /**
   * Says what is wrong with an object.
   *
   * @param old the version before, null on a create
   */
  List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old);

  /** Into which separately owned parts objects of the kind fall. */
  Shape shape();

  /** Whether metadata.generation counts changes of the desired state. */
  boolean countsGenerations();
}
