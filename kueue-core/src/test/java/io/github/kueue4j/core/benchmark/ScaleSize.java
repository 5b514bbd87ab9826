// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many Workloads wait, with a ClusterQueue for every 100 of them and a Cohort for every five
 * ClusterQueues. The Cohorts form binary trees, so that a whole tree has five levels.
 *
 * @param waiting how many Workloads wait
 * @param cohortsOfATree how many Cohorts have the same root; 20 are five levels
 */
record ScaleSize(int waiting, int cohortsOfATree) {
  private static final int WAITING_IN_A_QUEUE = 100;
  private static final int QUEUES_OF_A_COHORT = 5;

  /** Workloads of a queue that hold quota, each a core. */
  static final int CORES_OF_A_QUEUE = 10;

  int queues() {
    return Math.max(1, waiting / WAITING_IN_A_QUEUE);
  }

  int cohorts() {
    return Math.max(1, queues() / QUEUES_OF_A_COHORT);
  }

  int roots() {
    return (cohorts() + cohortsOfATree - 1) / cohortsOfATree;
  }

  int cohortOf(int queue) {
    return queue % cohorts();
  }

  int rootOf(int queue) {
    return cohortOf(queue) / cohortsOfATree;
  }

  /** The number of a Cohort's parent; null if it is a root. */
  @Nullable Integer parentOf(int cohort) {
    int place = cohort % cohortsOfATree;
    return place == 0 ? null : cohort - place + (place - 1) / 2;
  }

  /** The levels of the deepest tree. */
  int levels() {
    int deepest = 0;
    for (int cohort = 0; cohort < cohorts(); cohort++) {
      List<Integer> path = new ArrayList<>();
      for (Integer at = cohort; at != null; at = parentOf(at)) {
        path.add(at);
      }
      deepest = Math.max(deepest, path.size());
    }
    return deepest;
  }
}
