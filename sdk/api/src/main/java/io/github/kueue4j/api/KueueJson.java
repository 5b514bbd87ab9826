// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.ExclusionStrategy;
import com.google.gson.FieldAttributes;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.io.IOException;
import java.io.Reader;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.apiguardian.api.API;

/**
 * JSON for the records of this module and for the model classes of the Kubernetes client.
 *
 * <p>Reading is lenient: unknown fields are skipped and nothing is validated beyond types; an
 * invalid time, duration or quantity reads as absent, because the API server refuses such values
 * anyway and one invalid object must not make a whole list unreadable. Times are read with any
 * offset and written in UTC. Empty lists and maps are omitted unless the API requires them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KueueJson {

  private static final Gson GSON = builder().registerTypeAdapterFactory(new MicroTimes()).create();

  /** Reads without the managed fields, which are large, as deep as a client likes, and not used. */
  private static final Gson STORED =
      GSON.newBuilder().addDeserializationExclusionStrategy(new ManagedFieldsExcluded()).create();

  /**
   * An API server stores objects that are nested 10,000 deep; the margin is for what surrounds them
   * in a response.
   */
  private static final int NESTING_LIMIT = 20_000;

  private KueueJson() {}

  /** The object as compact JSON, with apiVersion and kind for {@link ApiObject}s. */
  public static String toJson(Object object) {
    return GSON.toJson(object);
  }

  /** The object as a JSON tree. */
  public static JsonElement toTree(Object object) {
    return GSON.toJsonTree(object);
  }

  /**
   * Reads an object.
   *
   * @throws JsonParseException if the text is not JSON, is empty, or a field has another type
   */
  public static <T> T fromJson(String json, Class<T> type) {
    return present(GSON.<T>fromJson(json, (Type) type), type);
  }

  /**
   * Reads an object out of a tree.
   *
   * @throws JsonParseException if the tree is null or a field has another type
   */
  public static <T> T fromTree(JsonElement tree, Class<T> type) {
    return present(GSON.<T>fromJson(tree, (Type) type), type);
  }

  /**
   * Reads an object of this type out of a tree.
   *
   * @throws JsonParseException if the tree is null or a field has another type
   */
  public static <T extends KubernetesObject> T fromTree(JsonElement tree, ResourceType<T> type) {
    return present(GSON.<T>fromJson(tree, type.readAs()), type.type());
  }

  /**
   * Reads an object as an API server sends it: without its managed fields, and nested as deep as a
   * server stores it. Unknown fields are skipped without being read into memory.
   *
   * @throws JsonParseException if the text is not one JSON document, is empty, or a field has
   *     another type
   */
  public static <T> T fromServer(Reader json, Class<T> type) {
    return fromServer(json, type, type);
  }

  /** Reads an object of this type as an API server sends it; otherwise as for a class. */
  public static <T extends KubernetesObject> T fromServer(Reader json, ResourceType<T> type) {
    return fromServer(json, type.readAs(), type.type());
  }

  private static <T> T fromServer(Reader json, Type readAs, Class<T> type) {
    JsonReader reader = tokens(json);
    T object = present(STORED.<T>fromJson(reader, readAs), type);
    try {
      if (reader.peek() != JsonToken.END_DOCUMENT) {
        throw new JsonParseException("there is more after the end of the JSON document");
      }
    } catch (IOException e) {
      throw new JsonParseException("there is more after the end of the JSON document", e);
    }
    return object;
  }

  /** The tokens of JSON that an API server sent, nested as deep as a server stores it. */
  public static JsonReader tokens(Reader json) {
    var reader = new JsonReader(json);
    reader.setNestingLimit(NESTING_LIMIT);
    reader.setStrictness(Strictness.LENIENT);
    return reader;
  }

  /** A deep copy, for the client's models are mutable and what a cache holds is never changed. */
  public static <T> T copyOf(T object, Class<T> type) {
    return fromTree(toTree(object), type);
  }

  /**
   * Reads the response to a list request.
   *
   * @throws JsonParseException as {@link #fromJson}
   */
  public static <T extends KubernetesObject> KubeList<T> listFromJson(
      String json, Class<T> itemType) {
    Type type = listType(itemType);
    return present(GSON.<KubeList<T>>fromJson(json, type), KubeList.class);
  }

  /** The type of a list of these items. */
  public static Type listType(Class<? extends KubernetesObject> itemType) {
    return TypeToken.getParameterized(KubeList.class, itemType).getType();
  }

  private static <T> T present(@org.jspecify.annotations.Nullable T value, Class<?> type) {
    if (value == null) {
      throw new JsonParseException("no " + type.getSimpleName() + ": the document is empty");
    }
    return value;
  }

  static GsonBuilder builder() {
    return new GsonBuilder()
        .disableHtmlEscaping()
        .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
        .registerTypeAdapterFactory(new EmptyAsAbsent())
        .registerTypeAdapterFactory(new RecordJson())
        .registerTypeAdapterFactory(new OpenValueJson())
        .registerTypeAdapterFactory(new CustomResourceJson())
        .registerTypeAdapter(Instant.class, new ScalarJson.Instants().nullSafe())
        .registerTypeAdapter(OffsetDateTime.class, new ScalarJson.OffsetDateTimes().nullSafe())
        .registerTypeAdapter(Duration.class, new ScalarJson.Durations().nullSafe())
        .registerTypeAdapter(Quantity.class, new ScalarJson.Quantities().nullSafe())
        .registerTypeAdapter(
            io.kubernetes.client.custom.Quantity.class,
            new ScalarJson.ClientQuantities().nullSafe())
        .registerTypeAdapter(IntOrString.class, new ScalarJson.IntOrStrings().nullSafe())
        .registerTypeAdapter(byte[].class, new ScalarJson.Bytes().nullSafe());
  }

  private static final class ManagedFieldsExcluded implements ExclusionStrategy {
    @Override
    public boolean shouldSkipField(FieldAttributes field) {
      return field.getDeclaringClass() == V1ObjectMeta.class
          && field.getName().equals(V1ObjectMeta.SERIALIZED_NAME_MANAGED_FIELDS);
    }

    @Override
    public boolean shouldSkipClass(Class<?> type) {
      return false;
    }
  }
}
