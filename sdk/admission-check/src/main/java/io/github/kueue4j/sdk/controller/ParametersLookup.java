// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckParametersReference;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.Informers;
import io.github.kueue4j.sdk.Parameters;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the parameters of an AdmissionCheck in the informer of their kind.
 *
 * @param <P> the parameters
 */
interface ParametersLookup<P> {

  /** The parameters that this AdmissionCheck refers to now. */
  Resolution<P> of(AdmissionCheck check);

  /** The informer that parameters come from, if they come from objects. */
  Optional<Informer<?>> informer();

  /** The lookup for these parameters; registers an informer if they need one. */
  static <P> ParametersLookup<P> of(
      Parameters<P> parameters, Informers informers, ServedVersion served) {
    Optional<Parameters.Source<?, P>> source = parameters.source();
    return source.isPresent()
        ? inObjects(source.get(), informers, served)
        : new Constant<>(parameters.constant());
  }

  private static <T extends KubernetesObject, P> ParametersLookup<P> inObjects(
      Parameters.Source<T, P> source, Informers informers, ServedVersion served) {
    Informer<T> informer =
        informers.of(served.of(source.type())).inNamespace(source.namespace()).register();
    return new InObjects<>(source, informer);
  }

  /** For checks without parameters. */
  record Constant<P>(P value) implements ParametersLookup<P> {
    @Override
    public Resolution<P> of(AdmissionCheck check) {
      return new Resolution.Found<>(value, "");
    }

    @Override
    public Optional<Informer<?>> informer() {
      return Optional.empty();
    }
  }

  /** For parameters in objects of one kind. */
  record InObjects<T extends KubernetesObject, P>(
      Parameters.Source<T, P> source, Informer<T> objects) implements ParametersLookup<P> {

    @Override
    public Resolution<P> of(AdmissionCheck check) {
      AdmissionCheckParametersReference reference = check.spec().parameters();
      ResourceType<T> type = source.type();
      if (reference == null) {
        return new Resolution.Bad<>(
            "spec.parameters is missing: name the " + type.kind() + " that this check uses");
      }
      if (!reference.apiGroup().equals(type.group())
          || !reference.kind().equalsIgnoreCase(type.kind())) {
        return new Resolution.Bad<>(
            "spec.parameters names a "
                + reference.kind()
                + " of group '"
                + reference.apiGroup()
                + "', but this check uses a "
                + type.kind()
                + " of group '"
                + type.group()
                + "'");
      }
      return objects
          .get(new ObjectKey(source.namespace(), reference.name()))
          .map(object -> read(object, reference.name()))
          .orElseGet(
              () ->
                  new Resolution.Bad<>(
                      "the " + type.kind() + " '" + reference.name() + "' does not exist"));
    }

    private Resolution<P> read(T object, String name) {
      Function<T, P> reader = source.reader();
      @Nullable P value;
      try {
        value = reader.apply(object);
      } catch (RuntimeException e) {
        // The author's reader rejects the object: that is for the object's author to read.
        return new Resolution.Bad<>(
            "the " + source.type().kind() + " '" + name + "' can't be used: " + e.getMessage());
      }
      if (value == null) {
        return new Resolution.Bad<>(
            "the " + source.type().kind() + " '" + name + "' can't be used: nothing was read");
      }
      return new Resolution.Found<>(
          value,
          Objects.requireNonNullElse(object.getMetadata().getUid(), "")
              + '/'
              + Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), ""));
    }

    @Override
    public Optional<Informer<?>> informer() {
      return Optional.of(objects);
    }
  }
}
