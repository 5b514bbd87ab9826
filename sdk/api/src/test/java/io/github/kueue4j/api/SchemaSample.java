// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/**
 * Creates an object with every field of a schema that is in scope, each different from its default.
 */
final class SchemaSample {

  private int counter;

  static JsonObject of(CrdDocument crd) {
    JsonObject sample = new SchemaSample().object(new SchemaNode(crd.schema()));
    sample.addProperty("apiVersion", crd.type().apiVersion());
    sample.addProperty("kind", crd.type().kind());
    JsonObject metadata = new JsonObject();
    metadata.addProperty("name", "sample");
    metadata.addProperty("creationTimestamp", "2026-01-02T03:04:05Z");
    sample.add("metadata", metadata);
    return sample;
  }

  private JsonObject object(SchemaNode schema) {
    JsonObject sample = new JsonObject();
    for (Map.Entry<String, SchemaNode> property : schema.properties().entrySet()) {
      if (!property.getValue().isOutOfScope()) {
        sample.add(property.getKey(), value(property.getValue()));
      }
    }
    return sample;
  }

  private JsonElement value(SchemaNode schema) {
    if (schema.isQuantity()) {
      return new JsonPrimitive(++counter + "500m");
    }
    return switch (schema.text("type")) {
      case "object" -> schema.json().has("additionalProperties") ? map(schema) : object(schema);
      case "array" -> {
        JsonArray array = new JsonArray();
        array.add(value(schema.items()));
        array.add(value(schema.items()));
        yield array;
      }
      case "string" -> new JsonPrimitive(text(schema));
      case "boolean" -> new JsonPrimitive(schema.text("default").equals("false"));
      case "number" -> new JsonPrimitive(0.5 + ++counter);
      case "integer" -> new JsonPrimitive(1000 + ++counter);
      default -> throw new IllegalStateException("no type: " + schema.json());
    };
  }

  private JsonObject map(SchemaNode schema) {
    JsonObject map = new JsonObject();
    map.add("key" + ++counter, value(schema.values()));
    return map;
  }

  private String text(SchemaNode schema) {
    if (schema.text("format").equals("date-time")) {
      return String.format(Locale.ROOT, "2026-11-21T12:%02d:00Z", ++counter % 60);
    }
    if (schema.text("pattern").contains("ms|s|m|h")) {
      return ++counter % 50 + 1 + "s";
    }
    Iterator<String> words = schema.texts("enum").iterator();
    while (words.hasNext()) {
      String word = words.next();
      if (!word.equals(schema.text("default"))) {
        return word;
      }
    }
    return "text" + ++counter;
  }
}
