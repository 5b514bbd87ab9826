// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.core.quota.Amounts;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Waiting Workloads that are ordered by priority and age among themselves, by shape. */
final class Lane {
  private final Map<SchedulingEquivalence, NavigableSet<QueuedWorkload>> byEquivalence =
      new HashMap<>();

  /** The first Workload of every shape, by place. */
  private final Map<Standing, NavigableSet<QueuedWorkload>> heads = new EnumMap<>(Standing.class);

  Lane() {
    for (Standing standing : Standing.values()) {
      heads.put(standing, new TreeSet<>());
    }
  }

  @Nullable QueuedWorkload first(Standing standing) {
    NavigableSet<QueuedWorkload> firsts = heads(standing);
    return firsts.isEmpty() ? null : firsts.first();
  }

  private NavigableSet<QueuedWorkload> heads(Standing standing) {
    return Objects.requireNonNull(heads.get(standing));
  }

  NavigableSet<QueuedWorkload> equivalents(SchedulingEquivalence schedulingEquivalence) {
    return byEquivalence.getOrDefault(schedulingEquivalence, Collections.emptyNavigableSet());
  }

  void add(QueuedWorkload workload, Standing standing) {
    NavigableSet<QueuedWorkload> equivalent =
        byEquivalence.computeIfAbsent(
            workload.equivalence(), schedulingEquivalence -> new TreeSet<>());
    withdrawHead(equivalent, standing);
    equivalent.add(workload);
    heads(standing).add(equivalent.first());
  }

  void remove(QueuedWorkload workload, Standing standing) {
    NavigableSet<QueuedWorkload> equivalent = equivalents(workload.equivalence());
    withdrawHead(equivalent, standing);
    equivalent.remove(workload);
    if (equivalent.isEmpty()) {
      byEquivalence.remove(workload.equivalence());
    } else {
      heads(standing).add(equivalent.first());
    }
  }

  void move(SchedulingEquivalence schedulingEquivalence, Standing from, Standing to) {
    NavigableSet<QueuedWorkload> equivalent = equivalents(schedulingEquivalence);
    if (!equivalent.isEmpty()) {
      withdrawHead(equivalent, from);
      heads(to).add(equivalent.first());
    }
  }

  private void withdrawHead(NavigableSet<QueuedWorkload> equivalent, Standing standing) {
    if (!equivalent.isEmpty()) {
      heads(standing).remove(equivalent.first());
    }
  }

  boolean isEmpty() {
    return byEquivalence.isEmpty();
  }

  /** Whether a Workload of this standing other than {@code workload} is the first of its shape. */
  boolean hasFirstBeside(QueuedWorkload workload, Standing standing) {
    return heads(standing).stream().anyMatch(first -> !first.equals(workload));
  }

  /** The sum of all requests; takes time in proportion to the number of shapes. */
  Amounts<String> requests() {
    Amounts<String> sum = Amounts.none();
    for (Map.Entry<SchedulingEquivalence, NavigableSet<QueuedWorkload>> equivalent :
        byEquivalence.entrySet()) {
      for (PodSetDemand podSet : equivalent.getKey().podSets()) {
        sum = sum.plus(podSet.perPod().times(podSet.count()).times(equivalent.getValue().size()));
      }
    }
    return sum;
  }
}
