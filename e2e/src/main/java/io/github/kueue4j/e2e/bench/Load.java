// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import io.github.kueue4j.api.Quantity;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The Workloads that arrive, by queue.
 *
 * @param cohorts kinds of Cohorts
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record Load(List<CohortKind> cohorts) {
  public Load {
    cohorts = List.copyOf(cohorts);
  }

  /**
   * Cohorts that are alike.
   *
   * @param name each gets a number after it
   * @param count how many there are
   */
  public record CohortKind(String name, int count, List<QueueKind> queues) {
    public CohortKind {
      queues = List.copyOf(queues);
    }
  }

  /**
   * ClusterQueues that are alike, in each cohort.
   *
   * @param name each gets a number after it
   * @param count how many there are in a cohort
   * @param nominalQuota CPUs
   * @param borrowingLimit CPUs; null for no limit
   * @param reclaimWithinCohort as in the API
   * @param withinClusterQueue as in the API
   */
  public record QueueKind(
      String name,
      int count,
      Quantity nominalQuota,
      @Nullable Quantity borrowingLimit,
      String reclaimWithinCohort,
      String withinClusterQueue,
      List<WorkloadKind> workloads) {
    public QueueKind {
      workloads = List.copyOf(workloads);
    }
  }

  /**
   * Workloads that are alike, in each queue.
   *
   * @param name their class in the report
   * @param count how many arrive at each queue
   * @param every the pause between two of them
   * @param cpu what each asks for
   * @param runtime how long each runs once it is admitted
   */
  public record WorkloadKind(
      String name, int count, Duration every, Quantity cpu, Duration runtime, int priority) {}

  /** How many Workloads there are in all. */
  public int size() {
    int size = 0;
    for (CohortKind cohort : cohorts) {
      for (QueueKind queue : cohort.queues()) {
        for (WorkloadKind workload : queue.workloads()) {
          size += cohort.count() * queue.count() * workload.count();
        }
      }
    }
    return size;
  }

  /**
   * The same queues with fewer or more Workloads, at the same pace; at least one of each kind.
   *
   * @param factor such as 0.1 for a tenth
   */
  public Load scaled(double factor) {
    return new Load(
        cohorts.stream()
            .map(
                cohort ->
                    new CohortKind(
                        cohort.name(),
                        cohort.count(),
                        cohort.queues().stream().map(queue -> scaled(queue, factor)).toList()))
            .toList());
  }

  private static QueueKind scaled(QueueKind queue, double factor) {
    return new QueueKind(
        queue.name(),
        queue.count(),
        queue.nominalQuota(),
        queue.borrowingLimit(),
        queue.reclaimWithinCohort(),
        queue.withinClusterQueue(),
        queue.workloads().stream()
            .map(
                kind ->
                    new WorkloadKind(
                        kind.name(),
                        (int) Math.max(1, Math.round(kind.count() * factor)),
                        kind.every(),
                        kind.cpu(),
                        kind.runtime(),
                        kind.priority()))
            .toList());
  }
}
