// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.shape.Shape;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The rules of a kind for its objects beyond metadata. All methods are pure. */
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
