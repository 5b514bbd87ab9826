// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The limit {@code spec.maximumExecutionTimeSeconds}: the time in Admitted, over all admissions.
 */
final class ExecutionTime {
  private ExecutionTime() {}

  static @Nullable ProposedWrite exceeded(SituationView view) {
    Integer maximum = view.workload().spec().maximumExecutionTimeSeconds();
    Instant due = due(view);
    return maximum == null || due == null || view.now().isBefore(due)
        ? null
        : Deactivation.exceedLimit(view, ExceededLimit.executionTime(Duration.ofSeconds(maximum)));
  }

  /** When the limit is reached; null if the Workload isn't admitted or has no limit. */
  static @Nullable Instant due(SituationView view) {
    Integer maximum = view.workload().spec().maximumExecutionTimeSeconds();
    Instant since = view.admittedSince();
    if (maximum == null || since == null || view.phase() != Phase.ADMITTED) {
      return null;
    }
    Integer past = view.workload().status().accumulatedPastExecutionTimeSeconds();
    return since.plusSeconds((long) maximum - (past == null ? 0 : Math.max(0, past)));
  }
}
