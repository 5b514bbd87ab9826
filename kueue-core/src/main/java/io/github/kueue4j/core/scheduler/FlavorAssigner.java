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

import io.github.kueue4j.api.BorrowWithinCohortPolicy;
import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.FlavorFungibility;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.ReclaimPolicy;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Assigns flavors to the pod sets of a Workload: per resource group the first flavor, in the
 * queue's order, that suits the pods and has quota for every resource of the group, or the best one
 * where {@code flavorFungibility} says to look further. Later pod sets count what earlier ones
 * took.
 *
 * <p>Where a flavor was taken at once although others are left, and nothing comes of it, the search
 * goes on with those: within the same cycle, so that no progress has to be remembered from one
 * cycle to the next and forgotten when it has grown old.
 */
@API(status = API.Status.INTERNAL)
public final class FlavorAssigner {
  private final Terms terms;

  /**
   * What an assignment depends on, apart from the Workload.
   *
   * @param queue name of the ClusterQueue
   * @param spec its rules
   * @param quota the quota of all and what is used of it
   * @param flavors the ResourceFlavors that exist, by name
   * @param oracle knows whom preemption could help against
   * @param fairSharing whether preemption goes by shares
   */
  record Terms(
      String queue,
      ClusterQueueSpec spec,
      QuotaView quota,
      Map<String, ResourceFlavor> flavors,
      PreemptionOracle oracle,
      boolean fairSharing) {

    /** Whether preemption could be permitted for this amount, whoever holds the quota. */
    boolean maySimulate(FlavorResource key, long amount) {
      return quota.subtreeQuota(NodeId.queue(queue), key) >= amount
          || quota.fitsBelowRoot(queue, key, amount)
          || mayPreemptWhileBorrowing();
    }

    private boolean mayPreemptWhileBorrowing() {
      ClusterQueuePreemption policies = spec.preemption();
      return !policies.borrowWithinCohort().policy().equals(BorrowWithinCohortPolicy.NEVER)
          || (fairSharing && !policies.reclaimWithinCohort().equals(ReclaimPolicy.NEVER));
    }
  }

  /**
   * An assigner for one ClusterQueue that asks nobody to give way.
   *
   * @param queue its name
   * @param spec its rules
   * @param quota the quota of all and what is used of it
   * @param flavors the ResourceFlavors that exist, by name
   */
  public FlavorAssigner(
      String queue, ClusterQueueSpec spec, QuotaView quota, Map<String, ResourceFlavor> flavors) {
    this(new Terms(queue, spec, quota, flavors, PreemptionOracle.never(), false));
  }

  private FlavorAssigner(Terms terms) {
    this.terms = terms;
  }

  /** The same with what feature gates say about flavors. */
  FlavorAssigner under(SchedulingGates gates) {
    return gates.flavorFungibility()
        ? this
        : new FlavorAssigner(
            new Terms(
                terms.queue(),
                terms.spec().withFlavorFungibility(FlavorFungibility.defaults()),
                terms.quota(),
                terms.flavors(),
                terms.oracle(),
                terms.fairSharing()));
  }

  /** The same, counting on preemption where that could help. */
  public FlavorAssigner preempting(PreemptionOracle oracle, boolean fairSharing) {
    return new FlavorAssigner(
        new Terms(
            terms.queue(), terms.spec(), terms.quota(), terms.flavors(), oracle, fairSharing));
  }

  /** Assigns all pod sets or none. */
  public Assignment assign(List<PodSetDemand> podSets) {
    return assign(podSets, FlavorProgress.none());
  }

  /**
   * Assigns all pod sets or none, going on with the flavors left as long as an assignment is of no
   * use.
   *
   * @param useful whether something comes of an assignment
   * @return the first useful assignment; if there is none, the first
   */
  public Assignment assign(List<PodSetDemand> podSets, Predicate<Assignment> useful) {
    Assignment first = assign(podSets);
    Assignment current = first;
    // Each turn looks at a new flavor of at least one search, so this many reach the last one.
    long turns =
        terms.spec().resourceGroups().stream().mapToLong(group -> group.flavors().size()).sum()
            * podSets.size();
    for (long turn = 0; turn <= turns; turn++) {
      if (useful.test(current)) {
        return current;
      }
      if (!current.progress().untried()) {
        return first;
      }
      current = assign(podSets, current.progress());
    }
    return first;
  }

  private Assignment assign(List<PodSetDemand> podSets, FlavorProgress progress) {
    List<PodSetAssignment> assigned = new ArrayList<>();
    List<String> messages = new ArrayList<>();
    Amounts<FlavorResource> taken = Amounts.none();
    Set<FlavorResource> contested = new TreeSet<>();
    Map<FlavorProgress.Place, Integer> next = new HashMap<>();
    FlavorMode mode = FlavorMode.FIT;
    int borrowLevel = 0;
    @Nullable NoFitReason worst = null;
    for (int number = 0; number < podSets.size(); number++) {
      FlavorSearch search = new FlavorSearch(terms, number, podSets.get(number), taken);
      search.run(progress);
      next.putAll(search.next());
      mode = mode.worse(search.mode());
      borrowLevel = Math.max(borrowLevel, search.borrowLevel());
      if (search.mode() != FlavorMode.FIT) {
        messages.add(search.message());
      }
      NoFitReason failure = search.failure();
      if (failure != null) {
        worst = worst == null ? failure : worst.graver(failure);
      } else {
        search.addContested(contested);
        taken = taken.plus(search.usage());
        assigned.add(search.assignment());
      }
    }
    String message = String.join("; ", messages);
    FlavorProgress reached = new FlavorProgress(next);
    return switch (mode) {
      case FIT -> new Assignment.Fits(assigned, taken, borrowLevel, reached);
      case PREEMPT, RECLAIM ->
          new Assignment.Preempts(
              assigned,
              taken,
              contested,
              mode == FlavorMode.RECLAIM,
              borrowLevel,
              message,
              reached);
      case NO_CANDIDATES ->
          new Assignment.NoFit(NoFitReason.WAITING_FOR_QUOTA, message, taken, borrowLevel, reached);
      case NO_FIT ->
          new Assignment.NoFit(
              worst == null ? NoFitReason.NO_MATCHING_FLAVOR : worst,
              message,
              Amounts.none(),
              0,
              reached);
    };
  }
}
