// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.SchemaNode.ListSemantics;
import io.github.kueue4j.apiserver.schema.SchemaNode.RuleSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a structural schema and refuses what isn't one.
 *
 * <p>Source: Kubernetes documentation, "Extend the Kubernetes API with CustomResourceDefinitions",
 * section "Specifying a structural schema".
 */
final class SchemaParser {

  private static final String EXTENSION = "x-kubernetes-";
  private static final String KEYS = EXTENSION + "list-map-keys";
  private static final String LIST_TYPE = EXTENSION + "list-type";
  private static final String MAP_TYPE = EXTENSION + "map-type";
  private static final String INT_OR_STRING = EXTENSION + "int-or-string";
  private static final String PRESERVE = EXTENSION + "preserve-unknown-fields";
  private static final String EMBEDDED = EXTENSION + "embedded-resource";
  private static final String RULES = EXTENSION + "validations";

  private static final Set<String> NEVER =
      Set.of(
          "$ref",
          "additionalItems",
          "definitions",
          "dependencies",
          "deprecated",
          "discriminator",
          "id",
          "patternProperties",
          "readOnly",
          "writeOnly",
          "xml");

  private final SchemaErrors errors;
  private final ValueRulesParser valueRules;

  SchemaParser(SchemaErrors errors) {
    this.errors = errors;
    this.valueRules = new ValueRulesParser(errors);
  }

  SchemaNode root(ObjectNode schema, FieldPath path) {
    String type = schema.path("type").asText("");
    if (type.isEmpty()) {
      errors.required(path.child("type"), "must not be empty at the root");
    } else if (!type.equals("object")) {
      errors.invalid(path.child("type"), type, "must be object at the root");
    }
    if (schema.path("nullable").asBoolean()) {
      errors.forbidden(path.child("nullable"), "nullable cannot be true at the root");
    }
    return node(schema, path, true, "at the root");
  }

  private SchemaNode node(ObjectNode schema, FieldPath path, boolean root, String place) {
    refuseForeignFields(schema, path);
    boolean intOrString = schema.path(INT_OR_STRING).asBoolean();
    boolean preserve = schema.path(PRESERVE).asBoolean();
    boolean embedded = schema.path(EMBEDDED).asBoolean();
    JsonType type = type(schema, path, root, intOrString || preserve, place);
    if (embedded && type != JsonType.OBJECT) {
      errors.invalid(
          path.child("type"), text(schema, "type"), "must be object for embedded resources");
    }
    if (schema.has("properties") && schema.has("additionalProperties")) {
      errors.forbidden(
          path.child("additionalProperties"),
          "additionalProperties and properties are mutual exclusive");
    }
    Map<String, SchemaNode> properties = properties(schema, path);
    JsonNode additional = schema.path("additionalProperties");
    if (root && additional.isObject()) {
      errors.forbidden(path.child("additionalProperties"), "must not be used at the root");
    }
    SchemaNode items =
        schema.get("items") instanceof ObjectNode object
            ? node(object, path.child("items"), false, "for specified array items")
            : null;
    if (type == JsonType.ARRAY && items == null) {
      errors.required(path.child("items"), "must be specified");
    }
    SchemaNode values =
        additional instanceof ObjectNode object
            ? node(object, path.child("additionalProperties"), false, "for specified object fields")
            : null;
    boolean anything = additional.isBoolean() && additional.asBoolean();
    return new SchemaNode(
        type,
        text(schema, "format").isEmpty() ? null : text(schema, "format"),
        intOrString,
        preserve,
        root || embedded,
        schema.path("nullable").asBoolean(),
        properties,
        items,
        values,
        anything,
        schema.get("default"),
        listSemantics(schema, path, items),
        text(schema, MAP_TYPE).equals("atomic"),
        valueRules.parse(schema, path, intOrString),
        rules(schema, path));
  }

