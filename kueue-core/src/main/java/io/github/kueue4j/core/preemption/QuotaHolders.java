// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import java.util.Collection;
import java.util.List;
import org.apiguardian.api.API;

/** The Workloads that hold quota, by ClusterQueue. */
@API(status = API.Status.INTERNAL)
@FunctionalInterface
public interface QuotaHolders {
  /** The Workloads that hold quota of a ClusterQueue, in any order; empty if it isn't known. */
  Collection<Candidate> of(String clusterQueue);

  /** No holders. */
  static QuotaHolders none() {
    return clusterQueue -> List.of();
  }
}
