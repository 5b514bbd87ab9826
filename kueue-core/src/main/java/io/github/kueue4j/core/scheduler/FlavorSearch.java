// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.FlavorQuotas;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceGroup;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.ResourceUnits;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The search for the flavors of one pod set: one flavor per resource group that it requests. */
final class FlavorSearch {
  private final FlavorAssigner.AssignmentInputs assignmentInputs;
  private final int number;
  private final PodSetDemand podSet;
  private final Amounts<String> requests;
  private final Amounts<FlavorResource> takenBefore;
  private final Map<String, String> flavorOfResource = new TreeMap<>();
  private final SortedSet<String> obstacles = new TreeSet<>();
  private final Map<FlavorProgress.SearchKey, Integer> next = new HashMap<>();
  private FlavorMode mode = FlavorMode.FIT;
  private int borrowLevel;
  private @Nullable NoFitReason failure;

  /**
   * A new search.
   *
   * @param number index of the pod set, from 0
   * @param takenBefore the quota that the earlier pod sets take
   */
  FlavorSearch(
      FlavorAssigner.AssignmentInputs assignmentInputs,
      int number,
      PodSetDemand podSet,
      Amounts<FlavorResource> takenBefore) {
    this.assignmentInputs = assignmentInputs;
    this.number = number;
    this.podSet = podSet;
    this.takenBefore = takenBefore;
    Amounts<String> total = podSet.perPod().times(podSet.count());
    this.requests =
        covers(ResourceUnits.PODS) ? total.with(ResourceUnits.PODS, podSet.count()) : total;
  }

  /** The worst mode among the resource groups. */
  FlavorMode mode() {
    return mode;
  }

  int borrowLevel() {
    return borrowLevel;
  }

  /** Why there is no flavor; null if there is one. */
  @Nullable NoFitReason failure() {
    return failure;
  }

  /** The next flavor of each group whose search stopped before the last flavor. */
  Map<FlavorProgress.SearchKey, Integer> next() {
    return next;
  }

  String message() {
    return "couldn't assign flavors to pod set "
        + podSet.name()
        + ": "
        + String.join(", ", obstacles);
  }

  void run(FlavorProgress progress) {
    for (String resource : requests.asMap().keySet()) {
      if (!covers(resource)) {
        obstacles.add("resource " + resource + " unavailable in ClusterQueue");
        fail(NoFitReason.NO_MATCHING_FLAVOR);
      }
    }
    List<ResourceGroup> groups = assignmentInputs.spec().resourceGroups();
    for (int group = 0; group < groups.size(); group++) {
      Map<String, Long> requested = requested();
      requested.keySet().retainAll(groups.get(group).coveredResources());
      if (!requested.isEmpty()) {
        assignGroup(
            groups.get(group).flavors(),
            new FlavorProgress.SearchKey(number, group),
            requested,
            progress);
      }
    }
  }

  /** Whether none of its pods can run any more, so that it needs no quota. */
  private boolean needsNothing() {
    return podSet.count() == 0;
  }

  /**
   * The amounts of the resources that need a flavor. A request of 0 needs none. But a pod set of
   * which no pod can run any more gets flavors for all of its resources, because its owner may
   * start it again.
   */
  private Map<String, Long> requested() {
    if (!needsNothing()) {
      return new TreeMap<>(requests.asMap());
    }
    Map<String, Long> requested = new TreeMap<>();
    podSet.perPod().asMap().keySet().forEach(resource -> requested.put(resource, 0L));
    return requested;
  }

  private boolean covers(String resource) {
    return assignmentInputs.spec().resourceGroups().stream()
        .anyMatch(group -> group.coveredResources().contains(resource));
  }

  private void assignGroup(
      List<FlavorQuotas> offers,
      FlavorProgress.SearchKey searchKey,
      Map<String, Long> requested,
      FlavorProgress progress) {
    @Nullable FlavorChoice best = null;
    @Nullable NoFitReason leastSevere = null;
    for (int offer = progress.from(searchKey); offer < offers.size(); offer++) {
      FlavorChoice choice = examine(offers.get(offer).name(), requested);
      if (choice.reason() != null) {
        leastSevere =
            leastSevere == null ? choice.reason() : leastSevere.lessSevere(choice.reason());
      }
      if (!choice.continuesSearch(assignmentInputs.fungibility())) {
        best = choice;
        if (offer < offers.size() - 1 && !needsNothing()) {
          next.put(searchKey, offer + 1);
        }
        break;
      }
      if (choice.preferredTo(best, assignmentInputs.fungibility())) {
        best = choice;
      }
    }
    if (best == null || best.mode() == FlavorMode.NO_FIT) {
      if (needsNothing()) {
        return;
      }
      fail(leastSevere == null ? NoFitReason.NO_MATCHING_FLAVOR : leastSevere);
      return;
    }
    mode = mode.worse(best.mode());
    borrowLevel = Math.max(borrowLevel, best.borrowLevel());
    for (String resource : requested.keySet()) {
      flavorOfResource.put(resource, best.flavor());
    }
  }

