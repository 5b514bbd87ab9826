// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.runtime.MergePatch;
import io.github.kueue4j.runtime.Reconciler;
import io.github.kueue4j.runtime.Requeue;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Keeps the {@code Accepted} condition of parameters up to date: who writes them reads there
 * whether they make sense, and which AdmissionChecks use them.
 *
 * @param <P> the parameters
 */
final class ParametersStatus<P> implements Reconciler {

  static final String ACCEPTED = "Accepted";
  private static final String REASON_INVALID = "Invalid";
  private static final String REASON_UNUSED = "Unused";

  private final ResourceType<? extends CustomResource<?>> type;
  private final Informer<? extends CustomResource<?>> objects;
  private final Informer<AdmissionCheck> checkObjects;
  private final ParametersLookup<P> lookup;
  private final AdmissionChecks<P> checks;
  private final KubernetesApi api;
  private final InstantSource time;

  ParametersStatus(
      ResourceType<? extends CustomResource<?>> type,
      Informer<? extends CustomResource<?>> objects,
      Informer<AdmissionCheck> checkObjects,
      ParametersLookup<P> lookup,
      AdmissionChecks<P> checks,
      KubernetesApi api,
      InstantSource time) {
    this.type = type;
    this.objects = objects;
    this.checkObjects = checkObjects;
    this.lookup = lookup;
    this.checks = checks;
    this.api = api;
    this.time = time;
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
    Optional<? extends CustomResource<?>> found = objects.get(key);
    if (found.isPresent() && found.get().getMetadata().getDeletionTimestamp() == null) {
      condition(key, found.get()).ifPresent(condition -> write(found.get(), condition));
    }
    return Requeue.never();
  }

  /** Empty if it is for another controller to say. */
  private Optional<Condition> condition(ObjectKey key, CustomResource<?> object) {
    List<AdmissionCheck> users =
        checkObjects.list().stream()
            .filter(check -> lookup.referenced(check).filter(key::equals).isPresent())
            .toList();
    List<AdmissionCheck> own =
        users.stream().filter(check -> checks.own(check.key().name()).isPresent()).toList();
    if (!own.isEmpty()) {
      return Optional.of(
          switch (lookup.of(own.getFirst())) {
            case Resolution.Found<P> read ->
                // All of them: controllers of other names that share the object say the same.
                condition(object, Condition.TRUE, ACCEPTED, "Used by " + named(users));
            case Resolution.Bad<P> bad ->
                condition(object, Condition.FALSE, REASON_INVALID, bad.message());
          });
    }
    boolean saidBefore = Conditions.find(object.conditions(), ACCEPTED).isPresent();
    return saidBefore && users.isEmpty()
        ? Optional.of(
            condition(object, Condition.UNKNOWN, REASON_UNUSED, "No AdmissionCheck uses it"))
        : Optional.empty();
  }

  private static String named(List<AdmissionCheck> users) {
    List<String> names = users.stream().map(check -> check.key().name()).sorted().toList();
    return names.size() == 1
        ? "the AdmissionCheck '" + names.getFirst() + "'"
        : names.stream().collect(Collectors.joining("', '", "the AdmissionChecks '", "'"));
  }

  private Condition condition(
      CustomResource<?> object, String status, String reason, String message) {
    return new Condition(
        ACCEPTED,
        status,
        reason,
        AdmissionChecks.cut(message),
        time.instant(),
        object.getMetadata().getGeneration());
  }

  /** Guarded by the version, since a list is written as a whole and others write conditions. */
  private void write(CustomResource<?> object, Condition condition) {
    List<Condition> before = object.conditions();
    List<Condition> after = Conditions.set(before, condition);
    if (after.equals(before)) {
      return;
    }
    JsonArray conditions = new JsonArray();
    after.forEach(one -> conditions.add(KueueJson.toTree(one)));
    JsonObject status = new JsonObject();
    status.add("conditions", conditions);
    JsonObject metadata = new JsonObject();
    metadata.addProperty(
        "resourceVersion", Objects.requireNonNull(object.getMetadata().getResourceVersion()));
    JsonObject document = new JsonObject();
    document.add("metadata", metadata);
    document.add("status", status);
    try {
      api.patchStatus(type, ObjectKey.of(object), new MergePatch(document));
    } catch (KubernetesApiException.NotFound gone) {
      // Deleted meanwhile: there is no status any more to say it in.
      return;
    }
  }
}
