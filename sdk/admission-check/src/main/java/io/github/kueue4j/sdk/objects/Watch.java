// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.objects;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Objects besides workloads that a check reads, and the workloads that their changes wake: those
 * that wait for a verdict are evaluated again, those that wait out a delay of a {@link
 * io.github.kueue4j.sdk.DelayEndingCheck} are asked about it.
 *
 * @param <T> the objects' type
 * @param type their kind
 * @param namespace only those of this namespace; absent: of all
 * @param fieldSelector which of them, for example {@code metadata.name=daily-budget}; absent: all
 * @param labelSelector which of them, for example {@code app=web}; absent: all
 * @param trim drops from every object what the check doesn't read, to save memory
 * @param wakes which workloads a change of an object wakes
 * @param awaited whether the controller runs without the kind, too; see {@link #whenServed}
 * @see Watched
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Watch<T extends KubernetesObject>(
    ResourceType<T> type,
    @Nullable String namespace,
    @Nullable String fieldSelector,
    @Nullable String labelSelector,
    UnaryOperator<T> trim,
    Wake<T> wakes,
    boolean awaited) {

  private static final String NAME_FIELD = "metadata.name=";

  /**
   * The workloads that a change wakes.
   *
   * @param <T> the objects' type
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public sealed interface Wake<T> {
    /** All workloads that wait for the check; changes in quick succession count as one. */
    record AllWaiting<T>() implements Wake<T> {}

    /** No workload: the check only reads the objects. */
    record NoWorkload<T>() implements Wake<T> {}

    /** The workloads that the function gives for the object. */
    record Selected<T>(Function<T, ? extends Collection<ObjectKey>> concerned) implements Wake<T> {}
  }

  /** All objects of a kind; a change of any wakes all workloads that wait for the check. */
  public static <T extends KubernetesObject> Watch<T> of(ResourceType<T> type) {
    return new Watch<>(
        type, null, null, null, UnaryOperator.identity(), new Wake.AllWaiting<>(), false);
  }

  /**
   * Only the objects of this namespace: needs no rights in others.
   *
   * @throws IllegalArgumentException if the kind is cluster-scoped, or the name is empty
   */
  public Watch<T> inNamespace(String name) {
    if (!type.namespaced() || name.isBlank()) {
      throw new IllegalArgumentException(
          "the "
              + type.plural()
              + " of the namespace '"
              + name
              + "' can't be watched: "
              + (type.namespaced() ? "name a namespace" : "they live in none"));
    }
    return new Watch<>(type, name, fieldSelector, labelSelector, trim, wakes, awaited);
  }

  /** Only the objects of this name; in whatever namespace, unless one is named. */
  public Watch<T> named(String name) {
    return new Watch<>(type, namespace, NAME_FIELD + name, labelSelector, trim, wakes, awaited);
  }

  /** Only the objects with these labels. */
  public Watch<T> labelled(String selector) {
    return new Watch<>(type, namespace, fieldSelector, selector, trim, wakes, awaited);
  }

  /** Only as much of each object as this function leaves. */
  public Watch<T> trimmed(UnaryOperator<T> function) {
    return new Watch<>(type, namespace, fieldSelector, labelSelector, function, wakes, awaited);
  }

  /**
   * A change wakes only the workloads that this function gives for the object; those that it gives
   * for the state before the change, too.
   */
  public Watch<T> waking(Function<T, ? extends Collection<ObjectKey>> concerned) {
    return new Watch<>(
        type,
        namespace,
        fieldSelector,
        labelSelector,
        trim,
        new Wake.Selected<>(concerned),
        awaited);
  }

  /** As {@link #waking}, for an object that concerns one workload at most. */
  public Watch<T> wakingOne(Function<T, @Nullable ObjectKey> concerned) {
    return waking(
        object -> {
          @Nullable ObjectKey key = concerned.apply(object);
          return key == null ? List.of() : List.of(key);
        });
  }

  /** A change wakes no workload. */
  public Watch<T> quietly() {
    return new Watch<>(
        type, namespace, fieldSelector, labelSelector, trim, new Wake.NoWorkload<>(), awaited);
  }

  /**
   * The kind may be missing when the controller starts, because something else brings it. While the
   * API server doesn't serve it, there are no objects, and the controller's AdmissionChecks are not
   * Active, with the reason {@code KindNotServed}; within half a minute after it has appeared they
   * are. Without this, a controller doesn't start before the kind is served.
   */
  public Watch<T> whenServed() {
    return new Watch<>(type, namespace, fieldSelector, labelSelector, trim, wakes, true);
  }

  /** The only name that the objects may have; empty if they may have any. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public String name() {
    return fieldSelector != null && fieldSelector.startsWith(NAME_FIELD)
        ? fieldSelector.substring(NAME_FIELD.length())
        : "";
  }
}
