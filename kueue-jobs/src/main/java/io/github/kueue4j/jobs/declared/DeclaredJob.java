// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.declared;

import com.google.gson.JsonDeserializationContext;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializationContext;
import com.google.gson.JsonSerializer;
import com.google.gson.annotations.JsonAdapter;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.jobs.FieldPath;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.lang.reflect.Type;
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

  /** Null for an object as caches keep it. */
  private final @Nullable JsonObject body;

  /**
   * The Job of an object as caches keep it: its body as text, since a tree takes many times as
   * much.
   */
  private final @Nullable String packed;

  /** The Job of an object as caches keep it: templates by their places, where the body has none. */
  private final Map<FieldPath, V1PodTemplateSpec> templates;

  /** A whole object. */
  DeclaredJob(V1ObjectMeta metadata, JsonObject body) {
    this.metadata = metadata;
    this.body = body;
    this.packed = null;
    this.templates = Map.of();
  }

  private DeclaredJob(
      V1ObjectMeta metadata, String packed, Map<FieldPath, V1PodTemplateSpec> templates) {
    this.metadata = metadata;
    this.body = null;
    this.packed = packed;
    this.templates = Map.copyOf(templates);
  }

  /**
   * An object as caches keep it.
   *
   * @param templates by their places, where the body has {@code {}}
   */
  static DeclaredJob kept(
      V1ObjectMeta metadata, JsonObject body, Map<FieldPath, V1PodTemplateSpec> templates) {
    return new DeclaredJob(metadata, body.toString(), templates);
  }

  /**
   * The object but for its metadata and its kept templates, in whose places stands {@code {}}; read
   * anew with each call where caches keep it.
   */
  JsonObject body() {
    return body == null
        ? JsonParser.parseString(Objects.requireNonNull(packed)).getAsJsonObject()
        : body;
  }

  /** The trimmed template in a place; null if the body has the whole one. */
  @Nullable V1PodTemplateSpec trimmed(FieldPath place) {
    return templates.get(place);
  }

  /** A copy of the object but for its metadata, with what is left of its templates. */
  JsonObject copied() {
    JsonObject copy = body().deepCopy();
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
    return body().get(member) instanceof JsonPrimitive text ? text.getAsString() : "";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DeclaredJob that
        && metadata.equals(that.metadata)
        && Objects.equals(body, that.body)
        && Objects.equals(packed, that.packed)
        && templates.equals(that.templates);
  }

  @Override
  public int hashCode() {
    return Objects.hash(metadata, body, packed, templates);
  }

  @Override
  public String toString() {
    return getKind() + ' ' + ObjectKey.of(this);
  }

  static final class AsJson implements JsonSerializer<DeclaredJob>, JsonDeserializer<DeclaredJob> {
    @Override
    public JsonElement serialize(DeclaredJob job, Type type, JsonSerializationContext json) {
      JsonObject tree = job.copied();
      tree.add("metadata", json.serialize(job.getMetadata(), V1ObjectMeta.class));
      return tree;
    }

    @Override
    public DeclaredJob deserialize(JsonElement tree, Type type, JsonDeserializationContext json) {
      if (!(tree instanceof JsonObject object)) {
        throw new JsonParseException("an object of a declared kind is no JSON object");
      }
      JsonObject body = new JsonObject();
      object.asMap().forEach(body::add);
      V1ObjectMeta metadata = json.deserialize(body.remove("metadata"), V1ObjectMeta.class);
      return new DeclaredJob(Objects.requireNonNullElseGet(metadata, V1ObjectMeta::new), body);
    }
  }
}
