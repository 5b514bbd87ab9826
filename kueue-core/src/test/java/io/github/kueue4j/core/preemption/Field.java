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
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.api.BorrowWithinCohort;
import io.github.kueue4j.api.BorrowWithinCohortPolicy;
import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ReclaimPolicy;
import io.github.kueue4j.api.WithinClusterQueuePolicy;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.CohortQuotas;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.quota.Quota;
import io.github.kueue4j.core.quota.QuotaTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Queues, cohorts and who holds how many CPUs, in a few words. */
final class Field {
  static final FlavorResource CPU = new FlavorResource("default", "cpu");

  private final List<CohortQuotas> cohorts = new ArrayList<>();
  private final List<QueueQuotas> queues = new ArrayList<>();
  private final Map<String, List<Candidate>> holders = new HashMap<>();

  Field cohort(String name, @Nullable String parent, long nominal) {
    cohorts.add(new CohortQuotas(name, parent, Map.of(CPU, new Quota(nominal, null, null)), 1));
    return this;
  }

  Field queue(String name, @Nullable String cohort, long nominal) {
    return queue(name, cohort, new Quota(nominal, null, null), 1);
  }

  Field queue(String name, @Nullable String cohort, Quota quota, double weight) {
    queues.add(new QueueQuotas(name, cohort, Map.of(CPU, quota), weight));
    return this;
  }

  /** Each one a second younger than those before it. */
  Field holds(String queue, String name, int priority, long cpus) {
    return holds(queue, name, priority, cpus, false);
  }

  Field evicted(String queue, String name, int priority, long cpus) {
    return holds(queue, name, priority, cpus, true);
  }

  private Field holds(String queue, String name, int priority, long cpus, boolean evicted) {
    Instant since =
        Instant.ofEpochSecond(1 + holders.values().stream().mapToLong(Collection::size).sum());
    holders
        .computeIfAbsent(queue, key -> new ArrayList<>())
        .add(
            new Candidate(
                new ObjectKey("team", name),
                name,
                queue,
                new ObjectKey("team", "lq"),
                priority,
                since,
                since,
                Amounts.of(CPU, cpus),
                evicted));
    return this;
  }

  Candidate candidate(String name) {
    return holders.values().stream()
        .flatMap(List::stream)
        .filter(candidate -> candidate.key().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  Holders holders() {
    return queue -> holders.getOrDefault(queue, List.of());
  }

  QuotaTree tree() {
    QuotaTree tree = QuotaTree.of(cohorts, queues);
    for (List<Candidate> of : holders.values()) {
      for (Candidate candidate : of) {
        tree = tree.reserve(candidate.clusterQueue(), candidate.usage());
      }
    }
    return tree;
  }

  /** Who is preempted, as {@code name:Reason}. */
  List<String> preempts(
      PreemptionSettings settings,
      ClusterQueuePreemption policy,
      String queue,
      int priority,
      long cpus) {
    return search(settings).targets(preemptor(queue, priority, cpus), policy).stream()
        .map(target -> target.candidate().key().name() + ":" + target.reason().conditionReason())
        .toList();
  }

  TargetSearch search(PreemptionSettings settings) {
    return new TargetSearch(tree(), holders(), settings, localQueue -> 0);
  }

  /** Older than everybody who holds quota. */
  static Preemptor preemptor(String queue, int priority, long cpus) {
    return new Preemptor(
        queue,
        new ObjectKey("team", "lq"),
        priority,
        Instant.EPOCH,
        Amounts.of(CPU, cpus),
        Set.of(CPU));
  }

  static ClusterQueuePreemption within(WithinClusterQueuePolicy policy) {
    return ClusterQueuePreemption.never().withWithinClusterQueue(policy);
  }

  static ClusterQueuePreemption reclaim(ReclaimPolicy policy) {
    return ClusterQueuePreemption.never().withReclaimWithinCohort(policy);
  }

  static ClusterQueuePreemption borrow(@Nullable Integer threshold) {
    return reclaim(ReclaimPolicy.ANY)
        .withBorrowWithinCohort(
            new BorrowWithinCohort(BorrowWithinCohortPolicy.LOWER_PRIORITY, threshold));
  }

  /** The names of the candidates for which something holds. */
  Set<String> names(Predicate<Candidate> condition) {
    return holders.values().stream()
        .flatMap(List::stream)
        .filter(condition)
        .map(candidate -> candidate.key().name())
        .collect(Collectors.toUnmodifiableSet());
  }
}
