// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
import io.github.kueue4j.core.testing.Candidates;
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

/** A builder of queues, cohorts and holders of CPUs for tests. */
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

  /** Adds a holder whose reservation is a second later than that of the one before. */
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
            Candidates.of(
                new ObjectKey("team", name),
                queue,
                priority,
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

  QuotaHolders holders() {
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

  /** The targets, as {@code name:Reason}. */
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

  /** A preemptor that is older than all holders of quota. */
  static Preemptor preemptor(String queue, int priority, long cpus) {
    return new Preemptor(queue, priority, Instant.EPOCH, Amounts.of(CPU, cpus), Set.of(CPU));
  }

  static ClusterQueuePreemption within(WithinClusterQueuePolicy policy) {
    return new ClusterQueuePreemption(ReclaimPolicy.NEVER, BorrowWithinCohort.never(), policy);
  }

  static ClusterQueuePreemption reclaim(ReclaimPolicy policy) {
    return reclaim(policy, WithinClusterQueuePolicy.NEVER);
  }

  static ClusterQueuePreemption reclaim(ReclaimPolicy policy, WithinClusterQueuePolicy within) {
    return new ClusterQueuePreemption(policy, BorrowWithinCohort.never(), within);
  }

  static ClusterQueuePreemption borrow(@Nullable Integer threshold) {
    return new ClusterQueuePreemption(
        ReclaimPolicy.ANY,
        new BorrowWithinCohort(BorrowWithinCohortPolicy.LOWER_PRIORITY, threshold),
        WithinClusterQueuePolicy.NEVER);
  }

  /** The names of the candidates that meet a condition. */
  Set<String> names(Predicate<Candidate> condition) {
    return holders.values().stream()
        .flatMap(List::stream)
        .filter(condition)
        .map(candidate -> candidate.key().name())
        .collect(Collectors.toUnmodifiableSet());
  }
}