  private void fail(NoFitReason reason) {
    mode = FlavorMode.NO_FIT;
    failure = failure == null ? reason : failure.moreSevere(reason);
  }

  private FlavorChoice examine(String name, Map<String, Long> requested) {
    ResourceFlavor flavor = assignmentInputs.flavors().get(name);
    if (flavor == null) {
      obstacles.add("flavor " + name + " not found");
      return FlavorChoice.none(name, NoFitReason.NO_MATCHING_FLAVOR);
    }
    Optional<String> unsuitable = FlavorMatch.mismatch(podSet.constraints(), flavor);
    if (unsuitable.isPresent()) {
      obstacles.add(unsuitable.get());
      return FlavorChoice.none(name, NoFitReason.NO_MATCHING_FLAVOR);
    }
    @Nullable NoFitReason worst = null;
    Map<FlavorResource, Long> lacking = new TreeMap<>();
    int level = 0;
    for (Map.Entry<String, Long> entry : requested.entrySet()) {
      if (entry.getValue() == 0) {
        continue;
      }
      FlavorResource key = new FlavorResource(name, entry.getKey());
      long needed = Amounts.add(takenBefore.get(key), entry.getValue());
      if (needed <= assignmentInputs.quota().available(assignmentInputs.queue(), key)) {
        level =
            Math.max(
                level, assignmentInputs.quota().borrowLevel(assignmentInputs.queue(), key, needed));
        continue;
      }
      NoFitReason reason = missingQuota(key, entry.getValue(), needed);
      if (reason == NoFitReason.WAITING_FOR_QUOTA && assignmentInputs.maySimulate(key, needed)) {
        lacking.put(key, needed);
      } else {
        worst = worst == null ? reason : worst.moreSevere(reason);
      }
    }
    if (worst != null) {
      return FlavorChoice.none(name, worst);
    }
    // Simulations are expensive: run them only if preemption could make this flavor viable.
    FlavorMode found = FlavorMode.FIT;
    for (Map.Entry<FlavorResource, Long> entry : lacking.entrySet()) {
      PreemptionOracle.Simulation simulation =
          assignmentInputs.oracle().simulate(entry.getKey(), entry.getValue());
      found = found.worse(FlavorMode.of(simulation.possibility()));
      level = Math.max(level, simulation.borrowLevel());
    }
    return new FlavorChoice(name, found, level, null);
  }

  private NoFitReason missingQuota(FlavorResource key, long requested, long needed) {
    long maximum = assignmentInputs.quota().potentialAvailable(assignmentInputs.queue(), key);
    if (needed > maximum) {
      obstacles.add(
          "insufficient quota for %s in flavor %s, previously considered podsets requests (%s) + current podset request (%s) > maximum capacity (%s)"
              .formatted(
                  key.resource(),
                  key.flavor(),
                  quantity(key, takenBefore.get(key)),
                  quantity(key, requested),
                  quantity(key, maximum)));
      return NoFitReason.EXCEEDS_MAX_QUOTA;
    }
    long missing =
        Amounts.subtract(needed, assignmentInputs.quota().available(assignmentInputs.queue(), key));
    obstacles.add(
        "insufficient unused quota for %s in flavor %s, %s more needed"
            .formatted(key.resource(), key.flavor(), quantity(key, missing)));
    return NoFitReason.WAITING_FOR_QUOTA;
  }

  Amounts<FlavorResource> usage() {
    Map<FlavorResource, Long> usage = new TreeMap<>();
    flavorOfResource.forEach(
        (resource, flavor) ->
            usage.put(new FlavorResource(flavor, resource), requests.get(resource)));
    return Amounts.of(usage);
  }

  /** Adds the part of what this pod set and the earlier ones take that doesn't fit now. */
  void addContested(Set<FlavorResource> contested) {
    for (FlavorResource key : usage().asMap().keySet()) {
      long needed = Amounts.add(takenBefore.get(key), requests.get(key.resource()));
      if (needed > assignmentInputs.quota().available(assignmentInputs.queue(), key)) {
        contested.add(key);
      }
    }
  }

  PodSetAssignment assignment() {
    Map<String, Quantity> usage = new LinkedHashMap<>();
    flavorOfResource
        .keySet()
        .forEach(
            resource ->
                usage.put(resource, ResourceUnits.quantity(resource, requests.get(resource))));
    return new PodSetAssignment(podSet.name(), flavorOfResource, usage, podSet.count());
  }

  private static Quantity quantity(FlavorResource key, long units) {
    return ResourceUnits.quantity(key.resource(), units);
  }
}
