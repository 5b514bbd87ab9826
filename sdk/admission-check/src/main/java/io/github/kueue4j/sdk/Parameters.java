// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.RecordReader;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Where a check's parameters come from: the object that {@code spec.parameters} of its
 * AdmissionCheck names by group, kind and name.
 *
 * <pre>{@code
 * Parameters<WindowSpec> fromConfigMaps = Parameters.configMap("team-a", WindowSpec.class);
 * Parameters<WindowSpec> fromCustomResources =
 *     Parameters.of(
 *         ResourceType.clusterScoped("ops.example.com/v1", "MaintenanceWindow", WindowSpec.class));
 *
 * record WindowSpec(LocalTime opens, Duration length) {}
 * }</pre>
 *
 * <p>While that reference is missing, of another kind, dangling or unreadable, the AdmissionCheck
 * is not Active (reason {@code BadParametersRef}, with the field, its value and the remedy), and
 * its workloads wait; it recovers by itself when the object is corrected.
 *
 * <p>A key that the record has no component for is unreadable, too, unless {@link
 * #allowingUnknownKeys} says otherwise: {@code window} for {@code windows} would leave a check
 * without any.
 *
 * <p>A change of the parameters takes effect at once: workloads whose entry is Pending are
 * evaluated again, and for those that wait out a delay of this check it ends, and they are
 * evaluated when they hold quota again. Each delay that ends so has counted as an attempt: {@code
 * retryCount} rises, and with it what {@code retryLimits.maxRetries} of the AdmissionCheck allows
 * is used up. What counts as a change is what {@code equals} of the parameters says, so a record is
 * compared by its components. A change while no controller runs, or between two leaders, ends the
 * delays from before it once the next one looks; what counts as a change then is another object,
 * {@code metadata.generation}, or {@code resourceVersion} of kinds without a generation.
 *
 * @param <P> what the check gets to see
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Parameters<P> {

  private final @Nullable Source<?, P> source;
  private final @Nullable P constant;

  private Parameters(@Nullable Source<?, P> source, @Nullable P constant) {
    this.source = source;
    this.constant = constant;
  }

  /** No parameters; an AdmissionCheck that names some isn't Active, since they would not count. */
  public static Parameters<NoParameters> none() {
    return new Parameters<>(null, NoParameters.INSTANCE);
  }

  /**
   * Parameters that {@code reader} makes of the data of a ConfigMap. The AdmissionCheck names it as
   * {@code {apiGroup: v1, kind: ConfigMap, name: ...}}; {@code core} is another way to write the
   * group.
   *
   * <p>Which keys there may be, only the reader knows: those that it doesn't ask for are skipped,
   * unless it refuses them. {@link RecordReader#readWrittenJson} does so for a key that holds JSON.
   *
   * @param namespace of the ConfigMaps, since the reference has none
   * @param reader gets the texts by their keys, without those that are binary; throws an exception
   *     with a message for people if they make no sense, such as an {@link
   *     io.github.kueue4j.api.InvalidFieldException}
   * @throws IllegalArgumentException if the namespace is empty
   */
  public static <P> Parameters<P> configMap(
      String namespace, Function<Map<String, String>, P> reader) {
    return configMap(namespace, reader, data -> {});
  }

  private static <P> Parameters<P> configMap(
      String namespace,
      Function<Map<String, String>, P> reader,
      Consumer<Map<String, String>> keys) {
    return new Parameters<>(
            new Source<>(
                CoreTypes.CONFIG_MAP,
                "",
                map -> reader.apply(data(map)),
                map -> keys.accept(data(map)),
                false,
                Optional.<P>empty()),
            null)
        .inNamespace(namespace);
  }

  private static Map<String, String> data(V1ConfigMap map) {
    return map.getData() == null ? Map.of() : Map.copyOf(map.getData());
  }

  /**
   * A record with a component for each key of a ConfigMap. Its components are of the types that
   * {@link CustomResource} lists, without records and maps: numbers and flags are parsed, lists and
   * sets are split at commas. A key may be missing if its component is an {@link Optional}, a list
   * or a set, which is empty then. Any other that is missing, and one that is not known or makes no
   * sense, is told on the AdmissionCheck.
   *
   * @param namespace of the ConfigMaps, since the reference has none
   * @throws IllegalArgumentException if the namespace is empty, or the record has a component that
   *     can't be read
   */
  public static <R extends Record> Parameters<R> configMap(String namespace, Class<R> type) {
    return configMap(namespace, type, Function.identity());
  }

  /**
   * Parameters that {@code reader} makes of such a record.
   *
   * @param reader throws an exception with a message for people if it makes no sense, such as an
   *     {@link io.github.kueue4j.api.InvalidFieldException}
   * @throws IllegalArgumentException if the namespace is empty, or the record has a component that
   *     can't be read
   */
  public static <R extends Record, P> Parameters<P> configMap(
      String namespace, Class<R> type, Function<R, P> reader) {
    RecordReader.refuseUnreadableTexts(type);
    return configMap(
        namespace,
        data -> reader.apply(RecordReader.readTexts(data, type)),
        data -> RecordReader.refuseUnknownTexts(data, type));
  }

  /** The spec of the referenced custom resource. */
  public static <S extends Record> Parameters<S> of(ResourceType<CustomResource<S>> type) {
    return from(type, CustomResource::spec);
  }

  /**
   * Parameters that {@code reader} makes of the spec of the referenced custom resource.
   *
   * @param reader throws an exception with a message for people if the spec makes no sense, such as
   *     an {@link io.github.kueue4j.api.InvalidFieldException}
   */
  public static <S extends Record, P> Parameters<P> of(
      ResourceType<CustomResource<S>> type, Function<S, P> reader) {
    return from(type, object -> reader.apply(object.spec()));
  }

  /** The referenced object itself. */
  public static <T extends KubernetesObject> Parameters<T> from(ResourceType<T> type) {
    return from(type, Function.identity());
  }

  /**
   * Parameters that {@code reader} makes of the referenced object.
   *
   * @param reader throws an exception with a message for people if the object makes no sense
   */
  public static <T extends KubernetesObject, P> Parameters<P> from(
      ResourceType<T> type, Function<T, P> reader) {
    Consumer<T> keys =
        object -> {
          if (object instanceof CustomResource<?> resource) {
            resource.refuseUnknownFields();
          }
        };
    return new Parameters<>(new Source<>(type, "", reader, keys, false, Optional.empty()), null);
  }

  /**
   * The same parameters, and keys that their record has no component for are skipped instead of
   * refused: for objects that other programs read, too, and for kinds of which the record is meant
   * to be a part. A misspelt key counts as absent then, and nothing tells it.
   *
   * @throws IllegalStateException if there are no parameters
   */
  public Parameters<P> allowingUnknownKeys() {
    if (source == null) {
      throw new IllegalStateException("a check without parameters reads no keys");
    }
    return new Parameters<>(source.allowing(), null);
  }

  /**
   * The same parameters, and their objects' {@code status.conditions} say what became of them:
   * {@code Accepted} is True with the AdmissionChecks that use them and have the condition Active,
   * False while they make no sense, with the reader's message, and Unknown with the reason {@code
   * NotActiveYet} where it was there before and none of them has that condition, or when the last
   * AdmissionCheck has let go of them. It is absent while none of them had that condition yet, and
   * of objects that none has named. The CRD needs the status subresource and {@code
   * status.conditions}, a list by {@code type}.
   *
   * @throws IllegalStateException if there are no parameters, or they are no {@link CustomResource}
   */
  public Parameters<P> reportingStatus() {
    if (source == null || source.type().type() != CustomResource.class) {
      throw new IllegalStateException(
          "only custom resources have a status to report to: use Parameters.of(...)");
    }
    return new Parameters<>(source.reporting(), null);
  }

  /**
   * The same parameters, read from this namespace: needed for namespaced kinds, since the reference
   * has no namespace.
   *
   * @throws IllegalStateException if there are no parameters, or their kind is cluster-scoped
   * @throws IllegalArgumentException if the namespace is empty
   */
  public Parameters<P> inNamespace(String namespace) {
    if (source == null) {
      throw new IllegalStateException("a check without parameters reads them from no namespace");
    }
    if (!source.type().namespaced()) {
      throw new IllegalStateException(
          "a %s lives in no namespace: leave out inNamespace(\"%s\"), or describe the kind with ResourceType.namespaced(...)"
              .formatted(source.type().kind(), namespace));
    }
    if (namespace.isBlank()) {
      throw new IllegalArgumentException(
          "the parameters are "
              + source.type().plural()
              + " of a namespace, and its name is empty: name the namespace");
    }
    return new Parameters<>(source.inNamespace(namespace), null);
  }

  /**
   * The same parameters, but an AdmissionCheck may do without them. The defaults are for a
   * reference that is absent, not for single fields of an object: make those {@link Optional}.
   *
   * <pre>{@code
   * Parameters<WindowSpec> windows = Parameters.of(WINDOWS).orElse(WindowSpec.defaults());
   * }</pre>
   *
   * <p>A controller with such parameters also starts where their kind is not installed. Only the
   * AdmissionChecks that refer to one are not Active then; within half a minute after the kind is
   * installed they are.
   *
   * @param defaults the parameters of an AdmissionCheck that names none
   * @throws IllegalStateException if there are no parameters
   */
  public Parameters<P> orElse(P defaults) {
    if (source == null) {
      throw new IllegalStateException("a check without parameters has no need of defaults");
    }
    return new Parameters<>(source.orElse(defaults), null);
  }

  /** The source of the parameters; empty if there are none. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public Optional<Source<?, P>> source() {
    return Optional.ofNullable(source);
  }

  /** The parameters of a check that has no source of them. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public P constant() {
    if (constant == null) {
      throw new IllegalStateException("the parameters come from an object");
    }
    return constant;
  }

  /**
   * A kind of object and how to read it.
   *
   * @param namespace of the object; empty for cluster-scoped kinds
   * @param keys throws an exception with a message for people if the object has a key that isn't
   *     known; called before the reader
   * @param reports whether the object's status says what became of it
   * @param defaults of an AdmissionCheck that names no object; absent: it must name one
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record Source<T extends KubernetesObject, P>(
      ResourceType<T> type,
      String namespace,
      Function<T, P> reader,
      Consumer<T> keys,
      boolean reports,
      Optional<P> defaults) {
    Source<T, P> inNamespace(String other) {
      return new Source<>(type, other, reader, keys, reports, defaults);
    }

    Source<T, P> allowing() {
      return new Source<>(type, namespace, reader, object -> {}, reports, defaults);
    }

    Source<T, P> reporting() {
      return new Source<>(type, namespace, reader, keys, true, defaults);
    }

    Source<T, P> orElse(P other) {
      return new Source<>(type, namespace, reader, keys, reports, Optional.of(other));
    }

    /** Whether the kind lives in namespaces and none was named. */
    public boolean lacksNamespace() {
      return type.namespaced() && namespace.isEmpty();
    }
  }
}
