// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.job.declared;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.job.FieldPath;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An object of a declared kind, as JSON. Treat it as read-only.
 *
 * <p>As caches keep it, it has only the fields that the declaration reads, and its pod templates
 * are trimmed. Its JSON then has what is left of the templates in their places, so that the
 * difference of two such objects is one of the whole objects.
 */
@API(status = API.Status.INTERNAL)
@JsonAdapter(DeclaredJob.AsJson.class)
public final class DeclaredJob implements KubernetesObject {
  private final V1ObjectMeta metadata;
  private final JsonObject body;

  /** Of an object as caches keep it: templates by their places, where the body has none. */
  private final Map<FieldPath, V1PodTemplateSpec> templates;

  DeclaredJob(V1ObjectMeta metadata, JsonObject body, Map<FieldPath, V1PodTemplateSpec> templates) {
    this.metadata = metadata;
    this.body = body;
    this.templates = Map.copyOf(templates);
  }

  /** The object but for its metadata and its kept templates, in whose places stands {@code {}}. */
  JsonObject body() {
    return body;
  }

  /** The trimmed template in a place; null if the body has the whole one. */
  @Nullable V1PodTemplateSpec trimmed(FieldPath place) {
    return templates.get(place);
  }

  /** A copy of the object but for its metadata, with what is left of its templates. */
  JsonObject copied() {
    JsonObject copy = body.deepCopy();
    templates.forEach((place, template) -> place.set(copy, KueueJson.toTree(template)));
    return copy;
  }

  @Override
  public V1ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public String getApiVersion() {
    return text("apiVersion");
  }

  @Override
  public String getKind() {
    return text("kind");
  }

  private String text(String member) {
    return body.get(member) instanceof JsonPrimitive text ? text.getAsString() : "";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DeclaredJob that
        && metadata.equals(that.metadata)
        && body.equals(that.body)
        && templates.equals(that.templates);
  }

  @Override
  public int hashCode() {
    return Objects.hash(metadata, body, templates);
  }

  @Override
  public String toString() {
    return getKind() + ' ' + ObjectKey.of(this);
  }

  static final class AsJson implements TypeAdapterFactory {
    @Override
    @SuppressWarnings("unchecked") // The annotation names it for this class only.
    public <T> TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
      TypeAdapter<JsonElement> trees = gson.getAdapter(JsonElement.class);
      TypeAdapter<V1ObjectMeta> metadata = gson.getAdapter(V1ObjectMeta.class);
      TypeAdapter<DeclaredJob> jobs =
          new TypeAdapter<>() {
            @Override
            public void write(JsonWriter out, DeclaredJob job) throws IOException {
              JsonObject tree = job.copied();
              tree.add("metadata", metadata.toJsonTree(job.getMetadata()));
              trees.write(out, tree);
            }

            @Override
            public DeclaredJob read(JsonReader in) throws IOException {
              V1ObjectMeta meta = new V1ObjectMeta();
              JsonObject body = new JsonObject();
              in.beginObject();
              while (in.hasNext()) {
                String name = in.nextName();
                if (name.equals("metadata")) {
                  meta = Objects.requireNonNullElseGet(metadata.read(in), V1ObjectMeta::new);
                } else {
                  body.add(name, trees.read(in));
                }
              }
              in.endObject();
              return new DeclaredJob(meta, body, Map.of());
            }
          };
      return (TypeAdapter<T>) jobs.nullSafe();
    }
  }
}
