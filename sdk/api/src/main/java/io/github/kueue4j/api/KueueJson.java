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
package io.github.kueue4j.api;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.apiguardian.api.API;

/**
 * JSON for the records of this module and for the model classes of the Kubernetes client.
 *
 * <p>Reading is lenient: unknown fields are skipped and nothing is validated beyond types; a time,
 * a duration or a quantity that is none reads as absent, since the API server refuses it in the
 * first place and one odd object must not hide a whole list. Times are read with any offset and
 * written in UTC. Empty lists and maps are left out unless the API demands them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KueueJson {

  private static final Gson GSON = builder().registerTypeAdapterFactory(new MicroTimes()).create();

  private KueueJson() {}

  /** The shared, thread-safe instance. */
  public static Gson gson() {
    return GSON;
  }

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
   * @throws JsonParseException if the text is no JSON, is empty, or a field has another type
   */
  public static <T> T fromJson(String json, Class<T> type) {
    return present(GSON.<T>fromJson(json, (Type) type), type);
  }

  /**
   * Reads an object out of a tree.
   *
   * @throws JsonParseException if the tree is a null or a field has another type
   */
  public static <T> T fromTree(JsonElement tree, Class<T> type) {
    return present(GSON.<T>fromJson(tree, (Type) type), type);
  }

  /**
   * Reads the answer to a list request.
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
}
