// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.shape.Shape;
import io.github.kueue4j.apiserver.shape.Untyped;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of built-in kinds: far more lenient than the real server's. Kinds whose defaults or
 * checks matter to controllers extend them.
 */
class BuiltInRules implements ObjectRules {

  @Override
  public List<String> unknownFields(ObjectNode incoming) {
    return List.of();
  }

  @Override
  public ObjectNode prepare(ObjectNode incoming) {
    return incoming;
  }

  @Override
  public ObjectNode complete(ObjectNode object, @Nullable ObjectNode old, Instant now) {
    return object;
  }

  @Override
  public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
    return List.of();
  }

  @Override
  public Shape shape() {
    return Untyped.DEDUCED;
  }

  @Override
  public boolean countsGenerations() {
    return false;
  }
}
