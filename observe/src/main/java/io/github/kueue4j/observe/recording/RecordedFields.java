// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The fields of an object that a recording keeps: those that decide about quota, and those that say
 * what became of it. Whatever else an object has isn't copied, so that a field that is unknown here
 * can't carry a secret into the file.
 */
final class RecordedFields {
  private static final List<String> METADATA =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "metadata.generation",
          "metadata.creationTimestamp",
          "metadata.deletionTimestamp",
          "metadata.annotations");

  private static final Set<String> KEY_GROUPS =
      Set.of(KueueTypes.GROUP, group(CheckMode.ANNOTATION));

  private static final KeptFields WORKLOAD =
      KeptFields.of(
          "metadata.labels",
          "metadata.ownerReferences.apiVersion",
          "metadata.ownerReferences.kind",
          "metadata.ownerReferences.name",
          "metadata.ownerReferences.uid",
          "metadata.ownerReferences.controller",
          "spec.queueName",
          "spec.priority",
          "spec.priorityClassRef",
          "spec.active",
          "spec.maximumExecutionTimeSeconds",
          "spec.podSets.name",
          "spec.podSets.count",
          "spec.podSets.minCount",
          "spec.podSets.template.metadata.labels",
          "spec.podSets.template.metadata.annotations",
          "spec.podSets.template.spec.containers.name",
          "spec.podSets.template.spec.containers.resources",
          "spec.podSets.template.spec.initContainers.name",
          "spec.podSets.template.spec.initContainers.resources",
          "spec.podSets.template.spec.initContainers.restartPolicy",
          "spec.podSets.template.spec.resources",
          "spec.podSets.template.spec.resourceClaims.name",
          "spec.podSets.template.spec.overhead",
          "spec.podSets.template.spec.runtimeClassName",
          "spec.podSets.template.spec.nodeSelector",
          "spec.podSets.template.spec.tolerations",
          "spec.podSets.template.spec.affinity.nodeAffinity",
          "status.conditions.type",
          "status.conditions.status",
          "status.conditions.reason",
          "status.conditions.lastTransitionTime",
          "status.conditions.observedGeneration",
          "status.admission",
          "status.requeueState",
          "status.reclaimablePods",
          "status.admissionChecks.name",
          "status.admissionChecks.state",
          "status.admissionChecks.lastTransitionTime",
          "status.admissionChecks.requeueAfterSeconds",
          "status.admissionChecks.retryCount",
          "status.admissionChecks.preemptionRequested",
          "status.accumulatedPastExecutionTimeSeconds",
          "status.schedulingStats.evictions.reason",
          "status.schedulingStats.evictions.count");

  /** An administrator's objects: their specs, and whether a check is active. */
  private static final KeptFields OTHER =
      KeptFields.of(
          "spec",
          "overhead.podFixed",
          "status.conditions.type",
          "status.conditions.status",
          "status.conditions.reason",
          "status.conditions.lastTransitionTime");

  /** Namespaces are selected by their labels, whatever these are. */
  private static final KeptFields NAMESPACE = KeptFields.of("metadata.labels");

  private RecordedFields() {}

  /** The kept fields of an object of this kind. */
  static JsonObject of(String kind, KubernetesObject object) {
    JsonObject tree = KueueJson.toTree(object).getAsJsonObject();
    return switch (kind) {
      case "Workload" -> kept(WORKLOAD, tree);
      case "Namespace" -> {
        JsonObject kept = NAMESPACE.of(tree).getAsJsonObject();
        kept.getAsJsonObject("metadata").remove("annotations");
        yield kept;
      }
      case "AdmissionCheck" -> kept(OTHER, tree);
      default -> {
        // Only a check's status decides anything; that of a queue follows from what is recorded.
        JsonObject kept = kept(OTHER, tree);
        kept.remove("status");
        yield kept;
      }
    };
  }

  private static JsonObject kept(KeptFields fields, JsonObject tree) {
    JsonObject kept = fields.of(tree).getAsJsonObject();
    keepOwnKeys(kept.getAsJsonObject("metadata"));
    if (kept.get("spec") instanceof JsonObject spec
        && spec.get("podSets") instanceof JsonArray podSets) {
      for (JsonElement podSet : podSets) {
        if (podSet.getAsJsonObject().get("template") instanceof JsonObject template
            && template.get("metadata") instanceof JsonObject metadata) {
          keepOwnKeys(metadata);
        }
      }
    }
    return kept;
  }

  private static String group(String key) {
    return key.split("/", 2)[0];
  }

  /** Labels and annotations of other groups don't decide anything here. */
  private static void keepOwnKeys(JsonObject metadata) {
    for (String map : List.of("labels", "annotations")) {
      if (metadata.get(map) instanceof JsonObject keys) {
        keys.keySet().removeIf(key -> !KEY_GROUPS.contains(group(key)));
        if (keys.isEmpty()) {
          metadata.remove(map);
        }
      }
    }
  }

  /**
   * A set of fields as a tree.
   *
   * @param members the fields below; none if the value is kept as it is
   */
  private record KeptFields(Map<String, KeptFields> members) {
    /** The metadata and these, each as a path with dots; lists are passed through. */
    static KeptFields of(String... paths) {
      KeptFields root = new KeptFields(new HashMap<>());
      METADATA.forEach(root::add);
      Arrays.asList(paths).forEach(root::add);
      return root;
    }

    private void add(String path) {
      KeptFields at = this;
      for (String step : path.split("\\.", -1)) {
        at = at.members.computeIfAbsent(step, any -> new KeptFields(new HashMap<>()));
      }
    }

    JsonElement of(JsonElement value) {
      if (members.isEmpty()) {
        return value;
      }
      if (value instanceof JsonArray list) {
        JsonArray kept = new JsonArray();
        list.forEach(item -> kept.add(of(item)));
        return kept;
      }
      JsonObject kept = new JsonObject();
      if (value instanceof JsonObject object) {
        for (Map.Entry<String, JsonElement> member : object.entrySet()) {
          KeptFields below = members.get(member.getKey());
          if (below != null) {
            kept.add(member.getKey(), Objects.requireNonNull(below).of(member.getValue()));
          }
        }
      }
      return kept;
    }
  }
}
