// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a Job, by the counts of its status.
 *
 * @param counted the unit of the counts: {@code pods}, or {@code Jobs} for a kind that consists of
 *     Jobs; empty for a kind whose status has no counts
 * @param active the number that have not ended
 * @param ready how many of those are ready; null if unknown
 * @param terminating the number of terminating pods; null if unknown
 */
@API(status = API.Status.INTERNAL)
public record JobProgress(
    String counted, int active, @Nullable Integer ready, @Nullable Integer terminating) {

  /** The number of active ones that aren't ready; 0 if unknown. */
  public int unready() {
    return ready == null ? 0 : Math.max(0, active - ready);
  }
}
