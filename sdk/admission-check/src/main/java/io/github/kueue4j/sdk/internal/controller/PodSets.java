// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodRequests;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Joins a workload's pod sets with the quota they got and the flavors that it came from. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PodSets {

  private final Function<ObjectKey, Optional<ResourceFlavor>> flavors;

  /**
   * Joins them.
   *
   * @param flavors looks one up
   */
  public PodSets(Function<ObjectKey, Optional<ResourceFlavor>> flavors) {
    this.flavors = flavors;
  }

  /** The pod sets in the order of the spec. */
  public List<AssignedPodSet> of(Workload workload) {
    Map<String, PodSetAssignment> assignments = new HashMap<>();
    if (workload.status().admission() != null) {
      for (PodSetAssignment one : workload.status().admission().podSetAssignments()) {
        assignments.put(one.name(), one);
      }
    }
    return workload.spec().podSets().stream()
        .map(podSet -> join(podSet, assignments.get(podSet.name())))
        .toList();
  }

  private AssignedPodSet join(PodSet podSet, @Nullable PodSetAssignment assignment) {
    if (assignment == null) {
      return new AssignedPodSet(
          podSet.name(), podSet.count(), podSet.template(), asked(podSet), Map.of());
    }
    return new AssignedPodSet(
        podSet.name(),
        Objects.requireNonNullElse(assignment.count(), podSet.count()),
        podSet.template(),
        assignment.resourceUsage(),
        flavors(assignment));
  }

  /** Without a reservation only the template says what the pods need. */
  private static Map<String, Quantity> asked(PodSet podSet) {
    Map<String, Quantity> total = new HashMap<>();
    PodRequests.of(podSet.template().getSpec())
        .forEach((resource, one) -> total.put(resource, one.multiply(podSet.count())));
    return total;
  }

  private Map<String, AssignedFlavor> flavors(PodSetAssignment assignment) {
    Map<String, AssignedFlavor> byResource = new HashMap<>();
    assignment.flavors().forEach((resource, flavor) -> byResource.put(resource, flavor(flavor)));
    return byResource;
  }

  private AssignedFlavor flavor(String name) {
    return flavors
        .apply(ObjectKey.cluster(name))
        .map(
            found ->
                new AssignedFlavor(name, found.spec().nodeLabels(), found.spec().tolerations()))
        .orElseGet(() -> new AssignedFlavor(name, Map.of(), List.of()));
  }
}
