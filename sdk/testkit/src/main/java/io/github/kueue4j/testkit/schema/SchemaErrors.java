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
package io.github.kueue4j.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with a schema. */
final class SchemaErrors {

  private final List<FieldError> errors = new ArrayList<>();

  void required(FieldPath path, String detail) {
    add(path, FieldError.Type.REQUIRED, null, detail);
  }

  void forbidden(FieldPath path, String detail) {
    add(path, FieldError.Type.FORBIDDEN, null, detail);
  }

  void invalid(FieldPath path, JsonNode value, String detail) {
    add(path, FieldError.Type.INVALID, value, detail);
  }

  void invalid(FieldPath path, String value, String detail) {
    add(path, FieldError.Type.INVALID, TextNode.valueOf(value), detail);
  }

  void notSupported(FieldPath path, String value, String supported) {
    add(
        path,
        FieldError.Type.NOT_SUPPORTED,
        TextNode.valueOf(value),
        "supported values: " + supported);
  }

  private void add(FieldPath path, FieldError.Type type, @Nullable JsonNode value, String detail) {
    errors.add(new FieldError(path.toString(), type, value, detail));
  }

  boolean isEmpty() {
    return errors.isEmpty();
  }

  List<FieldError> all() {
    return List.copyOf(errors);
  }
}
