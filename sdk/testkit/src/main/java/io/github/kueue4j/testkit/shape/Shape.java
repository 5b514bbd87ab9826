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
package io.github.kueue4j.testkit.shape;

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
  @Nullable Shape child(String name);

  /** Whether this is a field of the type and no key that somebody chose. */
  boolean declares(String name);

  /** The shape of a list's elements. */
  Shape element();

  /** The fields that tell the elements of a keyed list apart, sorted. */
  List<String> keys();

  /** What an absent key field counts as; null if it must be there. */
  @Nullable JsonNode keyDefault(String key);

  /** A scalar, or something that has one owner as a whole. */
  Shape WHOLE = new Untyped(false);

  /** Where no type is known: objects are maps, everything else is whole. */
  Shape DEDUCED = new Untyped(true);

  /** Values without a type. */
  record Untyped(boolean objectsAreMaps) implements Shape {
    @Override
    public Kind kind(JsonNode value) {
      return objectsAreMaps && value.isObject() ? Kind.MAP : Kind.WHOLE;
    }

    @Override
    public Shape child(String name) {
      return this;
    }

    @Override
    public boolean declares(String name) {
      return false;
    }

    @Override
    public Shape element() {
      return this;
    }

    @Override
    public List<String> keys() {
      return List.of();
    }

    @Override
    public @Nullable JsonNode keyDefault(String key) {
      return null;
    }
  }
}
