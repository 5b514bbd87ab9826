// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckParametersReference;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.sdk.Parameters;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
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

  /**
   * The object that the AdmissionCheck refers to, if it is of the right kind; it need not exist.
   */
  Optional<ObjectKey> referenced(AdmissionCheck check);

  /** The lookup for these parameters; registers an informer if they need one. */
  static <P> ParametersLookup<P> of(
      Parameters<P> parameters, Informers informers, WholeKinds kinds, ServedVersion served) {
    return parameters
        .source()
        .<ParametersLookup<P>>map(source -> inObjects(source, informers, kinds, served))
        .orElseGet(() -> new Constant<>(parameters.constant()));
  }

  /**
   * The lookup for parameters that need not be given, and whose kind the server may serve later.
   */
  static <T extends KubernetesObject, P> ParametersLookup<P> later(
      Parameters.Source<T, P> source, Informers informers, AwaitedKinds kinds) {
    Informers.Spec<T> spec = informers.of(source.type()).inNamespace(namespace(source));
    return new InObjects<>(source, kinds.awaitOptional(source.type(), spec::register));
  }

  private static <T extends KubernetesObject, P> ParametersLookup<P> inObjects(
      Parameters.Source<T, P> source, Informers informers, WholeKinds kinds, ServedVersion served) {
    Informer<T> informer =
        source.namespace().isEmpty()
            ? kinds.of(served.of(source.type()))
            : informers.of(served.of(source.type())).inNamespace(source.namespace()).register();
    return new InObjects<>(source, informer);
  }

  private static @Nullable String namespace(Parameters.Source<?, ?> source) {
    return source.namespace().isEmpty() ? null : source.namespace();
  }

  /** For checks without parameters. */
  record Constant<P>(P value) implements ParametersLookup<P> {
    @Override
    public Resolution<P> of(AdmissionCheck check) {
      AdmissionCheckParametersReference reference = check.spec().parameters();
      return reference == null
          ? new Resolution.Found<>(value, "")
          : new Resolution.Bad<>(
              "spec.parameters names the %s '%s' of group '%s', and this check has no parameters: leave out spec.parameters"
                  .formatted(reference.kind(), reference.name(), reference.apiGroup()));
    }

    @Override
    public Optional<Informer<?>> informer() {
      return Optional.empty();
    }

    @Override
    public Optional<ObjectKey> referenced(AdmissionCheck check) {
      return Optional.empty();
    }
  }

  /** For parameters in objects of one kind. */
  record InObjects<T extends KubernetesObject, P>(
      Parameters.Source<T, P> source, Informer<T> objects) implements ParametersLookup<P> {

    /**
     * How a reference names the core group, whose real name is empty: the field wants at least one
     * character.
     */
    private static final List<String> CORE = List.of("v1", "core", "");

    @Override
    public Resolution<P> of(AdmissionCheck check) {
      AdmissionCheckParametersReference reference = check.spec().parameters();
      if (reference == null) {
        return source
            .defaults()
            .<Resolution<P>>map(defaults -> new Resolution.Found<>(defaults, "", "defaults"))
            .orElseGet(() -> new Resolution.Bad<>("spec.parameters is missing: " + remedy("NAME")));
      }
      if (!isOfThisKind(reference)) {
        return new Resolution.Bad<>(
            "spec.parameters names a %s of group '%s', which this check can't use: %s"
                .formatted(reference.kind(), reference.apiGroup(), remedy(reference.name())));
      }
      if (objects instanceof AwaitedInformer<T> awaited && !awaited.synced()) {
        return new Resolution.Bad<>(missing(awaited));
      }
      return objects
          .get(new ObjectKey(source.namespace(), reference.name()))
          .map(object -> read(object, reference.name()))
          .orElseGet(
              () ->
                  new Resolution.Bad<>(
                      "the "
                          + described(reference.name())
                          + " does not exist: create it, or correct spec.parameters.name"));
    }

    private static String missing(AwaitedInformer<?> awaited) {
      ResourceType<?> type = awaited.type();
      return awaited.isThere()
          ? "the " + type.qualifiedName() + " are being read"
          : "the kind "
              + type.kind()
              + " is not installed: install the CustomResourceDefinition "
              + type.qualifiedName()
              + ", or leave out spec.parameters";
    }

    @Override
    public Optional<ObjectKey> referenced(AdmissionCheck check) {
      return Optional.ofNullable(check.spec().parameters())
          .filter(this::isOfThisKind)
          .map(reference -> new ObjectKey(source.namespace(), reference.name()));
    }

    private boolean isOfThisKind(AdmissionCheckParametersReference reference) {
      return isGroup(reference.apiGroup(), source.type())
          && reference.kind().equalsIgnoreCase(source.type().kind());
    }

    private static boolean isGroup(String group, ResourceType<?> type) {
      return type.group().isEmpty() ? CORE.contains(group) : group.equals(type.group());
    }

    private String remedy(String name) {
      String group = source.type().group();
      return "write {apiGroup: "
          + (group.isEmpty() ? "v1" : group)
          + ", kind: "
          + source.type().kind()
          + ", name: "
          + name
          + "}";
    }

    private String described(String name) {
      return source.type().kind()
          + " '"
          + name
          + "'"
          + (source.namespace().isEmpty() ? "" : " in the namespace '" + source.namespace() + "'");
    }

    private Resolution<P> read(T object, String name) {
      Function<T, P> reader = source.reader();
      @Nullable P value;
      try {
        source.keys().accept(object);
        value = reader.apply(object);
      } catch (RuntimeException e) {
        // The author's reader rejects the object: that is for the object's author to read.
        return unusable(name, problem(e));
      }
      if (value == null) {
        return unusable(name, "nothing was read");
      }
      return new Resolution.Found<>(
          value,
          Objects.requireNonNullElse(object.getMetadata().getUid(), "")
              + '/'
              + Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), ""),
          origin(object.getMetadata(), name));
    }

    /** The generation is the number of edits; an object without one has only its version. */
    private String origin(V1ObjectMeta metadata, String name) {
      @Nullable Long generation = metadata.getGeneration();
      return described(name)
          + ", uid "
          + metadata.getUid()
          + (generation == null
              ? ", resourceVersion " + metadata.getResourceVersion()
              : ", generation " + generation);
    }

    private Resolution<P> unusable(String name, String problem) {
      return new Resolution.Bad<>("the " + described(name) + " can't be used: " + problem);
    }

    /**
     * The problem, in the words of the reader that refuses the object; other exceptions need their
     * name to be understood.
     */
    private static String problem(RuntimeException e) {
      return e instanceof IllegalArgumentException && e.getMessage() != null
          ? e.getMessage()
          : e.toString();
    }

    @Override
    public Optional<Informer<?>> informer() {
      return Optional.of(objects);
    }
  }
}
