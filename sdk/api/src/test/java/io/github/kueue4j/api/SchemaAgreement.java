// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.annotations.SerializedName;
import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Compares a schema and a Java type recursively and collects every difference. */
final class SchemaAgreement {

  private final List<String> differences = new ArrayList<>();

  static List<String> differences(SchemaNode schema, Class<?> type) {
    SchemaAgreement agreement = new SchemaAgreement();
    agreement.compare("", schema, type);
    return agreement.differences;
  }

  private void compare(String path, SchemaNode schema, Type type) {
    Class<?> raw = TypeToken.get(type).getRawType();
    if (raw == V1ObjectMeta.class && path.equals("metadata")) {
      return; // owned by the server
    }
    if (schema.isQuantity()) {
      expect(
          path,
          raw == Quantity.class || raw == io.kubernetes.client.custom.Quantity.class,
          "a quantity",
          raw);
      return;
    }
    switch (schema.text("type")) {
      case "object" -> compareObject(path, schema, type, raw);
      case "array" -> {
        expect(path, raw == List.class, "a list", raw);
        if (raw == List.class) {
          compare(path + "[]", schema.items(), argument(type, 0));
        }
      }
      case "string" -> compareString(path, schema, raw);
      case "boolean" -> expect(path, raw == Boolean.class, "a boolean", raw);
      case "number" -> expect(path, raw == Double.class, "a number", raw);
      case "integer" -> {
        Set<Class<?>> wanted =
            schema.text("format").equals("int64")
                ? Set.of(Long.class, long.class)
                : Set.of(Integer.class, int.class);
        expect(path, wanted.contains(raw), schema.text("format"), raw);
      }
      default -> differences.add(path + ": the schema has no type");
    }
  }

  private void compareString(String path, SchemaNode schema, Class<?> raw) {
    if (schema.text("format").equals("date-time")) {
      expect(path, raw == Instant.class || raw == OffsetDateTime.class, "a time", raw);
    } else if (schema.text("pattern").contains("ms|s|m|h")) {
      expect(path, raw == Duration.class, "a duration", raw);
    } else if (OpenValue.class.isAssignableFrom(raw)) {
      equal(path + " words", schema.texts("enum"), constants(raw));
    } else {
      expect(path, raw == String.class, "a string", raw);
    }
  }

  private void compareObject(String path, SchemaNode schema, Type type, Class<?> raw) {
    if (schema.json().has("additionalProperties")) {
      expect(path, raw == Map.class, "a map", raw);
      if (raw == Map.class) {
        compare(path + "{}", schema.values(), argument(type, 1));
      }
      return;
    }
    Map<String, Type> fields = raw.isRecord() ? components(raw) : modelFields(raw);
    Map<String, SchemaNode> properties = inScope(path, schema);
    if (raw.isRecord()) {
      equal(path + " fields", properties.keySet(), fields.keySet());
      equal(path + " required", schema.texts("required"), required(raw));
      compareDefaults(path, properties, raw);
    } else if (schema.keepsUnknownFields() || path.endsWith(".template.metadata")) {
      // The schema may contain only a part of the model's fields.
      equal(
          path + " unknown to " + raw.getSimpleName(),
          Set.of(),
          without(properties.keySet(), fields.keySet()));
    } else {
      equal(path + " fields", properties.keySet(), fields.keySet());
    }
    properties.forEach(
        (name, node) -> {
          if (fields.containsKey(name)) {
            compare(path.isEmpty() ? name : path + '.' + name, node, fields.get(name));
          }
        });
  }

  /** An absent field must read as the schema's default. */
  private void compareDefaults(String path, Map<String, SchemaNode> properties, Class<?> raw) {
    JsonObject withDefaults = new JsonObject();
    properties.forEach(
        (name, node) -> {
          if (node.json().has("default")) {
            withDefaults.add(name, node.json().get("default"));
          }
        });
    Object absent = KueueJson.fromTree(new JsonObject(), raw);
    Object defaulted = KueueJson.fromTree(withDefaults, raw);
    if (!absent.equals(defaulted)) {
      differences.add(path + ": absent reads as " + absent + ", the default as " + defaulted);
    }
  }

  private static Map<String, SchemaNode> inScope(String path, SchemaNode schema) {
    Map<String, SchemaNode> properties = schema.properties();
    properties.values().removeIf(SchemaNode::isOutOfScope);
    if (path.isEmpty()) {
      properties.keySet().removeAll(Set.of("apiVersion", "kind"));
    }
    return properties;
  }

  private static Map<String, Type> components(Class<?> record) {
    Map<String, Type> components = new LinkedHashMap<>();
    for (RecordComponent component : record.getRecordComponents()) {
      components.put(component.getName(), component.getGenericType());
    }
    return components;
  }

  private static Map<String, Type> modelFields(Class<?> model) {
    Map<String, Type> fields = new LinkedHashMap<>();
    for (Field field : model.getDeclaredFields()) {
      SerializedName name = field.getAnnotation(SerializedName.class);
      if (name != null && !Modifier.isStatic(field.getModifiers())) {
        fields.put(name.value(), field.getGenericType());
      }
    }
    return fields;
  }

  private static Set<String> required(Class<?> record) {
    Set<String> names = new TreeSet<>();
    for (RecordComponent component : record.getRecordComponents()) {
      if (component.isAnnotationPresent(Required.class)) {
        names.add(component.getName());
      }
    }
    return names;
  }

  private static Set<String> constants(Class<?> openValue) {
    Set<String> words = new TreeSet<>();
    for (Field field : openValue.getDeclaredFields()) {
      if (field.getType() == openValue) {
        JsonElement word = KueueJson.toTree(constant(field));
        words.add(word.getAsString());
      }
    }
    return words;
  }

  private static Object constant(Field field) {
    try {
      return field.get(null);
    } catch (IllegalAccessException hidden) {
      throw new IllegalStateException(field + " must be public", hidden);
    }
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    Set<String> rest = new TreeSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  private static Type argument(Type type, int index) {
    return ((ParameterizedType) type).getActualTypeArguments()[index];
  }

  private void expect(String path, boolean holds, String wanted, Class<?> raw) {
    if (!holds) {
      differences.add(path + ": " + wanted + " in the schema, " + raw.getSimpleName() + " in Java");
    }
  }

  private void equal(String what, Set<String> inSchema, Set<String> inJava) {
    if (!inSchema.equals(inJava)) {
      differences.add(
          what
              + ": only in the schema "
              + without(inSchema, inJava)
              + ", only in Java "
              + without(inJava, inSchema));
    }
  }
}
