// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
 * queue's order, that matches the pods and has quota for every resource of the group, or the best
 * one if {@code flavorFungibility} lets the search continue. Later pod sets count the quota that
 * earlier ones take.
 *
 * <p>If the search stopped at a flavor although others are left, and the assignment turns out to be
 * of no use, the search continues with the others within the same cycle. So no progress has to be
 * stored between cycles and invalidated.
 */
@API(status = API.Status.INTERNAL)
public final class FlavorAssigner {
  private final AssignmentInputs assignmentInputs;

  /**
   * The inputs of an assignment, apart from the Workload.
   *
   * @param queue name of the ClusterQueue
   * @param spec of the ClusterQueue
   * @param fungibility when to try the next flavor
   * @param quota the quota of all queues and its usage
   * @param flavors the ResourceFlavors that exist, by name
   * @param oracle tells what preemption could achieve
   * @param fairSharing whether preemption uses fair sharing
   */
  record AssignmentInputs(
      String queue,
      ClusterQueueSpec spec,
      FlavorFungibility fungibility,
      QuotaView quota,
      Map<String, ResourceFlavor> flavors,
      PreemptionOracle oracle,
      boolean fairSharing) {

    AssignmentInputs with(FlavorFungibility other) {
      return new AssignmentInputs(queue, spec, other, quota, flavors, oracle, fairSharing);
    }

    AssignmentInputs with(PreemptionOracle other, boolean fair) {
      return new AssignmentInputs(queue, spec, fungibility, quota, flavors, other, fair);
    }

    /**
     * Whether any preemption could be permitted for this amount, whichever Workloads hold the
     * quota.
     */
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
   * An assigner for one ClusterQueue, without preemption.
   *
   * @param queue name of the ClusterQueue
   * @param spec of the ClusterQueue
   * @param quota the quota of all queues and its usage
   * @param flavors the ResourceFlavors that exist, by name
   */
  public FlavorAssigner(
      String queue, ClusterQueueSpec spec, QuotaView quota, Map<String, ResourceFlavor> flavors) {
    this(
        new AssignmentInputs(
            queue,
            spec,
            spec.flavorFungibility(),
            quota,
            flavors,
            PreemptionOracle.never(),
            false));
  }

  private FlavorAssigner(AssignmentInputs assignmentInputs) {
    this.assignmentInputs = assignmentInputs;
  }

  /** This assigner with the feature gates that concern flavors. */
  FlavorAssigner withGates(SchedulingGates gates) {
    return gates.flavorFungibility()
        ? this
        : new FlavorAssigner(assignmentInputs.with(FlavorFungibility.defaults()));
  }

  /** This assigner with preemption, as the oracle permits it. */
  public FlavorAssigner withPreemption(PreemptionOracle oracle, boolean fairSharing) {
    return new FlavorAssigner(assignmentInputs.with(oracle, fairSharing));
  }

  /** Assigns flavors to all pod sets or to none. */
  public Assignment assign(List<PodSetDemand> podSets) {
    return assign(podSets, FlavorProgress.none());
  }

  /**
   * Assigns flavors to all pod sets or to none, and continues with the flavors left while an
   * assignment is of no use.
   *
   * @param useful whether an assignment leads to a reservation or a preemption
   * @return the first useful assignment; if there is none, the first
   */
  public Assignment assign(List<PodSetDemand> podSets, Predicate<Assignment> useful) {
    Assignment first = assign(podSets);
    Assignment current = first;
    // Each turn examines a new flavor in at least one search, so this many turns reach the last
    // one.
    long turns =
        assignmentInputs.spec().resourceGroups().stream()
                .mapToLong(group -> group.flavors().size())
                .sum()
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
    Map<FlavorProgress.SearchKey, Integer> next = new HashMap<>();
    FlavorMode mode = FlavorMode.FIT;
    int borrowLevel = 0;
    @Nullable NoFitReason worst = null;
    for (int number = 0; number < podSets.size(); number++) {
      FlavorSearch search = new FlavorSearch(assignmentInputs, number, podSets.get(number), taken);
      search.run(progress);
      next.putAll(search.next());
      mode = mode.worse(search.mode());
      borrowLevel = Math.max(borrowLevel, search.borrowLevel());
      if (search.mode() != FlavorMode.FIT) {
        messages.add(search.message());
      }
      NoFitReason failure = search.failure();
      if (failure != null) {
        worst = worst == null ? failure : worst.moreSevere(failure);
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
