// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Keeps the conditions of parameters up to date: who writes them reads in {@code Accepted} whether
 * they make sense, and which AdmissionChecks use them, and in {@code BackendReachable} whether what
 * they name answers. The one writer of these.
 *
 * @param <P> the parameters
 */
final class ParametersStatus<P> implements Reconciler {

  static final String ACCEPTED = "Accepted";
  private static final String REASON_INVALID = "Invalid";
  private static final String REASON_NOT_ACTIVE = "NotActiveYet";
  private static final String REASON_UNUSED = "Unused";
  private static final String MESSAGE_UNUSED = "No AdmissionCheck uses it";

  private final ResourceType<? extends CustomResource<?>> type;
  private final Informer<? extends CustomResource<?>> objects;
  private final OwnChecks<P> checks;
  private final BackendReach reach;
  private final BackendCondition backend;
  private final KubernetesApi api;
  private final InstantSource time;

  ParametersStatus(
      ResourceType<? extends CustomResource<?>> type,
      Informer<? extends CustomResource<?>> objects,
      OwnChecks<P> checks,
      BackendReach reach,
      BackendCondition backend,
      KubernetesApi api,
      InstantSource time) {
    this.type = type;
    this.objects = objects;
    this.checks = checks;
    this.reach = reach;
    this.backend = backend;
    this.api = api;
    this.time = time;
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
    Optional<? extends CustomResource<?>> found = objects.get(key);
    if (found.isEmpty() || found.get().getMetadata().getDeletionTimestamp() != null) {
      return Requeue.never();
    }
    BackendCondition.Next next = next(key, found.get());
    write(found.get(), next);
    return next.again() == null ? Requeue.never() : Requeue.atSteady(next.again());
  }

  /** As they are if it is for another controller to say. */
  private BackendCondition.Next next(ObjectKey key, CustomResource<?> object) {
    List<AdmissionCheck> users = checks.referringTo(key);
    List<AdmissionCheck> own =
        users.stream().filter(check -> checks.find(check.key().name()).isPresent()).toList();
    List<Condition> before = object.conditions();
    boolean saidBefore = Conditions.find(before, ACCEPTED).isPresent();
    if (!own.isEmpty()) {
      Condition accepted = accepted(object, users, own.getFirst());
      // Of a new object nothing is said for the moment that Active takes.
      boolean says = saidBefore || !accepted.status().equals(Condition.UNKNOWN);
      return backend.next(
          key,
          object.getMetadata().getGeneration(),
          says ? Conditions.set(before, accepted) : before,
          standing(own),
          reach.isReportedByAuthor());
    }
    return new BackendCondition.Next(
        saidBefore && users.isEmpty() ? unused(object, before) : before, null);
  }

  private Condition accepted(
      CustomResource<?> object, List<AdmissionCheck> users, AdmissionCheck own) {
    return switch (checks.referred(own)) {
      case Resolution.Found<P> read -> {
        // All that have the condition Active, which shows that their controller may write it:
        // controllers of other names that share the object say the same.
        List<AdmissionCheck> told = users.stream().filter(ParametersStatus::saysActive).toList();
        yield told.isEmpty()
            ? condition(
                object,
                Condition.UNKNOWN,
                REASON_NOT_ACTIVE,
                "No condition Active has been written yet on " + named(users))
            : condition(object, Condition.TRUE, ACCEPTED, "Used by " + named(told));
      }
      case Resolution.Bad<P> bad ->
          condition(object, Condition.FALSE, REASON_INVALID, bad.message());
    };
  }

  private static boolean saysActive(AdmissionCheck check) {
    return Conditions.find(check.status().conditions(), ActiveCondition.TYPE).isPresent();
  }

  private List<Condition> unused(CustomResource<?> object, List<Condition> before) {
    List<Condition> after =
        Conditions.set(before, condition(object, Condition.UNKNOWN, REASON_UNUSED, MESSAGE_UNUSED));
    return backend
        .unused(before, REASON_UNUSED, MESSAGE_UNUSED, object.getMetadata().getGeneration())
        .map(condition -> Conditions.set(after, condition))
        .orElse(after);
  }

  /** One that fails for one of the checks fails; one that answered one of them answers. */
  private BackendReach.Standing standing(List<AdmissionCheck> own) {
    List<BackendReach.Standing> all =
        own.stream().map(check -> check.key().name()).sorted().map(reach::of).toList();
    return all.stream()
        .filter(BackendReach.Standing.Failing.class::isInstance)
        .findFirst()
        .or(() -> all.stream().filter(BackendReach.Standing.Answers.class::isInstance).findFirst())
        .orElseGet(BackendReach.Standing.Unknown::new);
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
        ActiveCondition.cut(message),
        time.instant(),
        object.getMetadata().getGeneration());
  }

  /** Guarded by the version, since a list is written as a whole and others write conditions. */
  private void write(CustomResource<?> object, BackendCondition.Next next) {
    List<Condition> before = object.conditions();
    if (next.conditions().equals(before)) {
      return;
    }
    JsonArray conditions = new JsonArray();
    next.conditions().forEach(one -> conditions.add(KueueJson.toTree(one)));
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
    if (next.tells(before)) {
      backend.written(ObjectKey.of(object));
    }
  }
}
