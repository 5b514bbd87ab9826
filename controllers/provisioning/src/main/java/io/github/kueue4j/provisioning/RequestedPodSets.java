// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodSetMergePolicy;
import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pod sets of a workload for which capacity has to be requested. */
final class RequestedPodSets {

  /** The fields of a pod template that decide where its pods can be placed. */
  private static final List<String> SCHEDULING_FIELDS =
      List.of(
          "nodeSelector",
          "affinity",
          "tolerations",
          "overhead",
          "resources",
          "runtimeClassName",
          "schedulerName",
          "topologySpreadConstraints",
          "resourceClaims",
          "priorityClassName",
          "hostNetwork");

  private RequestedPodSets() {}

  /**
   * One entry of a ProvisioningRequest.
   *
   * @param name of the first pod set in it
   * @param template the pods as they would start, with what their flavors add
   * @param count pods of all pod sets in it
   */
  record Group(String name, V1PodTemplateSpec template, int count) {
    Group plus(int more) {
      return new Group(name, template, count + more);
    }
  }

  /**
   * The entries of the request, in the order of the pod sets; empty if none has to be requested.
   */
  static List<Group> of(List<AssignedPodSet> podSets, ProvisioningRequestConfigSpec config) {
    Map<Object, Group> groups = new LinkedHashMap<>();
    for (AssignedPodSet podSet : podSets) {
      if (podSet.count() > 0 && managed(podSet, config.managedResources())) {
        V1PodTemplateSpec template = started(podSet);
        Group group = new Group(podSet.name(), template, podSet.count());
        groups.merge(
            mergeKey(podSet.name(), template, config.podSetMergePolicy()),
            group,
            (first, next) -> first.plus(next.count()));
      }
    }
    return List.copyOf(groups.values());
  }

  private static boolean managed(AssignedPodSet podSet, List<String> managedResources) {
    return managedResources.isEmpty()
        || managedResources.stream()
            .anyMatch(name -> podSet.requests().getOrDefault(name, Quantity.ZERO).signum() > 0);
  }

  private static Object mergeKey(
      String name, V1PodTemplateSpec template, @Nullable PodSetMergePolicy policy) {
    if (PodSetMergePolicy.IDENTICAL_POD_TEMPLATES.equals(policy)) {
      return KueueJson.toTree(template);
    }
    if (PodSetMergePolicy.IDENTICAL_WORKLOAD_SCHEDULING_REQUIREMENTS.equals(policy)) {
      return schedulingRequirements(template);
    }
    return name;
  }

  private static JsonObject schedulingRequirements(V1PodTemplateSpec template) {
    JsonObject requirements = new JsonObject();
    if (KueueJson.toTree(template).getAsJsonObject().get("spec") instanceof JsonObject spec) {
      for (String field : SCHEDULING_FIELDS) {
        if (spec.has(field)) {
          requirements.add(field, spec.get(field));
        }
      }
      for (String kind : List.of("containers", "initContainers")) {
        if (spec.has(kind)) {
          int index = 0;
          for (JsonElement container : spec.getAsJsonArray(kind)) {
            requirements.add(kind + "/" + index++, container.getAsJsonObject().get("resources"));
          }
        }
      }
    }
    return requirements;
  }

  /** A copy of the template with the flavors' node labels and tolerations, limits as requests. */
  private static V1PodTemplateSpec started(AssignedPodSet podSet) {
    V1PodTemplateSpec copy =
        KueueJson.fromTree(KueueJson.toTree(podSet.template()), V1PodTemplateSpec.class);
    V1PodSpec spec = copy.getSpec() == null ? new V1PodSpec() : copy.getSpec();
    copy.setSpec(spec);
    Map<String, String> nodeSelector = new HashMap<>();
    if (spec.getNodeSelector() != null) {
      nodeSelector.putAll(spec.getNodeSelector());
    }
    List<V1Toleration> tolerations = new ArrayList<>();
    if (spec.getTolerations() != null) {
      tolerations.addAll(spec.getTolerations());
    }
    for (AssignedFlavor flavor : podSet.flavors().values()) {
      flavor.nodeLabels().forEach(nodeSelector::putIfAbsent);
      for (V1Toleration toleration : flavor.tolerations()) {
        if (!tolerations.contains(toleration)) {
          tolerations.add(toleration);
        }
      }
    }
    spec.setNodeSelector(nodeSelector);
    spec.setTolerations(tolerations);
    requestLimits(spec.getContainers());
    requestLimits(spec.getInitContainers());
    return copy;
  }

  private static void requestLimits(@Nullable List<V1Container> containers) {
    if (containers == null) {
      return;
    }
    for (V1Container container : containers) {
      V1ResourceRequirements resources = container.getResources();
      if (resources != null && resources.getLimits() != null) {
        Map<String, io.kubernetes.client.custom.Quantity> requests =
            new HashMap<>(resources.getLimits());
        if (resources.getRequests() != null) {
          requests.putAll(resources.getRequests());
        }
        resources.setRequests(requests);
      }
    }
  }
}
