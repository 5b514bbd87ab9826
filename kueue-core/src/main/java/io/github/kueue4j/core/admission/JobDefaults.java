// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.FeatureGates;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.jobs.JobKind;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.Optional;

/**
 * The defaults of a new Job: queue and priority class if the namespace has defaults, and
 * suspension.
 */
final class JobDefaults {
  private static final String DEFAULT = "default";

  private final FeatureGates gates;
  private final boolean managesJobsWithoutQueue;
  private final DefaultingContext defaultingContext;

  JobDefaults(
      FeatureGates gates, boolean managesJobsWithoutQueue, DefaultingContext defaultingContext) {
    this.gates = gates;
    this.managesJobsWithoutQueue = managesJobsWithoutQueue;
    this.defaultingContext = defaultingContext;
  }

  <T extends KubernetesObject> Edits of(JobKind<T> kind, AdmissionRequest request) {
    Edits edits = new Edits(request.object());
    // In other namespaces the core would never start it; a Job of a managed owner follows the
    // owner.
    Optional<JsonObject> controller = controller(request);
    if (!defaultingContext.managesNamespace(request.namespace())
        || controller.filter(owner -> managed(kind, request, owner)).isPresent()) {
      return edits;
    }
    // No queue for a Job of an unmanaged owner: a JobSet would resume it whenever it is suspended.
    if (controller.filter(this::job).isEmpty()
        && !hasLabel(edits, JobTraits.QUEUE_NAME)
        && defaultingContext.hasLocalQueue(request.namespace(), DEFAULT)) {
      edits.set(new JsonPrimitive(DEFAULT), "metadata", "labels", JobTraits.QUEUE_NAME);
    }
    JobTraits job = JobTraits.of(kind, edits.object());
    if (job.queue().isEmpty() && !managesJobsWithoutQueue) {
      return edits;
    }
    priorityClass(edits);
    if (!job.suspended()) {
      kind.suspendField()
          .filter(field -> field.obstacleIn(edits.object()).isEmpty()) // A review refuses it.
          .ifPresent(
              field -> edits.set(new JsonPrimitive(true), field.steps().toArray(new String[0])));
    }
    return edits;
  }

  /** Names the default WorkloadPriorityClass if there is one and the object names none. */
  void priorityClass(Edits edits) {
    if (gates.enabled(FeatureGate.WORKLOAD_PRIORITY_CLASS_DEFAULTING)
        && !hasLabel(edits, JobTraits.PRIORITY_CLASS)
        && defaultingContext.hasWorkloadPriorityClass(DEFAULT)) {
      edits.set(new JsonPrimitive(DEFAULT), "metadata", "labels", JobTraits.PRIORITY_CLASS);
    }
  }

  private static boolean hasLabel(Edits edits, String key) {
    return JobTraits.of(edits.object()).labels().containsKey(key);
  }

  /** The controller that an object names. */
  static Optional<JsonObject> controller(AdmissionRequest request) {
    JsonElement owners =
        request.object().get("metadata") instanceof JsonObject metadata
            ? metadata.get("ownerReferences")
            : null;
    if (!(owners instanceof JsonArray references)) {
      return Optional.empty();
    }
    for (JsonElement reference : references) {
      if (reference instanceof JsonObject owner
          && owner.get("controller") instanceof JsonPrimitive controller
          && controller.getAsBoolean()) {
        return Optional.of(owner);
      }
    }
    return Optional.empty();
  }

  private <T extends KubernetesObject> boolean managed(
      JobKind<T> kind, AdmissionRequest request, JsonObject owner) {
    return defaultingContext.managesOwner(
        request.namespace(),
        new V1OwnerReference()
            .apiVersion(text(owner, "apiVersion"))
            .kind(text(owner, "kind"))
            .name(text(owner, "name"))
            .uid(text(owner, "uid")),
        ChildJob.of(kind, KueueJson.fromTree(request.object(), kind.type())));
  }

  private boolean job(JsonObject owner) {
    return defaultingContext.createsJobs(text(owner, "apiVersion"), text(owner, "kind"));
  }

  static String text(JsonObject object, String member) {
    return object.get(member) instanceof JsonPrimitive text ? text.getAsString() : "";
  }
}
