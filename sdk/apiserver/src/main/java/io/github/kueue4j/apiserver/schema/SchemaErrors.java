// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with a schema. */
final class SchemaErrors {

  private final List<FieldError> errors = new ArrayList<>();

  void required(FieldPath path, String detail) {
    add(path, FieldError.ErrorType.REQUIRED, null, detail);
  }

  void forbidden(FieldPath path, String detail) {
    add(path, FieldError.ErrorType.FORBIDDEN, null, detail);
  }

  void invalid(FieldPath path, JsonNode value, String detail) {
    add(path, FieldError.ErrorType.INVALID, value, detail);
  }

  void invalid(FieldPath path, String value, String detail) {
    add(path, FieldError.ErrorType.INVALID, TextNode.valueOf(value), detail);
  }

  void notSupported(FieldPath path, String value, String supported) {
    add(
        path,
        FieldError.ErrorType.NOT_SUPPORTED,
        TextNode.valueOf(value),
        "supported values: " + supported);
  }

  void addAll(List<FieldError> found) {
    errors.addAll(found);
  }

  private void add(
      FieldPath path, FieldError.ErrorType errorType, @Nullable JsonNode value, String detail) {
    errors.add(new FieldError(path.toString(), errorType, value, detail));
  }

  boolean isEmpty() {
    return errors.isEmpty();
  }

  List<FieldError> all() {
    return List.copyOf(errors);
  }
}
