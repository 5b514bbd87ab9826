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
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
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

/** The quota that a ClusterQueue has a share in, as far as it could be read. */
final class SharedQuota {
  private final Surroundings around;
  private final ClusterQueue queue;

  SharedQuota(Surroundings around, ClusterQueue queue) {
    this.around = around;
    this.queue = queue;
  }

  /** Whether there is a Cohort whose other members must not be read. */
  boolean blind() {
    return queue.spec().cohortName() != null && around.relatives().isEmpty();
  }

  /** As if nobody used anything. */
  QuotaTree unused() {
    return tree(quota -> quota);
  }

  /** As if nobody used anything, and everybody could borrow all that is lent. */
  QuotaTree withoutBorrowingLimits() {
    return tree(quota -> new Quota(quota.nominal(), null, quota.lendingLimit()));
  }

  /** As if nobody used anything, and everything were lent and could be borrowed. */
  QuotaTree withoutLimits() {
    return tree(quota -> new Quota(quota.nominal(), null, null));
  }

  /** As it is. */
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

  /** Who holds quota of the tree, in this queue and in others. */
  List<Workload> holders() {
    QuotaTree tree = unused();
    List<String> relatives = tree.queuesUnder(tree.rootOf(name()));
    return Stream.concat(around.rivals().stream(), around.neighbours().stream())
        .filter(Phase::holdsQuota)
        .filter(
            holder -> {
              var admission = holder.status().admission();
              return admission != null && relatives.contains(admission.clusterQueue());
            })
        .toList();
  }

  /** Who was preempted for a Workload, by the latter's UID, and still holds quota. */
  List<Workload> preemptedFor(String uid) {
    return holders().stream()
        .filter(
            holder ->
                Conditions.find(holder.status().conditions(), WorkloadConditions.PREEMPTED)
                    .filter(Condition::isTrue)
                    .filter(preempted -> preempted.message().contains("UID: " + uid + ","))
                    .isPresent())
        .toList();
  }

  private String name() {
    return ObjectKey.of(queue).name();
  }

  private QuotaTree tree(UnaryOperator<Quota> as) {
    Stream<ClusterQueue> others =
        around.relatives().stream()
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
