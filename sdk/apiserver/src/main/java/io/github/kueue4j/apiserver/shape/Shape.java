// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.shape;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Into which parts a value falls that can have owners of their own.
 *
 * <p>Source: Kubernetes documentation, "Server-Side Apply", section "Merge strategy".
 */
@API(status = API.Status.INTERNAL)
public interface Shape {

  /** The ways in which a value falls into parts. */
  enum Kind {
    /** Not at all: a scalar, or an atomic list or map. */
    WHOLE,
    /** An object with the fields that its type declares. */
    FIELDS,
    /** An object whose keys are data. */
    MAP,
    /** A list of scalars without order. */
    SET,
    /** A list of objects that are told apart by some of their fields. */
    KEYED_LIST
  }

  /** How this value falls into parts; a value of the wrong JSON type is whole. */
  Kind kind(JsonNode value);

  /** The shape of a field or a map's entry; null if the type has no such field. */
  default @Nullable Shape child(String name) {
    return null;
  }

  /** Whether this is a field of the type, not a key of a map. */
  default boolean declares(String name) {
    return false;
  }

  /** The shape of a list's elements. */
  default Shape element() {
    return Untyped.WHOLE;
  }

  /** The fields that tell the elements of a keyed list apart, sorted. */
  default List<String> keys() {
    return List.of();
  }

  /** The value that an absent key field counts as; null if it must be there. */
  default @Nullable JsonNode keyDefault(String key) {
    return null;
  }

  /** The shape of what every object has beside the fields of its own type; null for those. */
  static @Nullable Shape ofEveryObject(String field) {
    return switch (field) {
      case "apiVersion", "kind" -> Untyped.WHOLE;
      case "metadata" -> MessageShape.METADATA;
      default -> null;
    };
  }
}
