// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The request of a workload.
 *
 * @param podSets 1 to 18 groups of identical pods, keyed by name
 * @param queueName the LocalQueue in the workload's namespace; absent means not queued
 * @param priorityClassRef the source of the priority
 * @param priority the higher precedes; absent counts as 0
 * @param active false deactivates the workload: it is evicted and not queued; absent is true
 * @param maximumExecutionTimeSeconds at least 1; seconds in Admitted, summed over all admissions,
 *     after which the workload is deactivated; absent is unlimited
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WorkloadSpec(
    List<PodSet> podSets,
    @Nullable String queueName,
    @Nullable PriorityClassRef priorityClassRef,
    @Nullable Integer priority,
    Boolean active,
    @Nullable Integer maximumExecutionTimeSeconds) {
  public WorkloadSpec {
    podSets = Lenient.list(podSets);
    active = active == null ? Boolean.TRUE : active;
  }

  /** The spec of an object that says nothing: every field absent or at its default. */
  public static WorkloadSpec empty() {
    return new WorkloadSpec(List.of(), null, null, null, Boolean.TRUE, null);
  }

  /** A copy with another {@code podSets}. */
  public WorkloadSpec withPodSets(List<PodSet> podSets) {
    return new WorkloadSpec(
        podSets, queueName, priorityClassRef, priority, active, maximumExecutionTimeSeconds);
  }

  /** A copy with another {@code queueName}. */
  public WorkloadSpec withQueueName(@Nullable String queueName) {
    return new WorkloadSpec(
        podSets, queueName, priorityClassRef, priority, active, maximumExecutionTimeSeconds);
  }

  /** A copy with another {@code priorityClassRef}. */
  public WorkloadSpec withPriorityClassRef(@Nullable PriorityClassRef priorityClassRef) {
    return new WorkloadSpec(
        podSets, queueName, priorityClassRef, priority, active, maximumExecutionTimeSeconds);
  }

  /** A copy with another {@code priority}. */
  public WorkloadSpec withPriority(@Nullable Integer priority) {
    return new WorkloadSpec(
        podSets, queueName, priorityClassRef, priority, active, maximumExecutionTimeSeconds);
  }

  /** A copy with another {@code active}. */
  public WorkloadSpec withActive(Boolean active) {
    return new WorkloadSpec(
        podSets, queueName, priorityClassRef, priority, active, maximumExecutionTimeSeconds);
  }

  /** A copy with another {@code maximumExecutionTimeSeconds}. */
  public WorkloadSpec withMaximumExecutionTimeSeconds(
      @Nullable Integer maximumExecutionTimeSeconds) {
    return new WorkloadSpec(
        podSets, queueName, priorityClassRef, priority, active, maximumExecutionTimeSeconds);
  }
}
