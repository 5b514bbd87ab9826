// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Where a check's parameters come from: the object that {@code spec.parameters} of its
 * AdmissionCheck names by group, kind and name. While that reference is missing, of another kind,
 * dangling or unreadable, the AdmissionCheck is not Active and its workloads wait; it recovers by
 * itself when the object is corrected.
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

  /** No parameters; a reference in the AdmissionCheck is ignored. */
  public static Parameters<NoParameters> none() {
    return new Parameters<>(null, NoParameters.INSTANCE);
  }

  /** The referenced object itself. */
  public static <T extends KubernetesObject> Parameters<T> from(ResourceType<T> type) {
    return from(type, Function.identity());
  }

  /**
   * What {@code reader} makes of the referenced object.
   *
   * @param reader throws an exception with a message for people if the object makes no sense
   */
  public static <T extends KubernetesObject, P> Parameters<P> from(
      ResourceType<T> type, Function<T, P> reader) {
    return new Parameters<>(new Source<>(type, "", reader), null);
  }

  /**
   * The same parameters, read from this namespace: needed for namespaced kinds, since the reference
   * has no namespace.
   *
   * @throws IllegalStateException if there are no parameters
   */
  public Parameters<P> inNamespace(String namespace) {
    if (source == null) {
      throw new IllegalStateException("a check without parameters reads them from no namespace");
    }
    return new Parameters<>(source.inNamespace(namespace), null);
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
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record Source<T extends KubernetesObject, P>(
      ResourceType<T> type, String namespace, Function<T, P> reader) {
    Source<T, P> inNamespace(String other) {
      return new Source<>(type, other, reader);
    }
  }
}
