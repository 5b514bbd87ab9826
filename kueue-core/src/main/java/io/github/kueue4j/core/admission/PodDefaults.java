// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.job.Keys;
import io.github.kueue4j.core.job.ServingKind;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The defaults of a new pod that names a queue and belongs to no managed Job: the scheduling gate,
 * the label and the finalizer by which the core manages it.
 */
final class PodDefaults {
  /** What a start adds, and a pod that is created from another one's manifest may have. */
  private static final List<String> LABELS_OF_A_START =
      List.of(Keys.POD_SET, Keys.LOCAL_QUEUE, Keys.CLUSTER_QUEUE, Keys.JOB_UID);

  /** What another implementation has written into templates, and this core has no use for. */
  private static final List<String> OF_ANOTHER_CORE =
      List.of(Keys.PREBUILT_WORKLOAD, Keys.POD_INDEX, Keys.POD_INDEX_LABEL);

  private final JobDefaults jobs;
  private final List<String> owners;
  private final List<ServingKind> serving;
  private final DefaultingContext defaultingContext;

  PodDefaults(JobDefaults jobs, Integrations integrations, DefaultingContext defaultingContext) {
    this.jobs = jobs;
    this.owners = integrations.ownersOfPods();
    this.serving = integrations.serving();
    this.defaultingContext = defaultingContext;
  }

  Edits of(AdmissionRequest request) {
    Edits edits = new Edits(request.object());
    JobTraits pod = JobTraits.of(edits.object());
    if (pod.queue().isEmpty()
        || !defaultingContext.mayManageNamespace(request.namespace())
        || belongsToAnother(request, pod)) {
      return edits;
    }
    jobs.priorityClass(edits);
    for (String label : LABELS_OF_A_START) {
      remove(edits, "labels", label);
    }
    remove(edits, "annotations", Keys.WORKLOAD);
    edits.set(new JsonPrimitive("true"), "metadata", "labels", Keys.MANAGED);
    edits.finalizer(Keys.MANAGED);
    gate(edits);
    JobDefaults.controller(request).ifPresent(owner -> group(edits, request, owner));
    return edits;
  }

  /** Pods of an object such as a StatefulSet are one group, which serves. */
  private void group(Edits edits, AdmissionRequest request, JsonObject controller) {
    V1OwnerReference owner =
        new V1OwnerReference()
            .apiVersion(JobDefaults.text(controller, "apiVersion"))
            .kind(JobDefaults.text(controller, "kind"))
            .name(JobDefaults.text(controller, "name"))
            .uid(JobDefaults.text(controller, "uid"));
    ServingKind kind = ServingKind.grouping(owner).filter(serving::contains).orElse(null);
    if (kind == null) {
      return;
    }
    for (String key : OF_ANOTHER_CORE) {
      remove(edits, "labels", key);
      remove(edits, "annotations", key);
    }
    ObjectKey object = new ObjectKey(request.namespace(), owner.getName());
    int replicas = defaultingContext.replicas(kind, object, owner.getUid()).orElse(1);
    edits.set(new JsonPrimitive(kind.groupOf(owner)), "metadata", "labels", Keys.POD_GROUP);
    Map.of(
            Keys.POD_GROUP_TOTAL,
            String.valueOf(Math.max(1, replicas)),
            Keys.POD_GROUP_FAST,
            "true",
            Keys.POD_GROUP_SERVING,
            "true",
            Keys.ROLE,
            "main")
        .forEach(
            (key, value) -> edits.set(new JsonPrimitive(value), "metadata", "annotations", key));
  }

  /**
   * Whether a managed Job runs the pod on its quota. The owner reference is believed, since a pod
   * without the label of a queue needs no quota either.
   */
  private boolean belongsToAnother(AdmissionRequest request, JobTraits pod) {
    Optional<JsonObject> controller = JobDefaults.controller(request);
    return controller
        .filter(
            owner ->
                pod.labels().containsKey(Keys.POD_SET)
                    || owners.contains(
                        JobDefaults.text(owner, "apiVersion")
                            + ' '
                            + JobDefaults.text(owner, "kind")))
        .isPresent();
  }

  private static void remove(Edits edits, String field, String key) {
    if (edits.object().get("metadata") instanceof JsonObject metadata
        && metadata.get(field) instanceof JsonObject texts
        && texts.has(key)) {
      edits.remove(texts, "/metadata/" + field, key);
    }
  }

  private static void gate(Edits edits) {
    JsonElement present =
        edits.object().get("spec") instanceof JsonObject spec ? spec.get("schedulingGates") : null;
    JsonArray gates = present instanceof JsonArray array ? array.deepCopy() : new JsonArray();
    JsonObject gate = new JsonObject();
    gate.addProperty("name", Keys.ADMISSION_GATE);
    if (!gates.contains(gate)) {
      gates.add(gate);
      edits.set(gates, "spec", "schedulingGates");
    }
  }
}
