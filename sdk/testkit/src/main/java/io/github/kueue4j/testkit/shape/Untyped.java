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
