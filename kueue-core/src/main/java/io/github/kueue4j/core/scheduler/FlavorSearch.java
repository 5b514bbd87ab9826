/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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

/** The search for flavors for one pod set: one per resource group that it asks for. */
final class FlavorSearch {
  private final FlavorAssigner.Terms terms;
  private final int number;
  private final PodSetDemand podSet;
  private final Amounts<String> requests;
  private final Amounts<FlavorResource> takenBefore;
  private final Map<String, String> flavorOfResource = new TreeMap<>();
  private final SortedSet<String> obstacles = new TreeSet<>();
  private final Map<FlavorProgress.Place, Integer> next = new HashMap<>();
  private FlavorMode mode = FlavorMode.FIT;
  private int borrowLevel;
  private @Nullable NoFitReason failure;

  /**
   * A search that hasn't begun.
   *
   * @param number of the pod set
   * @param takenBefore what the earlier pod sets take
   */
  FlavorSearch(
      FlavorAssigner.Terms terms,
      int number,
      PodSetDemand podSet,
      Amounts<FlavorResource> takenBefore) {
    this.terms = terms;
    this.number = number;
    this.podSet = podSet;
    this.takenBefore = takenBefore;
    Amounts<String> total = podSet.perPod().times(podSet.count());
    this.requests =
        covers(ResourceUnits.PODS) ? total.with(ResourceUnits.PODS, podSet.count()) : total;
  }

  /** The worst of what was found. */
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

  /** Where the search stopped before the end. */
  Map<FlavorProgress.Place, Integer> next() {
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
    List<ResourceGroup> groups = terms.spec().resourceGroups();
    for (int group = 0; group < groups.size(); group++) {
      Map<String, Long> asked = asked();
      asked.keySet().retainAll(groups.get(group).coveredResources());
      if (!asked.isEmpty()) {
        assignGroup(
            groups.get(group).flavors(), new FlavorProgress.Place(number, group), asked, progress);
      }
    }
  }

  /** None of its pods can run (any more): it needs nothing. */
  private boolean needsNothing() {
    return podSet.count() == 0;
  }

  /**
   * The resources that need a flavor. Pods that name one with 0 need none for it; but pods of which
   * none can run any more get theirs, should their owner start them anew.
   */
  private Map<String, Long> asked() {
    if (!needsNothing()) {
      return new TreeMap<>(requests.asMap());
    }
    Map<String, Long> asked = new TreeMap<>();
    podSet.perPod().asMap().keySet().forEach(resource -> asked.put(resource, 0L));
    return asked;
  }

  private boolean covers(String resource) {
    return terms.spec().resourceGroups().stream()
        .anyMatch(group -> group.coveredResources().contains(resource));
  }

  private void assignGroup(
      List<FlavorQuotas> offers,
      FlavorProgress.Place place,
      Map<String, Long> asked,
      FlavorProgress progress) {
    @Nullable FlavorChoice best = null;
    @Nullable NoFitReason mildest = null;
    for (int offer = progress.from(place); offer < offers.size(); offer++) {
      FlavorChoice choice = examine(offers.get(offer).name(), asked);
      if (choice.reason() != null) {
        mildest = mildest == null ? choice.reason() : mildest.milder(choice.reason());
      }
      if (!choice.leadsOn(terms.spec().flavorFungibility())) {
        best = choice;
        if (offer < offers.size() - 1 && !needsNothing()) {
          next.put(place, offer + 1);
        }
        break;
      }
      if (choice.preferredTo(best, terms.spec().flavorFungibility())) {
        best = choice;
      }
    }
    if (best == null || best.mode() == FlavorMode.NO_FIT) {
      if (needsNothing()) {
        return;
      }
      fail(mildest == null ? NoFitReason.NO_MATCHING_FLAVOR : mildest);
      return;
    }
    mode = mode.worse(best.mode());
    borrowLevel = Math.max(borrowLevel, best.borrowLevel());
    for (String resource : asked.keySet()) {
      flavorOfResource.put(resource, best.flavor());
    }
  }

  private void fail(NoFitReason reason) {
    mode = FlavorMode.NO_FIT;
    failure = failure == null ? reason : failure.graver(reason);
  }

  private FlavorChoice examine(String name, Map<String, Long> asked) {
    ResourceFlavor flavor = terms.flavors().get(name);
    if (flavor == null) {
      obstacles.add("flavor " + name + " not found");
      return FlavorChoice.none(name, NoFitReason.NO_MATCHING_FLAVOR);
    }
    Optional<String> unsuitable = FlavorMatch.obstacle(podSet.constraints(), flavor);
    if (unsuitable.isPresent()) {
      obstacles.add(unsuitable.get());
      return FlavorChoice.none(name, NoFitReason.NO_MATCHING_FLAVOR);
    }
    @Nullable NoFitReason worst = null;
    Map<FlavorResource, Long> lacking = new TreeMap<>();
    int level = 0;
    for (Map.Entry<String, Long> entry : asked.entrySet()) {
      if (entry.getValue() == 0) {
        continue;
      }
      FlavorResource key = new FlavorResource(name, entry.getKey());
      long needed = Amounts.add(takenBefore.get(key), entry.getValue());
      if (needed <= terms.quota().available(terms.queue(), key)) {
        level = Math.max(level, terms.quota().borrowLevel(terms.queue(), key, needed));
        continue;
      }
      NoFitReason reason = lack(key, entry.getValue(), needed);
      if (reason == NoFitReason.WAITING_FOR_QUOTA && terms.maySimulate(key, needed)) {
        lacking.put(key, needed);
      } else {
        worst = worst == null ? reason : worst.graver(reason);
      }
    }
    if (worst != null) {
      return FlavorChoice.none(name, worst);
    }
    // Simulations are dear: only for a flavor that they can save.
    FlavorMode found = FlavorMode.FIT;
    for (Map.Entry<FlavorResource, Long> entry : lacking.entrySet()) {
      PreemptionOracle.Simulation simulation =
          terms.oracle().simulate(entry.getKey(), entry.getValue());
      found = found.worse(FlavorMode.of(simulation.possibility()));
      level = Math.max(level, simulation.borrowLevel());
    }
    return new FlavorChoice(name, found, level, null);
  }

  private NoFitReason lack(FlavorResource key, long asked, long needed) {
    long maximum = terms.quota().potentialAvailable(terms.queue(), key);
    if (needed > maximum) {
      obstacles.add(
          "insufficient quota for %s in flavor %s, previously considered podsets requests (%s) + current podset request (%s) > maximum capacity (%s)"
              .formatted(
                  key.resource(),
                  key.flavor(),
                  quantity(key, takenBefore.get(key)),
                  quantity(key, asked),
                  quantity(key, maximum)));
      return NoFitReason.EXCEEDS_MAX_QUOTA;
    }
    long missing = Amounts.subtract(needed, terms.quota().available(terms.queue(), key));
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

  /** What doesn't fit now of what this pod set and the earlier ones take. */
  void addContested(Set<FlavorResource> contested) {
    for (FlavorResource key : usage().asMap().keySet()) {
      long needed = Amounts.add(takenBefore.get(key), requests.get(key.resource()));
      if (needed > terms.quota().available(terms.queue(), key)) {
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
