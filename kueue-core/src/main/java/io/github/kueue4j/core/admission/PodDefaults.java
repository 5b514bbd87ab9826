// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.LeaderWorkerSet;
import io.github.kueue4j.jobs.ServingKind;
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
    JobDefaults.controller(request)
        .map(PodDefaults::reference)
        .flatMap(owner -> group(owner, pod, request))
        .ifPresent(group -> group(edits, group));
    return edits;
  }

  /**
   * The group that a pod belongs to which serves.
   *
   * @param pods the number of its pods
   * @param role of the pod among them
   */
  private record ServingGroup(String name, int pods, String role) {}

  private static V1OwnerReference reference(JsonObject controller) {
    return new V1OwnerReference()
        .apiVersion(JobDefaults.text(controller, "apiVersion"))
        .kind(JobDefaults.text(controller, "kind"))
        .name(JobDefaults.text(controller, "name"))
        .uid(JobDefaults.text(controller, "uid"));
  }

  /**
   * Pods of a StatefulSet are one group, unless that belongs to a LeaderWorkerSet, which has
   * several.
   */
  private Optional<ServingGroup> group(
      V1OwnerReference owner, JobTraits pod, AdmissionRequest request) {
    Optional<ServingKind> kind = ServingKind.grouping(owner);
    if (kind.isEmpty()) {
      return Optional.empty();
    }
    return leaderWorkers(pod, request)
        .or(
            () ->
                kind.filter(serving::contains)
                    .map(
                        named ->
                            new ServingGroup(
                                named.groupOf(owner), replicas(named, owner, request), "main")));
  }

  private int replicas(ServingKind kind, V1OwnerReference owner, AdmissionRequest request) {
    ObjectKey object = new ObjectKey(request.namespace(), owner.getName());
    return defaultingContext.replicas(kind, object, owner.getUid()).orElse(1);
  }

  private Optional<ServingGroup> leaderWorkers(JobTraits pod, AdmissionRequest request) {
    if (!serving.contains(ServingKind.LEADER_WORKER_SET)) {
      return Optional.empty();
    }
    String name = JobDefaults.text(request.object().getAsJsonObject("metadata"), "name");
    return LeaderWorkerSet.GroupPlace.of(pod.labels(), name)
        .flatMap(
            place ->
                defaultingContext
                    .leaderWorkerSet(new ObjectKey(request.namespace(), place.set()))
                    .map(
                        set ->
                            new ServingGroup(
                                set.groupOf(place.group()), set.size(), set.role(place))));
  }

  private static void group(Edits edits, ServingGroup group) {
    for (String key : OF_ANOTHER_CORE) {
      remove(edits, "labels", key);
      remove(edits, "annotations", key);
    }
    edits.set(new JsonPrimitive(group.name()), "metadata", "labels", Keys.POD_GROUP);
    Map.of(
            Keys.POD_GROUP_TOTAL,
            String.valueOf(Math.max(1, group.pods())),
            Keys.POD_GROUP_FAST,
            "true",
            Keys.POD_GROUP_SERVING,
            "true",
            Keys.ROLE,
            group.role())
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
