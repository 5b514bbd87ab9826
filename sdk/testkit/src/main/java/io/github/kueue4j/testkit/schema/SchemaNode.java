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

  /** How elements of a list relate to those of another: by position, by value or by keys. */
  record ListSemantics(Kind kind, List<String> keys) {
    enum Kind {
      ATOMIC,
      SET,
      MAP
    }

    static final ListSemantics ATOMIC = new ListSemantics(Kind.ATOMIC, List.of());
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
      FieldError.Type reason,
      @Nullable String fieldPath,
      boolean optionalOldSelf) {}
}