  private void refuseForeignFields(ObjectNode schema, FieldPath path) {
    for (String name : NEVER) {
      if (schema.has(name)) {
        errors.forbidden(path.child(name), "must be empty to be structural");
      }
    }
    if (schema.path("uniqueItems").asBoolean()) {
      errors.forbidden(
          path.child("uniqueItems"),
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    if (schema.path("items").isArray()) {
      errors.forbidden(path.child("items"), "items must be a schema object and not an array");
    }
  }

  private @Nullable JsonType type(
      ObjectNode schema, FieldPath path, boolean root, boolean mayBeMissing, String place) {
    String word = text(schema, "type");
    if (word.isEmpty()) {
      if (!mayBeMissing && !root) {
        errors.required(path.child("type"), "must not be empty " + place);
      }
      return null;
    }
    JsonType type = JsonType.named(word);
    if (type == null) {
      errors.notSupported(
          path.child("type"),
          word,
          "\"array\", \"boolean\", \"integer\", \"number\", \"object\", \"string\"");
    } else if (schema.path(INT_OR_STRING).asBoolean()) {
      errors.invalid(
          path.child("type"), word, "must be empty if x-kubernetes-int-or-string is true");
    }
    return type;
  }

  private Map<String, SchemaNode> properties(ObjectNode schema, FieldPath path) {
    Map<String, SchemaNode> properties = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
      FieldPath at = path.child("properties").key(property.getKey());
      if (property.getValue() instanceof ObjectNode child) {
        properties.put(property.getKey(), node(child, at, false, "for specified object fields"));
      } else {
        errors.invalid(at, property.getValue(), "must be a schema");
      }
    }
    return Collections.unmodifiableMap(properties);
  }

  private ListSemantics listSemantics(
      ObjectNode schema, FieldPath path, @Nullable SchemaNode items) {
    String word = text(schema, LIST_TYPE);
    if (!word.isEmpty() && !text(schema, "type").equals("array")) {
      errors.invalid(
          path.child("type"),
          text(schema, "type"),
          "must be array if " + LIST_TYPE + " is specified");
      return ListSemantics.ATOMIC;
    }
    List<String> keys = new ArrayList<>();
    schema.path(KEYS).forEach(key -> keys.add(key.asText()));
    if (!keys.isEmpty() && !word.equals("map")) {
      errors.invalid(path.child(LIST_TYPE), word, "must be map if " + KEYS + " is non-empty");
    }
    return switch (word) {
      case "", "atomic" -> ListSemantics.ATOMIC;
      case "set" -> {
        checkSetItems(items, path);
        yield new ListSemantics(ListSemantics.ListType.SET, List.of());
      }
      case "map" -> {
        checkMapItems(items, schema, keys, path);
        yield new ListSemantics(ListSemantics.ListType.MAP, List.copyOf(keys));
      }
      default -> {
        errors.notSupported(path.child(LIST_TYPE), word, "\"atomic\", \"set\", \"map\"");
        yield ListSemantics.ATOMIC;
      }
    };
  }

  private void checkSetItems(@Nullable SchemaNode items, FieldPath path) {
    if (items == null) {
      return;
    }
    if (items.nullable()) {
      errors.forbidden(
          path.child("items").child("nullable"),
          "cannot be nullable when " + LIST_TYPE + " is set");
    }
    boolean atomicList =
        items.type() == JsonType.ARRAY && items.list().listType() == ListSemantics.ListType.ATOMIC;
    boolean granularMap = items.type() == JsonType.OBJECT && !items.atomicMap();
    if (granularMap || (items.type() == JsonType.ARRAY && !atomicList)) {
      errors.invalid(
          path.child("items").child(MAP_TYPE),
          "granular",
          "must be atomic as item of a list with " + LIST_TYPE + "=set");
    }
  }

  private void checkMapItems(
      @Nullable SchemaNode items, ObjectNode schema, List<String> keys, FieldPath path) {
    if (keys.isEmpty()) {
      errors.required(path.child(KEYS), "must not be empty if " + LIST_TYPE + " is map");
    }
    if (items == null) {
      return;
    }
    if (items.type() != JsonType.OBJECT) {
      errors.invalid(
          path.child("items").child("type"),
          text(schema.path("items"), "type"),
          "must be object if parent array's " + LIST_TYPE + " is map");
    }
    for (int i = 0; i < keys.size(); i++) {
      String key = keys.get(i);
      SchemaNode property = items.properties().get(key);
      if (property == null) {
        errors.invalid(
            path.child(KEYS).index(i), key, "entries must all be names of item properties");
        continue;
      }
      if (property.type() == JsonType.OBJECT || property.type() == JsonType.ARRAY) {
        errors.invalid(
            path.child("items").child("properties").key(key).child("type"),
            property.type().word(),
            "must be a scalar type if parent array's " + LIST_TYPE + " is map");
      }
      if (property.defaultValue() == null && !items.values().required().contains(key)) {
        errors.required(
            path.child("items").child("properties").key(key).child("default"),
            "this property is in "
                + KEYS
                + ", so it must have a default or be a required property");
      }
    }
  }

  private List<RuleSource> rules(ObjectNode schema, FieldPath path) {
    List<RuleSource> rules = new ArrayList<>();
    JsonNode written = schema.path(RULES);
    for (int i = 0; i < written.size(); i++) {
      JsonNode entry = written.get(i);
      FieldPath at = path.child(RULES).index(i);
      String rule = text(entry, "rule").strip();
      if (rule.isEmpty()) {
        errors.required(at.child("rule"), "rule is not specified");
        continue;
      }
      String message = text(entry, "message");
      if (message.strip().contains("\n")) {
        errors.invalid(at.child("message"), message, "message must not contain line breaks");
      } else if (entry.has("message") && message.isBlank()) {
        errors.invalid(at.child("message"), message, "message must be non-empty if specified");
      } else if (message.isEmpty() && rule.contains("\n") && !entry.has("messageExpression")) {
        errors.required(
            at.child("message"), "message must be specified if rule contains line breaks");
      }
      rules.add(
          new RuleSource(
              i,
              rule,
              message.isBlank() ? null : message.strip(),
              entry.hasNonNull("messageExpression") ? text(entry, "messageExpression") : null,
              reason(entry, at),
              entry.hasNonNull("fieldPath") ? text(entry, "fieldPath") : null,
              entry.path("optionalOldSelf").asBoolean()));
    }
    return List.copyOf(rules);
  }

  private FieldError.ErrorType reason(JsonNode entry, FieldPath at) {
    String word = text(entry, "reason");
    return switch (word) {
      case "", "FieldValueInvalid" -> FieldError.ErrorType.INVALID;
      case "FieldValueForbidden" -> FieldError.ErrorType.FORBIDDEN;
      case "FieldValueRequired" -> FieldError.ErrorType.REQUIRED;
      case "FieldValueDuplicate" -> FieldError.ErrorType.DUPLICATE;
      default -> {
        errors.notSupported(
            at.child("reason"),
            word,
            "\"FieldValueRequired\", \"FieldValueInvalid\", \"FieldValueForbidden\","
                + " \"FieldValueDuplicate\"");
        yield FieldError.ErrorType.INVALID;
      }
    };
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).asText("");
  }
}
