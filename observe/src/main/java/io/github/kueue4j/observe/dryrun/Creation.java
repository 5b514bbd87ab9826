// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.admission.AdmissionRules;
import io.github.kueue4j.core.admission.ReviewResult;
import io.github.kueue4j.core.admission.Syntax;
import io.github.kueue4j.core.admission.Violation;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JsonWords;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The object that the API server makes of a new one, with the webhooks of the core.
 *
 * @param object as it is stored
 * @param refusal why it isn't stored, without a period; empty if it is
 * @param warnings what the webhooks would warn of, and what isn't foreseen
 */
record Creation(JsonObject object, Optional<String> refusal, List<String> warnings) {
  private static final FieldPath GATE = FieldPath.of("spec", "schedulingGates", FieldPath.EACH);
  private static final FieldPath NODE = FieldPath.of("spec", "nodeName");

  /** The creation of a Job. */
  static Creation ofJob(DryRun run, JobKind<?> kind, Manifest manifest) {
    return of(run, kind.type(), manifest, reviewer(run, kind, manifest.key()));
  }

  /** The creation of an object whose pods are queued. */
  static Creation ofServing(DryRun run, ServingKind kind, Manifest manifest) {
    return of(
        run,
        kind.type(),
        manifest,
        run.reviews() && run.configuration().integrations().serving().contains(kind)
            ? object -> run.rules().newServing(kind, manifest.key().namespace(), object)
            : Creation::unreviewed);
  }

  /** The creation of a pod by a controller, about which the API server isn't asked. */
  static Creation ofPod(DryRun run, JobKind<?> pods, ObjectKey key, JsonObject object) {
    return reviewed(object, pods.type(), reviewer(run, pods, key));
  }

  private static Function<JsonObject, AdmissionRules.ReviewedJob> reviewer(
      DryRun run, JobKind<?> kind, ObjectKey key) {
    return run.reviews()
            && run.configuration().integrations().frameworks().contains(kind.framework())
        ? object -> run.rules().newJob(kind, key.namespace(), object)
        : Creation::unreviewed;
  }

  private static AdmissionRules.ReviewedJob unreviewed(JsonObject object) {
    return new AdmissionRules.ReviewedJob(object, ReviewResult.allowed());
  }

  private static Creation of(
      DryRun run,
      ResourceType<?> type,
      Manifest manifest,
      Function<JsonObject, AdmissionRules.ReviewedJob> webhooks) {
    Optional<String> impossible = impossible(run, type, manifest);
    if (impossible.isPresent()) {
      return refused(manifest.tree(), impossible.get());
    }
    Creation reviewed = reviewed(manifest.tree(), type, webhooks);
    return reviewed.refusal().isPresent()
        ? reviewed
        : run.refusal(manifest)
            .map(refusal -> reviewed.asked(refusal, type, manifest.key()))
            .orElse(reviewed);
  }

  private static Creation refused(JsonObject object, String why) {
    return new Creation(object, Optional.of(why), List.of());
  }

  /** Why the API server refuses it whatever its spec; it also checks that by a schema. */
  private static Optional<String> impossible(DryRun run, ResourceType<?> type, Manifest manifest) {
    ReadObjects objects = run.objects();
    ObjectKey key = manifest.key();
    if (!objects.serves(type)) {
      return Optional.of(
          "the cluster doesn't serve " + type.qualifiedName() + "; install its definition");
    }
    if (key.name().isEmpty()) {
      return Optional.of("metadata.name: Required value: name or generateName is required");
    }
    Optional<String> misnamed = Syntax.subdomain(key.name());
    if (misnamed.isPresent()) {
      return misnamed.map(why -> "metadata.name: Invalid value: \"" + key.name() + "\": " + why);
    }
    if (objects.find(CoreTypes.NAMESPACE, ObjectKey.cluster(key.namespace())).isEmpty()
        && !objects.unreadable().contains(CoreTypes.NAMESPACE)) {
      return Optional.of("namespaces \"" + key.namespace() + "\" not found; create it, or take -n");
    }
    if (objects.find(type, key).isPresent()) {
      return Optional.of(
          type.plural()
              + " \""
              + key.name()
              + "\" already exists; 'explain' says what it waits for");
    }
    return manifest.tree().get("spec") instanceof JsonObject
        ? Optional.empty()
        : Optional.of("spec: Required value");
  }

  /** Goes through the webhooks, if the core has any. */
  private static Creation reviewed(
      JsonObject object,
      ResourceType<?> type,
      Function<JsonObject, AdmissionRules.ReviewedJob> webhooks) {
    try {
      AdmissionRules.ReviewedJob reviewed = webhooks.apply(object);
      KueueJson.fromTree(reviewed.object(), type);
      return switch (reviewed.result()) {
        case ReviewResult.Refused refused -> refused(object, text(refused.violations()));
        case ReviewResult.Allowed allowed ->
            new Creation(
                reviewed.object(), bound(type, reviewed.object()), List.copyOf(allowed.warnings()));
      };
    } catch (JsonParseException e) {
      return refused(object, "it can't be read: " + JsonWords.of(e));
    }
  }

  /** A pod that waits can't have a node yet. */
  private static Optional<String> bound(ResourceType<?> type, JsonObject pod) {
    return type.equals(CoreTypes.POD) && !GATE.allIn(pod).isEmpty()
        ? NODE.textIn(pod)
            .filter(node -> !node.isEmpty())
            .map(
                node ->
                    "spec.nodeName: Forbidden: it is \""
                        + node
                        + "\", and a pod that waits for quota may have no node yet; leave it out")
        : Optional.empty();
  }

  static String text(List<Violation> violations) {
    return violations.stream().map(Violation::toString).collect(Collectors.joining("; "));
  }

  /** The further objections of the API server: its schema, quotas and other webhooks. */
  private Creation asked(KubernetesApiException answer, ResourceType<?> type, ObjectKey key) {
    if (isFinal(answer)) {
      return refused(object, answer.statusMessage());
    }
    List<String> more = new ArrayList<>(warnings);
    more.add(
        (lacksRight(answer)
                ? "you may not create %s in the namespace %s"
                    .formatted(type.qualifiedName(), key.namespace())
                : "the API server couldn't be asked (" + answer.statusMessage() + ")")
            + ": what its schema, quotas and other webhooks refuse isn't foreseen");
    return new Creation(object, Optional.empty(), more);
  }

  /** Whether the object would be refused, and not only the question. */
  private static boolean isFinal(KubernetesApiException refusal) {
    return switch (refusal) {
      case KubernetesApiException.Forbidden forbidden -> !forbidden.lacksRight();
      case KubernetesApiException.BadRequest bad ->
          !bad.statusMessage().contains("does not support dry run");
      case KubernetesApiException.ServerFailure failure ->
          failure.statusMessage().contains("failed calling webhook");
      case KubernetesApiException.Invalid invalid -> true;
      case KubernetesApiException.AlreadyExists exists -> true;
      case KubernetesApiException.Conflict conflict -> true;
      case KubernetesApiException.NotFound missing -> true;
      default -> false;
    };
  }

  /** Whether the user may not create such objects; admission may forbid one, too. */
  private static boolean lacksRight(KubernetesApiException refusal) {
    return refusal instanceof KubernetesApiException.Forbidden forbidden && forbidden.lacksRight();
  }
}
