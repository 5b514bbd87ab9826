// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.simulation;

import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.CohortQuotas;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The CPUs that each Workload holds, counted independently of the State. */
final class QuotaAudit {
  static final FlavorResource CPU = new FlavorResource("default", "cpu");

  private final List<CohortQuotas> cohorts = new ArrayList<>();
  private final List<QueueQuotas> queues = new ArrayList<>();
  private final Map<String, Integer> held = new HashMap<>();
  private QuotaTree tree = QuotaTree.empty();

  void cohort(CohortQuotas quotas) {
    cohorts.add(quotas);
    tree = tree.withQuotas(cohorts, queues);
  }

  void queue(QueueQuotas quotas) {
    queues.add(quotas);
    tree = tree.withQuotas(cohorts, queues);
  }

  /** CPUs that a ClusterQueue's Workloads hold. */
  int held(String queue) {
    return held.getOrDefault(queue, 0);
  }

  /**
   * A Workload has got quota.
   *
   * @throws IllegalStateException there is not that much
   */
  void takes(String queue, int cpus) {
    tree = tree.reserve(queue, milli(cpus));
    held.merge(queue, cpus, Integer::sum);
    for (QueueQuotas each : queues) {
      if (tree.exceeded(each.name())) {
        throw new IllegalStateException(
            "after " + queue + " gave away " + cpus + " CPUs, " + each.name() + " exceeds its own");
      }
    }
    NodeId root = tree.rootOf(queue);
    if (tree.usage(root, CPU) > tree.subtreeQuota(root, CPU)) {
      throw new IllegalStateException("more is used than " + root + " has");
    }
  }

  /** A Workload has given its quota back. */
  void returns(String queue, int cpus) {
    tree = tree.release(queue, milli(cpus));
    held.merge(queue, -cpus, Integer::sum);
  }

  private static Amounts<FlavorResource> milli(int cpus) {
    return Amounts.of(CPU, cpus * 1000L);
  }
}
