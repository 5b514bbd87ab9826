// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.CompiledSchema;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.shape.Shape;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of a custom resource: those of its schema. */
record CustomRules(CompiledSchema schema, boolean preservesUnknown) implements ObjectRules {

  @Override
  public List<String> unknownFields(ObjectNode incoming) {
    return preservesUnknown ? List.of() : schema.unknownFields(incoming);
  }

  @Override
  public ObjectNode prepare(ObjectNode incoming) {
    return schema.applyDefaults(preservesUnknown ? incoming : schema.prune(incoming));
  }

  @Override
  public ObjectNode complete(ObjectNode object, @Nullable ObjectNode old, Instant now) {
    return object;
  }

  @Override
  public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
    return schema.validate(object, old);
  }

  @Override
  public Shape shape() {
    return schema.shape();
  }

  @Override
  public boolean countsGenerations() {
    return true;
  }
}
