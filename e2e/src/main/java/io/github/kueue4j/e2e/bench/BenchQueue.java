// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * One ClusterQueue of a load.
 *
 * @param cohort the name of its Cohort
 * @param name its own name
 */
record BenchQueue(String cohort, String name, Load.QueueKind kind) {

  /** All ClusterQueues of a load. */
  static List<BenchQueue> of(Load load) {
    List<BenchQueue> queues = new ArrayList<>();
    for (Load.CohortKind cohorts : load.cohorts()) {
      for (int c = 0; c < cohorts.count(); c++) {
        String cohort = cohorts.name() + "-" + c;
        for (Load.QueueKind kind : cohorts.queues()) {
          for (int q = 0; q < kind.count(); q++) {
            queues.add(new BenchQueue(cohort, cohort + "-" + kind.name() + "-" + q, kind));
          }
        }
      }
    }
    return queues;
  }
}
