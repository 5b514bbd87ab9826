// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apiguardian.api.API;

/** Finds the Workloads to preempt. A value; each search works on a copy of the usage. */
@API(status = API.Status.INTERNAL)
public final class TargetSearch {
  private final QuotaTree tree;
  private final QuotaHolders quotaHolders;
  private final PreemptionSettings settings;
  private final ToDoubleFunction<ObjectKey> usageOfLocalQueue;

  /**
   * A search in this quota.
   *
   * @param tree the quota and its usage
   * @param quotaHolders the Workloads behind that usage
   * @param usageOfLocalQueue under admission fair sharing; 0 where that is off
   */
  TargetSearch(
      QuotaTree tree,
      QuotaHolders quotaHolders,
      PreemptionSettings settings,
      ToDoubleFunction<ObjectKey> usageOfLocalQueue) {
    this.tree = tree;
    this.quotaHolders = quotaHolders;
    this.settings = settings;
    this.usageOfLocalQueue = usageOfLocalQueue;
  }

  /**
   * A minimal set of Workloads whose quota makes the preemptor fit; empty if there is none.
   *
   * @param policy of the preemptor's ClusterQueue
   */
  public List<Target> targets(Preemptor preemptor, ClusterQueuePreemption policy) {
    Policies policies = new Policies(policy, preemptor);
    if (!policies.preemptsWithin() && !policies.reclaims()) {
      return List.of();
    }
    Comparator<Candidate> order = new CandidateOrder(preemptor.clusterQueue(), usageOfLocalQueue);
    PreemptionSimulation preemptionSimulation = new PreemptionSimulation(tree, preemptor);
    return settings.fairSharing()
        ? new FairSharingPreemption(
                preemptor, policies, preemptionSimulation, quotaHolders, order, settings)
            .targets()
        : new ClassicalPreemption(preemptor, policies, preemptionSimulation, quotaHolders, order)
            .targets();
  }
}
