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
import io.github.kueue4j.testkit.shape.Untyped;
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
