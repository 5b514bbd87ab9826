// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.PatternSyntaxException;
import io.github.kueue4j.apiserver.schema.ValueRules.Bounds;
import io.github.kueue4j.apiserver.schema.ValueRules.Nested;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the demands on values, at a schema's own levels and below allOf, anyOf, oneOf and not. */
final class ValueRulesParser {

  /** What only a schema's own levels may say. */
  private static final List<String> SPINE_ONLY =
      List.of(
          "additionalProperties",
          "default",
          "description",
          "nullable",
          "title",
          "x-kubernetes-embedded-resource",
          "x-kubernetes-int-or-string",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-list-type",
          "x-kubernetes-map-type",
          "x-kubernetes-preserve-unknown-fields");

  private final SchemaErrors errors;

  ValueRulesParser(SchemaErrors errors) {
    this.errors = errors;
  }

  ValueRules parse(ObjectNode schema, FieldPath path, boolean intOrString) {
    return parse(schema, path, schema, intOrString);
  }

  private ValueRules parse(ObjectNode schema, FieldPath path, JsonNode spine, boolean intOrString) {
    List<JsonNode> allowed = new ArrayList<>();
    schema.path("enum").forEach(allowed::add);
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    return new ValueRules(
        List.copyOf(allowed),
        bounds(schema),
        count(schema, "minLength"),
        count(schema, "maxLength"),
        pattern(schema, path),
        count(schema, "minItems"),
        count(schema, "maxItems"),
        count(schema, "minProperties"),
        count(schema, "maxProperties"),
        List.copyOf(required),
        list(schema, "allOf", path, spine, intOrString),
        list(schema, "anyOf", path, spine, intOrString),
        list(schema, "oneOf", path, spine, intOrString),
        schema.get("not") instanceof ObjectNode not
            ? nested(not, path.child("not"), spine, intOrString)
            : null);
  }

  private List<Nested> list(
      ObjectNode schema, String field, FieldPath path, JsonNode spine, boolean intOrString) {
    List<Nested> result = new ArrayList<>();
    JsonNode written = schema.path(field);
    for (int i = 0; i < written.size(); i++) {
      if (written.get(i) instanceof ObjectNode child) {
        result.add(nested(child, path.child(field).index(i), spine, intOrString));
      }
    }
    return List.copyOf(result);
  }

  /**
   * @param spine the schema level that this one speaks about: what it names must exist there
   */
  private Nested nested(ObjectNode schema, FieldPath path, JsonNode spine, boolean intOrString) {
    for (String field : SPINE_ONLY) {
      if (schema.has(field)) {
        errors.forbidden(path.child(field), "must be empty to be structural");
      }
    }
    if (schema.has("type") && !intOrString) {
      errors.forbidden(path.child("type"), "must be empty to be structural");
    }
    Map<String, Nested> properties = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
      FieldPath at = path.child("properties").key(property.getKey());
      JsonNode declared = spine.path("properties").path(property.getKey());
      JsonNode below = declared.isMissingNode() ? spine.path("additionalProperties") : declared;
      if (!below.isObject() && !spine.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
        errors.required(at, "must be defined in the structural part as well");
      }
      if (property.getValue() instanceof ObjectNode child) {
        boolean either = below.path("x-kubernetes-int-or-string").asBoolean();
        properties.put(property.getKey(), nested(child, at, below, either));
      }
    }
    Nested items =
        schema.get("items") instanceof ObjectNode child
            ? nested(child, path.child("items"), spine.path("items"), false)
            : null;
    return new Nested(
        parse(schema, path, spine, intOrString),
        JsonType.named(schema.path("type").asText("")),
        schema.path("format").asText("").isEmpty() ? null : schema.path("format").asText(),
        Map.copyOf(properties),
        items);
  }

  private @Nullable StringPattern pattern(ObjectNode schema, FieldPath path) {
    String source = schema.path("pattern").asText("");
    if (source.isEmpty()) {
      return null;
    }
    try {
      return StringPattern.compile(source);
    } catch (PatternSyntaxException e) {
      errors.invalid(
          path.child("pattern"),
          source,
          "must be a valid regular expression, but isn't: " + e.getMessage());
      return null;
    }
  }

  private static Bounds bounds(ObjectNode schema) {
    if (!schema.has("minimum") && !schema.has("maximum") && !schema.has("multipleOf")) {
      return Bounds.NONE;
    }
    return new Bounds(
        number(schema, "minimum"),
        schema.path("exclusiveMinimum").asBoolean(),
        number(schema, "maximum"),
        schema.path("exclusiveMaximum").asBoolean(),
        number(schema, "multipleOf"));
  }

  private static @Nullable BigDecimal number(ObjectNode schema, String field) {
    JsonNode value = schema.path(field);
    return value.isNumber() ? value.decimalValue() : null;
  }

  private static @Nullable Integer count(ObjectNode schema, String field) {
    JsonNode value = schema.path(field);
    return value.isNumber() ? value.asInt() : null;
  }
}
