// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a schema for a value beyond its type. Absent bounds are null, absent lists empty.
 */
record ValueRules(
    List<JsonNode> allowed,
    Bounds bounds,
    @Nullable Integer minLength,
    @Nullable Integer maxLength,
    @Nullable StringPattern pattern,
    @Nullable Integer minItems,
    @Nullable Integer maxItems,
    @Nullable Integer minProperties,
    @Nullable Integer maxProperties,
    List<String> required,
    List<Nested> allOf,
    List<Nested> anyOf,
    List<Nested> oneOf,
    @Nullable Nested not) {

  /** No demands. */
  static final ValueRules NONE =
      new ValueRules(
          List.of(),
          Bounds.NONE,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          null);

  /** Whether there is anything to combine. */
  boolean combines() {
    return !allOf.isEmpty() || !anyOf.isEmpty() || !oneOf.isEmpty() || not != null;
  }

  /** Limits of numbers. */
  record Bounds(
      @Nullable BigDecimal minimum,
      boolean exclusiveMinimum,
      @Nullable BigDecimal maximum,
      boolean exclusiveMaximum,
      @Nullable BigDecimal multipleOf) {
    static final Bounds NONE = new Bounds(null, false, null, false, null);

    boolean isEmpty() {
      return minimum == null && maximum == null && multipleOf == null;
    }
  }

  /** A schema below allOf, anyOf, oneOf or not: demands without types. */
  record Nested(
      ValueRules values,
      @Nullable JsonType type,
      @Nullable String format,
      Map<String, Nested> properties,
      @Nullable Nested items) {}
}
