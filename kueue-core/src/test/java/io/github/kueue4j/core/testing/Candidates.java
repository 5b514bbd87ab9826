// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.testing;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import java.time.Instant;

/** Workloads that hold quota, as preemption sees them. */
public final class Candidates {
  private Candidates() {}

  /** A Workload that asked for its quota and got it at the same time, by the LocalQueue lq. */
  public static Candidate of(
      ObjectKey key,
      String clusterQueue,
      int priority,
      Instant since,
      Amounts<FlavorResource> usage) {
    return of(key, clusterQueue, priority, since, usage, false);
  }

  /**
   * The same, which may be leaving.
   *
   * @param evicted whether it is being evicted already
   */
  public static Candidate of(
      ObjectKey key,
      String clusterQueue,
      int priority,
      Instant since,
      Amounts<FlavorResource> usage,
      boolean evicted) {
    return new Candidate(
        key,
        "uid-" + key.name(),
        clusterQueue,
        new ObjectKey(key.namespace(), "lq"),
        priority,
        since,
        since,
        usage,
        evicted);
  }
}
