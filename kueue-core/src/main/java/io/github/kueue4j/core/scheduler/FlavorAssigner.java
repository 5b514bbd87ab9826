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
import io.github.kueue4j.core.quota.QuotaView;
import io.github.kueue4j.core.quota.ResourceUnits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Assigns flavors to the pod sets of a Workload: per resource group the first flavor, in the
 * queue's order, that suits the pods and has quota left for every resource of the group. Later pod
 * sets count what earlier ones took.
 */
@API(status = API.Status.INTERNAL)
public final class FlavorAssigner {
  private final List<ResourceGroup> groups;
  private final QuotaView quota;
  private final String queue;
  private final Map<String, ResourceFlavor> flavors;

  /**
   * An assigner for one ClusterQueue.
   *
   * @param queue its name
   * @param groups its resource groups
   * @param quota the quota and usage of all
   * @param flavors the ResourceFlavors that exist
   */
  public FlavorAssigner(
      String queue,
      List<ResourceGroup> groups,
      QuotaView quota,
      Map<String, ResourceFlavor> flavors) {
    this.queue = queue;
    this.groups = groups;
    this.quota = quota;
    this.flavors = flavors;
  }

  /** Assigns all pod sets or none. */
  public Assignment assign(List<PodSetDemand> podSets) {
    List<PodSetAssignment> assigned = new ArrayList<>();
    List<String> messages = new ArrayList<>();
    Amounts<FlavorResource> taken = Amounts.none();
    @Nullable NoFitReason worst = null;
    for (PodSetDemand podSet : podSets) {
      PodSetSearch search = new PodSetSearch(podSet, totalRequests(podSet), taken);
      search.run();
      if (search.failure == null) {
        taken = taken.plus(search.usage());
        assigned.add(search.assignment());
      } else {
        worst = worst == null ? search.failure : worst.graver(search.failure);
        messages.add(
            "couldn't assign flavors to pod set "
                + podSet.name()
                + ": "
                + String.join(", ", search.obstacles));
      }
    }
    return worst == null
        ? new Assignment.Fits(assigned, taken)
        : new Assignment.NoFit(worst, String.join("; ", messages));
  }

  private Amounts<String> totalRequests(PodSetDemand podSet) {
    Amounts<String> total = podSet.perPod().times(podSet.count());
    return groupOf(ResourceUnits.PODS).isPresent()
        ? total.with(ResourceUnits.PODS, podSet.count())
        : total;
  }

  private Optional<ResourceGroup> groupOf(String resource) {
    return groups.stream().filter(group -> group.coveredResources().contains(resource)).findFirst();
  }

  /** The search for flavors for one pod set. */
  private final class PodSetSearch {
    private final PodSetDemand podSet;
    private final Amounts<String> requests;
    private final Amounts<FlavorResource> takenBefore;
    private final Map<String, String> flavorOfResource = new TreeMap<>();
    private final SortedSet<String> obstacles = new TreeSet<>();
    private @Nullable NoFitReason failure;

    PodSetSearch(
        PodSetDemand podSet, Amounts<String> requests, Amounts<FlavorResource> takenBefore) {
      this.podSet = podSet;
      this.requests = requests;
      this.takenBefore = takenBefore;
    }

    void run() {
      for (String resource : requests.asMap().keySet()) {
        if (groupOf(resource).isEmpty()) {
          fail(NoFitReason.NO_MATCHING_FLAVOR);
          obstacles.add("resource " + resource + " unavailable in ClusterQueue");
        }
      }
      for (ResourceGroup group : groups) {
        Map<String, Long> asked = new TreeMap<>(requests.asMap());
        // Declared but unasked resources get a flavor too when the pods name them with 0; those
        // amounts are not stored, so only positive requests lead to an assignment.
        asked.keySet().retainAll(group.coveredResources());
        if (!asked.isEmpty()) {
          assignGroup(group, asked);
        }
      }
    }

    private void assignGroup(ResourceGroup group, Map<String, Long> asked) {
      @Nullable NoFitReason mildest = null;
      for (FlavorQuotas candidate : group.flavors()) {
        Optional<NoFitReason> problem = problemWith(candidate.name(), asked);
        if (problem.isEmpty()) {
          asked.keySet().forEach(resource -> flavorOfResource.put(resource, candidate.name()));
          return;
        }
        mildest = mildest == null ? problem.get() : mildest.milder(problem.get());
      }
      fail(mildest == null ? NoFitReason.NO_MATCHING_FLAVOR : mildest);
    }

    private Optional<NoFitReason> problemWith(String name, Map<String, Long> asked) {
      ResourceFlavor flavor = flavors.get(name);
      if (flavor == null) {
        obstacles.add("flavor " + name + " not found");
        return Optional.of(NoFitReason.NO_MATCHING_FLAVOR);
      }
      Optional<String> obstacle = FlavorMatch.obstacle(podSet.constraints(), flavor);
      if (obstacle.isPresent()) {
        obstacles.add(obstacle.get());
        return Optional.of(NoFitReason.NO_MATCHING_FLAVOR);
      }
      @Nullable NoFitReason worst = null;
      for (Map.Entry<String, Long> entry : asked.entrySet()) {
        Optional<NoFitReason> problem =
            problemWith(new FlavorResource(name, entry.getKey()), entry.getValue());
        if (problem.isPresent()) {
          worst = worst == null ? problem.get() : worst.graver(problem.get());
        }
      }
      return Optional.ofNullable(worst);
    }

    private Optional<NoFitReason> problemWith(FlavorResource key, long asked) {
      long before = takenBefore.get(key);
      long needed = Amounts.add(before, asked);
      long maximum = quota.potentialAvailable(queue, key);
      if (needed > maximum) {
        obstacles.add(
            "insufficient quota for %s in flavor %s, previously considered podsets requests (%s) + current podset request (%s) > maximum capacity (%s)"
                .formatted(
                    key.resource(),
                    key.flavor(),
                    quantity(key, before),
                    quantity(key, asked),
                    quantity(key, maximum)));
        return Optional.of(NoFitReason.EXCEEDS_MAX_QUOTA);
      }
      long missing = Amounts.subtract(needed, quota.available(queue, key));
      if (missing > 0) {
        obstacles.add(
            "insufficient unused quota for %s in flavor %s, %s more needed"
                .formatted(key.resource(), key.flavor(), quantity(key, missing)));
        return Optional.of(NoFitReason.WAITING_FOR_QUOTA);
      }
      return Optional.empty();
    }

    private void fail(NoFitReason reason) {
      failure = failure == null ? reason : failure.graver(reason);
    }

    Amounts<FlavorResource> usage() {
      Map<FlavorResource, Long> usage = new TreeMap<>();
      flavorOfResource.forEach(
          (resource, flavor) ->
              usage.put(new FlavorResource(flavor, resource), requests.get(resource)));
      return Amounts.of(usage);
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
}
