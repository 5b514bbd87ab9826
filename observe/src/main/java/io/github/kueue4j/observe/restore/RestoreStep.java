// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.restore;

import io.github.kueue4j.api.Workload;
import org.jspecify.annotations.Nullable;

/** The step that is due for one Workload of a backup. */
sealed interface RestoreStep {
  /**
   * The Workload is to be in the cluster.
   *
   * @param outcome what it will do then
   * @param target the Workload as it is to be
   * @param present the Workload of the same name as it is; null if it is to be created
   * @param stale the Workload that belongs to the Job of this name that was lost; null if it is
   *     gone, too
   */
  record Put(
      RestoredWorkload.RestoreOutcome outcome,
      Workload target,
      @Nullable Workload present,
      @Nullable Workload stale)
      implements RestoreStep {}

  /** There is nothing left that could wait or run. */
  record NotNeeded(String why) implements RestoreStep {}

  /** It can't be restored. */
  record Unrestorable(String why) implements RestoreStep {}
}
