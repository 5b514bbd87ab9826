// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import java.time.Instant;
import java.util.List;

/** Where the demo shows the Workloads while it runs. */
sealed interface Screen permits LiveTable, ChangeLog {

  /**
   * Shows the newest state.
   *
   * @param now the cluster's time
   * @param lines every Workload, sorted
   */
  void show(Instant now, List<WorkloadLine> lines);

  /** Prints one sentence about the run itself, such as a restart. */
  void note(Instant now, String sentence);
}
