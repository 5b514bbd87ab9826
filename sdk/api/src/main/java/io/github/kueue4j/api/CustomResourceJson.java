// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import org.jspecify.annotations.Nullable;

/**
 * Reads a custom resource and keeps its spec and status as JSON, so that one that makes no sense is
 * no reason to miss the object.
 */
final class CustomResourceJson implements TypeAdapterFactory {

  @Override
  @SuppressWarnings("unchecked") // The raw type of T is CustomResource.
  public <T> @Nullable TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
    if (type.getRawType() != CustomResource.class) {
      return null;
    }
    // Without a type argument, as an object tells its own class, it can be written only.
    Class<?> spec =
        type.getType() instanceof ParameterizedType parameterized
                && parameterized.getActualTypeArguments()[0] instanceof Class<?> argument
            ? argument
            : Record.class;
    return (TypeAdapter<T>) new SpecAsJson<>(gson, spec.asSubclass(Record.class)).nullSafe();
  }

  private static final class SpecAsJson<S extends Record> extends TypeAdapter<CustomResource<S>> {
    private final TypeAdapter<JsonElement> trees;
    private final TypeAdapter<V1ObjectMeta> metadata;
    private final Class<S> spec;

    SpecAsJson(Gson gson, Class<S> spec) {
      this.trees = gson.getAdapter(JsonElement.class);
      this.metadata = gson.getAdapter(V1ObjectMeta.class);
      this.spec = spec;
    }

    @Override
    public void write(JsonWriter out, CustomResource<S> value) throws IOException {
      JsonObject written = new JsonObject();
      written.addProperty("apiVersion", value.getApiVersion());
      written.addProperty("kind", value.getKind());
      written.add("metadata", metadata.toJsonTree(value.getMetadata()));
      written.add("spec", value.rawSpec());
      if (!value.rawStatus().isJsonNull()) {
        written.add("status", value.rawStatus());
      }
      trees.write(out, written);
    }

    @Override
    public CustomResource<S> read(JsonReader in) throws IOException {
      if (!spec.isRecord()) {
        throw new IllegalStateException(
            "the record of a CustomResource's spec is not known: read it by its ResourceType");
      }
      String apiVersion = "";
      String kind = "";
      @Nullable V1ObjectMeta meta = null;
      JsonElement rawSpec = JsonNull.INSTANCE;
      JsonElement rawStatus = JsonNull.INSTANCE;
      in.beginObject();
      while (in.hasNext()) {
        switch (in.nextName()) {
          case "apiVersion" -> apiVersion = in.nextString();
          case "kind" -> kind = in.nextString();
          case "metadata" -> meta = metadata.read(in);
          case "spec" -> rawSpec = trees.read(in);
          case "status" -> rawStatus = trees.read(in);
          default -> in.skipValue();
        }
      }
      in.endObject();
      return new CustomResource<>(
          apiVersion, kind, meta == null ? new V1ObjectMeta() : meta, rawSpec, rawStatus, spec);
    }
  }
}
