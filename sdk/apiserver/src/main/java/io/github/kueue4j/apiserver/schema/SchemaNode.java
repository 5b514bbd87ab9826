// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One level of a structural schema.
 *
 * @param type null for int-or-string and for values that may be anything
 * @param additional the schema of a map's values; {@link #allowsAnything} tells {@code
 *     additionalProperties: true}
 * @param embeddedResource also true for the object itself: apiVersion, kind and metadata belong to
 *     it without being declared
 */
record SchemaNode(
    @Nullable JsonType type,
    @Nullable String format,
    boolean intOrString,
    boolean preserveUnknown,
    boolean embeddedResource,
    boolean nullable,
    Map<String, SchemaNode> properties,
    @Nullable SchemaNode items,
    @Nullable SchemaNode additional,
    boolean allowsAnything,
    @Nullable JsonNode defaultValue,
    ListSemantics list,
    boolean atomicMap,
    ValueRules values,
    List<RuleSource> rules) {

  /** An object of these fields and no others. */
  static SchemaNode objectOf(Map<String, SchemaNode> properties) {
    return new SchemaNode(
        JsonType.OBJECT,
        null,
        false,
        false,
        false,
        false,
        properties,
        null,
        null,
        false,
        null,
        ListSemantics.ATOMIC,
        false,
        ValueRules.NONE,
        List.of());
  }

  /** How elements of a list relate to those of another: by position, by value or by keys. */
  record ListSemantics(ListType listType, List<String> keys) {
    enum ListType {
      ATOMIC,
      SET,
      MAP
    }

    static final ListSemantics ATOMIC = new ListSemantics(ListType.ATOMIC, List.of());
  }

  /**
   * An entry of {@code x-kubernetes-validations} as written.
   *
   * @param position in its list
   */
  record RuleSource(
      int position,
      String rule,
      @Nullable String message,
      @Nullable String messageExpression,
      FieldError.ErrorType reason,
      @Nullable String fieldPath,
      boolean optionalOldSelf) {}
}
