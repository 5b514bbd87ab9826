// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of authors, strictly: what is absent or of another type is an error that names the
 * field. The types are those that {@link CustomResource} lists. The records of this module are read
 * leniently, by {@link KueueJson}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RecordReader {

  private static final RecordReader JSON = new RecordReader(false);
  private static final RecordReader TEXTS = new RecordReader(true);

  /** Whether all values are texts: numbers and flags are parsed, lists are split at commas. */
  private final boolean texts;

  private RecordReader(boolean texts) {
    this.texts = texts;
  }

  /** Reads records out of JSON. */
  static RecordReader json() {
    return JSON;
  }

  /**
   * Reads a record out of the data of a ConfigMap, whose values are texts: numbers and flags are
   * parsed, lists and sets are split at commas.
   *
   * @throws InvalidFieldException if a key is absent or its value is not of its component's type
   * @throws IllegalArgumentException if the record's constructor refuses the values
   */
  public static <R extends Record> R readTexts(Map<String, String> data, Class<R> type) {
    JsonObject object = new JsonObject();
    data.forEach(object::addProperty);
    return TEXTS.read(object, type, "data");
  }

  /**
   * Refuses keys of a ConfigMap that a record has no component for.
   *
   * @throws InvalidFieldException if there is one; the message has the nearest name
   */
  public static void refuseUnknownTexts(Map<String, String> data, Class<? extends Record> type) {
    JsonObject object = new JsonObject();
    data.forEach(object::addProperty);
    refuseUnknown(object, type, "data");
  }

  /**
   * Reads a record out of a JSON document, such as the answer of a server. Fields that it has no
   * component for are skipped.
   *
   * @param path what the document stands for in messages, such as {@code answer}
   * @throws InvalidFieldException if a field is absent or its value is not of its component's type
   * @throws IllegalArgumentException if the text is not one JSON document, or the record's
   *     constructor refuses the values
   */
  public static <R extends Record> R readJson(String json, Class<R> type, String path) {
    return JSON.read(document(json, path), type, path);
  }

  /**
   * Reads a record out of a JSON document that people write, such as one in a key of a ConfigMap.
   * As {@link #readJson}, but fields that it has no component for are refused, since they are
   * likely misspelt.
   *
   * @param path what the document stands for in messages, such as {@code data.policy}
   * @throws InvalidFieldException as {@code readJson}, and if a field has no component
   * @throws IllegalArgumentException as {@code readJson}
   */
  public static <R extends Record> R readWrittenJson(String json, Class<R> type, String path) {
    JsonElement document = document(json, path);
    refuseUnknown(document, type, path);
    return JSON.read(document, type, path);
  }

  private static JsonElement document(String json, String path) {
    try (JsonReader in = new JsonReader(new StringReader(json))) {
      in.setStrictness(Strictness.STRICT);
      JsonElement document = JsonParser.parseReader(in);
      if (document.isJsonNull() || in.peek() != JsonToken.END_DOCUMENT) {
        throw new JsonParseException("the document is empty, or more follows it");
      }
      return document;
    } catch (IOException | JsonParseException e) {
      throw new IllegalArgumentException(path + " is not one JSON document", e);
    }
  }

  /**
   * Checks that a record can be read out of the data of a ConfigMap.
   *
   * @throws IllegalArgumentException if it has a component of a type that no text can be read as
   */
  public static void refuseUnreadableTexts(Class<? extends Record> type) {
    TEXTS.refuse(type, List.of());
  }

  /**
   * Checks that a record can be read out of JSON.
   *
   * @throws IllegalArgumentException if it has a component of a type that can't be read
   */
  static void refuseUnreadable(Class<? extends Record> type) {
    JSON.refuse(type, List.of());
  }

  /**
   * Refuses fields that a record has no component for, also in the records inside it. Only names
   * are looked at: what else is wrong, reading tells.
   *
   * @param path what it stands for in messages, such as {@code spec}
   * @throws InvalidFieldException if there is such a field
   */
  static void refuseUnknown(JsonElement json, Type type, String path) {
    Class<?> raw = raw(type);
    if (raw == Optional.class) {
      refuseUnknown(json, argument(type, 0), path);
    } else if (json instanceof JsonArray items && (raw == List.class || raw == Set.class)) {
      for (int i = 0; i < items.size(); i++) {
        refuseUnknown(items.get(i), argument(type, 0), path + '[' + i + ']');
      }
    } else if (json instanceof JsonObject object && raw == Map.class) {
      object.asMap().forEach((key, it) -> refuseUnknown(it, argument(type, 1), path + '.' + key));
    } else if (json instanceof JsonObject object && raw.isRecord()) {
      Map<String, Type> known = new LinkedHashMap<>();
      for (RecordComponent component : raw.getRecordComponents()) {
        known.put(component.getName(), component.getGenericType());
      }
      object
          .asMap()
          .forEach(
              (name, value) -> {
                @Nullable Type component = known.get(name);
                if (component == null) {
                  throw new InvalidFieldException(
                      path + '.' + name, shown(value), unknown(name, known.keySet()));
                }
                refuseUnknown(value, component, path + '.' + name);
              });
    }
  }

  private static String unknown(String name, Set<String> known) {
    return "there is no such field; "
        + NearestName.of(name, known)
            .map(nearest -> "did you mean '" + nearest + "'?")
            .orElse(known.isEmpty() ? "leave it out" : "known are " + String.join(", ", known));
  }

  /**
   * Reads a record.
   *
   * @param path what it stands for in messages, such as {@code spec}
   * @throws InvalidFieldException if a field is absent or of another type
   * @throws IllegalArgumentException if the record's constructor refuses the values
   */
  <R extends Record> R read(JsonElement json, Class<R> type, String path) {
    JsonObject object = json.isJsonNull() ? new JsonObject() : object(json, path);
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      String name = component.getName();
      values[i] = value(object.get(name), component.getGenericType(), path + '.' + name);
    }
    return construct(type, values, path);
  }

  private static <R extends Record> R construct(Class<R> type, Object[] values, String path) {
    try {
      return constructor(type).newInstance(values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof InvalidFieldException invalid) {
        throw invalid.inside(path);
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalArgumentException(path + ": " + problem(e.getCause()), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.getName() + " can't be created", e);
    }
  }

  private static String problem(@Nullable Throwable cause) {
    return cause instanceof IllegalArgumentException && cause.getMessage() != null
        ? cause.getMessage()
        : String.valueOf(cause);
  }

  private static <R extends Record> Constructor<R> constructor(Class<R> type) {
    Class<?>[] parameters =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(parameters);
      constructor.setAccessible(true);
      return constructor;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.getName() + " has no canonical constructor", e);
    }
  }

  private Object value(@Nullable JsonElement json, Type type, String path) {
    @Nullable JsonElement present = json == null || json.isJsonNull() ? null : json;
    Class<?> raw = raw(type);
    if (raw == Optional.class) {
      return present == null
          ? Optional.empty()
          : Optional.of(value(present, argument(type, 0), path));
    }
    if (raw == List.class || raw == Set.class) {
      List<Object> items = present == null ? List.of() : items(present, argument(type, 0), path);
      return raw == List.class ? items : Collections.unmodifiableSet(new LinkedHashSet<>(items));
    }
    if (raw == Map.class) {
      return present == null ? Map.of() : entries(present, argument(type, 1), path);
    }
    if (raw.isRecord()) {
      if (present == null) {
        throw new InvalidFieldException(path, null, "write an object");
      }
      return read(present, raw.asSubclass(Record.class), path);
    }
    String remedy = FieldText.remedy(raw);
    if (present == null) {
      throw new InvalidFieldException(path, null, remedy);
    }
    return text(present, raw)
        .flatMap(text -> FieldText.parse(text, raw))
        .orElseThrow(() -> new InvalidFieldException(path, shown(present), remedy));
  }

  /** The text to parse; empty if the JSON is of another kind than the type is written as. */
  private Optional<String> text(JsonElement json, Class<?> type) {
    if (!json.isJsonPrimitive()) {
      return Optional.empty();
    }
    boolean isText = json.getAsJsonPrimitive().isString();
    // A quantity may be a number, too.
    boolean fits = type == Quantity.class || (isText != FieldText.isScalar(type)) || texts;
    return fits ? Optional.of(json.getAsString()) : Optional.empty();
  }

  private List<Object> items(JsonElement json, Type type, String path) {
    JsonElement list = json;
    if (texts && json.isJsonPrimitive()) {
      JsonArray parts = new JsonArray();
      Arrays.stream(json.getAsString().split(","))
          .map(String::strip)
          .filter(part -> !part.isEmpty())
          .forEach(parts::add);
      list = parts;
    }
    if (!list.isJsonArray()) {
      throw new InvalidFieldException(path, shown(json), "write a list");
    }
    List<Object> items = new ArrayList<>();
    for (JsonElement item : list.getAsJsonArray()) {
      items.add(value(item, type, path + '[' + items.size() + ']'));
    }
    return Collections.unmodifiableList(items);
  }

  private Map<String, Object> entries(JsonElement json, Type type, String path) {
    Map<String, Object> entries = new LinkedHashMap<>();
    object(json, path)
        .entrySet()
        .forEach(
            entry ->
                entries.put(
                    entry.getKey(), value(entry.getValue(), type, path + '.' + entry.getKey())));
    return Collections.unmodifiableMap(entries);
  }

  private static JsonObject object(JsonElement json, String path) {
    if (!json.isJsonObject()) {
      throw new InvalidFieldException(path, shown(json), "write an object");
    }
    return json.getAsJsonObject();
  }

  private static String shown(JsonElement json) {
    return json.isJsonPrimitive() ? json.getAsString() : json.toString();
  }

  private void refuse(Class<? extends Record> record, List<Class<?>> around) {
    if (around.contains(record)) {
      throw new IllegalArgumentException(
          record.getName() + " contains itself: its fields can't be told in advance");
    }
    constructor(record);
    List<Class<?>> inside = new ArrayList<>(around);
    inside.add(record);
    for (RecordComponent component : record.getRecordComponents()) {
      refuse(component.getGenericType(), record, component.getName(), inside);
    }
  }

  private void refuse(Type type, Class<?> record, String component, List<Class<?>> around) {
    Class<?> raw = raw(type);
    boolean container = raw == Optional.class || raw == List.class || raw == Set.class;
    if (container && type instanceof ParameterizedType) {
      refuse(argument(type, 0), record, component, around);
    } else if (raw == Map.class
        && !texts
        && type instanceof ParameterizedType
        && argument(type, 0) == String.class) {
      refuse(argument(type, 1), record, component, around);
    } else if (raw.isRecord() && !texts) {
      refuse(raw.asSubclass(Record.class), around);
    } else if (!FieldText.reads(raw)) {
      throw new IllegalArgumentException(
          "the component '"
              + component
              + "' of "
              + record.getName()
              + " is a "
              + type.getTypeName()
              + ", which can't be read"
              + (texts
                  ? " from a ConfigMap: its keys are texts, and lists are split at commas; take a kind of"
                      + " your own, or a text with JSON, for RecordReader.readWrittenJson"
                  : ": the Javadoc of CustomResource lists the types"));
    }
  }

  private static Type argument(Type type, int index) {
    return ((ParameterizedType) type).getActualTypeArguments()[index];
  }

  private static Class<?> raw(Type type) {
    if (type instanceof Class<?> plain) {
      return plain;
    }
    // Other types, such as type variables, are refused before anything is read.
    return type instanceof ParameterizedType parameterized
            && parameterized.getRawType() instanceof Class<?> raw
        ? raw
        : Object.class;
  }
}
