// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the check reads.
 *
 * @param controllerName whose AdmissionChecks are the controller's own
 */
record ClusterObjects(
    String controllerName,
    Watched<V1Node> nodes,
    Watched<V1Pod> pods,
    Watched<V1Job> jobs,
    Watched<Workload> workloads,
    Watched<ResourceFlavor> flavors,
    Watched<AdmissionCheck> checks) {

  /** Whether the AdmissionCheck of this name is one of this controller. */
  boolean isOwnCheck(String name) {
    return checks
        .get(ObjectKey.cluster(name))
        .filter(check -> controllerName.equals(check.spec().controllerName()))
        .isPresent();
  }

  /** The pod sets of a workload that has a reservation, as an evaluation has them. */
  List<AssignedPodSet> podSets(Workload workload) {
    Map<String, PodSetAssignment> assigned = new HashMap<>();
    if (workload.status().admission() != null) {
      workload
          .status()
          .admission()
          .podSetAssignments()
          .forEach(one -> assigned.put(one.name(), one));
    }
    return workload.spec().podSets().stream()
        .map(podSet -> podSet(podSet, assigned.get(podSet.name())))
        .toList();
  }

  private AssignedPodSet podSet(PodSet podSet, @Nullable PodSetAssignment assignment) {
    if (assignment == null) {
      return new AssignedPodSet(
          podSet.name(), podSet.count(), podSet.template(), Map.of(), Map.of());
    }
    Map<String, AssignedFlavor> flavors = new HashMap<>();
    assignment.flavors().forEach((resource, name) -> flavors.put(resource, flavor(name)));
    return new AssignedPodSet(
        podSet.name(),
        Objects.requireNonNullElse(assignment.count(), podSet.count()),
        podSet.template(),
        assignment.resourceUsage(),
        flavors);
  }

  private AssignedFlavor flavor(String name) {
    return flavors
        .get(ObjectKey.cluster(name))
        .map(one -> new AssignedFlavor(name, one.spec().nodeLabels(), one.spec().tolerations()))
        .orElseGet(() -> new AssignedFlavor(name, Map.of(), List.of()));
  }
}
