// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.quota.AdmittedUsage;
import io.github.kueue4j.core.quota.CohortQuotas;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The quota tree that a ClusterQueue belongs to. */
final class SharedQuota {
  private final ExplainInput around;
  private final ClusterQueue queue;

  SharedQuota(ExplainInput around, ClusterQueue queue) {
    this.around = around;
    this.queue = queue;
  }

  /** The tree without usage. */
  QuotaTree unused() {
    return tree(quota -> quota);
  }

  /** The tree without usage and without borrowing limits. */
  QuotaTree withoutBorrowingLimits() {
    return tree(quota -> new Quota(quota.nominal(), null, quota.lendingLimit()));
  }

  /** The tree without usage and without borrowing and lending limits. */
  QuotaTree withoutLimits() {
    return tree(quota -> new Quota(quota.nominal(), null, null));
  }

  /** The tree with the current usage. */
  QuotaTree used() {
    QuotaTree tree = unused();
    for (Workload holder : holders()) {
      var admission = holder.status().admission();
      if (admission != null) {
        tree = tree.reserve(admission.clusterQueue(), AdmittedUsage.of(holder));
      }
    }
    return tree;
  }

  /** The Workloads that hold quota of the tree. */
  List<Workload> holders() {
    QuotaTree tree = unused();
    List<String> relatives = tree.queuesUnder(tree.rootOf(name()));
    return Stream.concat(around.sameQueueWorkloads().stream(), around.cohortHolders().stream())
        .filter(Phase::holdsQuota)
        .filter(
            holder -> {
              var admission = holder.status().admission();
              return admission != null && relatives.contains(admission.clusterQueue());
            })
        .toList();
  }

  /** The Workloads that were preempted for the Workload of this UID and still hold quota. */
  List<Workload> preemptedFor(String uid) {
    return holders().stream()
        .filter(
            holder ->
                holder
                    .conditions()
                    .findTrue(WorkloadConditions.PREEMPTED)
                    .filter(preempted -> preempted.message().contains("UID: " + uid + ","))
                    .isPresent())
        .toList();
  }

  private String name() {
    return ObjectKey.of(queue).name();
  }

  private QuotaTree tree(UnaryOperator<Quota> as) {
    Stream<ClusterQueue> others =
        around.clusterQueues().stream()
            .filter(relative -> !ObjectKey.of(relative).equals(ObjectKey.of(queue)));
    return QuotaTree.of(
        around.cohorts().entrySet().stream()
            .map(cohort -> CohortQuotas.of(cohort.getKey(), cohort.getValue().spec()))
            .map(
                cohort ->
                    new CohortQuotas(
                        cohort.name(), cohort.parent(), each(cohort.quotas(), as), cohort.weight()))
            .toList(),
        Stream.concat(Stream.of(queue), others)
            .map(member -> QueueQuotas.of(ObjectKey.of(member).name(), member.spec()))
            .map(
                member ->
                    new QueueQuotas(
                        member.name(), member.cohort(), each(member.quotas(), as), member.weight()))
            .toList());
  }

  private static Map<FlavorResource, Quota> each(
      Map<FlavorResource, Quota> quotas, UnaryOperator<Quota> as) {
    Map<FlavorResource, Quota> changed = new HashMap<>(quotas);
    changed.replaceAll((key, quota) -> as.apply(quota));
    return changed;
  }
}
