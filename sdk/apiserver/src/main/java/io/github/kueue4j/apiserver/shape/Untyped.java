// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.shape;

import com.fasterxml.jackson.databind.JsonNode;
import org.apiguardian.api.API;

/** Shapes of values without a type. */
@API(status = API.Status.INTERNAL)
public enum Untyped implements Shape {
  /** A scalar, or something that has one owner as a whole. */
  WHOLE,
  /** Objects are maps, everything else is whole. */
  DEDUCED;

  @Override
  public Kind kind(JsonNode value) {
    return this == DEDUCED && value.isObject() ? Kind.MAP : Kind.WHOLE;
  }

  @Override
  public Shape child(String name) {
    return this;
  }

  @Override
  public Shape element() {
    return this;
  }
}
