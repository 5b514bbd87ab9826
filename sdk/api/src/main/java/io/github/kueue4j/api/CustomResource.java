// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An object of a custom resource definition, whose {@code spec} is read as a record of its author:
 *
 * <pre>{@code
 * record Window(LocalTime opens, Duration length, Set<DayOfWeek> days, Optional<ZoneId> zone) {
 *   Window {
 *     if (!length.isPositive()) {
 *       throw new InvalidFieldException("length", length.toString(), "write a positive duration");
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>Components are named as the fields are. They may be: {@code String}, {@code boolean}, {@code
 * int}, {@code long}, {@code double} and their boxes, {@link java.math.BigDecimal}; {@link
 * java.time.Duration} ({@code 1h30m}), {@link java.time.Instant}, {@link java.time.LocalTime},
 * {@link java.time.LocalDate}, {@link java.time.ZoneId}, {@link java.net.URI}, {@link Quantity};
 * enums, whatever the case and with or without underscores; records; {@code List}, {@code Set} and
 * {@code Map<String, ...>} of these, empty when absent; {@code Optional} of these. Any other field
 * that is absent is an error, as is a value of another type. Fields that no component names are
 * skipped; {@link #refuseUnknownFields} refuses them.
 *
 * <p>A partial view of the server's object: it must never be written back as a whole.
 *
 * @param <S> the record of the spec
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CustomResource<S extends Record> implements KubernetesObject {

  private final String apiVersion;
  private final String kind;
  private final V1ObjectMeta metadata;
  private final JsonElement spec;
  private final JsonElement status;
  private final Class<S> type;

  CustomResource(
      String apiVersion,
      String kind,
      V1ObjectMeta metadata,
      JsonElement spec,
      JsonElement status,
      Class<S> type) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.metadata = metadata;
    this.spec = spec;
    this.status = status;
    this.type = type;
  }

  /**
   * A new object, to be created.
   *
   * @param spec of maps, lists, texts, numbers and flags; it need not fit the record
   */
  public static <S extends Record> CustomResource<S> of(
      ResourceType<CustomResource<S>> type, V1ObjectMeta metadata, Map<String, ?> spec) {
    return KueueJson.fromTree(
        KueueJson.toTree(
            Map.of(
                "apiVersion",
                type.apiVersion(),
                "kind",
                type.kind(),
                "metadata",
                metadata,
                "spec",
                spec)),
        type);
  }

  /**
   * The spec, read anew with each call.
   *
   * @throws InvalidFieldException if a field is absent or has no value of its type; names the field
   * @throws IllegalArgumentException if the record's constructor refuses the values
   */
  public S spec() {
    return RecordReader.json().read(spec, type, "spec");
  }

  /**
   * Refuses fields of the spec that its record has no component for, also in the records inside it:
   * what people misspell would be skipped otherwise. An API server drops such fields before they
   * are stored, but for kinds whose schema preserves unknown fields.
   *
   * @throws InvalidFieldException if there is one; the message has the nearest name
   */
  public void refuseUnknownFields() {
    RecordReader.refuseUnknown(spec, type, "spec");
  }

  /**
   * The status, read anew with each call; empty if there is none.
   *
   * @param record its components are as those of a spec; fields that none names are skipped
   * @throws InvalidFieldException if a field is absent or has no value of its type; names the field
   * @throws IllegalArgumentException if the record's constructor refuses the values
   */
  public <R extends Record> Optional<R> status(Class<R> record) {
    return status.isJsonNull()
        ? Optional.empty()
        : Optional.of(RecordReader.json().read(status, record, "status"));
  }

  /** {@code status.conditions}; empty if there are none, or if they are no list of conditions. */
  public List<Condition> conditions() {
    if (!(status instanceof JsonObject fields)
        || !(fields.get("conditions") instanceof JsonArray conditions)) {
      return List.of();
    }
    return conditions.asList().stream()
        .filter(JsonElement::isJsonObject)
        .map(condition -> KueueJson.fromTree(condition, Condition.class))
        .toList();
  }

  JsonElement rawSpec() {
    return spec;
  }

  JsonElement rawStatus() {
    return status;
  }

  @Override
  public V1ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public String getApiVersion() {
    return apiVersion;
  }

  @Override
  public String getKind() {
    return kind;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CustomResource<?> that
        && apiVersion.equals(that.apiVersion)
        && kind.equals(that.kind)
        && metadata.equals(that.metadata)
        && spec.equals(that.spec)
        && status.equals(that.status)
        && type.equals(that.type);
  }

  @Override
  public int hashCode() {
    return Objects.hash(apiVersion, kind, metadata, spec, status, type);
  }

  @Override
  public String toString() {
    return kind + ' ' + ObjectKey.of(this) + ' ' + spec;
  }
}
