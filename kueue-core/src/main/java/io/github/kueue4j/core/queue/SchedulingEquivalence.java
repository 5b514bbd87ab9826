// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The shape of a waiting Workload: everything that decides whether it fits. If one Workload of a
 * shape is refused, so are all of equal shape. The hash is computed once, because shapes are looked
 * up far more often than created.
 */
@API(status = API.Status.INTERNAL)
public final class SchedulingEquivalence {
  private final String namespace;
  private final int priority;
  private final List<PodSetDemand> podSets;
  private final boolean preemptionSuspended;
  private final int hash;

  SchedulingEquivalence(String namespace, int priority, List<PodSetDemand> podSets) {
    this(namespace, priority, podSets, false);
  }

  private SchedulingEquivalence(
      String namespace, int priority, List<PodSetDemand> podSets, boolean preemptionSuspended) {
    this.namespace = namespace;
    this.priority = priority;
    this.podSets = List.copyOf(podSets);
    this.preemptionSuspended = preemptionSuspended;
    this.hash =
        ((namespace.hashCode() * 31 + priority) * 31 + this.podSets.hashCode()) * 31
            + Boolean.hashCode(preemptionSuspended);
  }

  /** These requirements with preemption suspended. */
  SchedulingEquivalence withoutPreemption() {
    return new SchedulingEquivalence(namespace, priority, podSets, true);
  }

  boolean preemptionSuspended() {
    return preemptionSuspended;
  }

  int priority() {
    return priority;
  }

  List<PodSetDemand> podSets() {
    return podSets;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof SchedulingEquivalence schedulingEquivalence
            && hash == schedulingEquivalence.hash
            && priority == schedulingEquivalence.priority
            && preemptionSuspended == schedulingEquivalence.preemptionSuspended
            && namespace.equals(schedulingEquivalence.namespace)
            && podSets.equals(schedulingEquivalence.podSets));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
