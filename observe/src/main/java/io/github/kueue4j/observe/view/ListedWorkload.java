// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Phase;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.Optional;

/**
 * A Workload with what it is selected and ordered by.
 *
 * @param clusterQueue whose quota it holds or would get; empty if there is none
 * @param place in its ClusterQueue; the largest number while it doesn't wait there
 */
record ListedWorkload(
    Workload workload, ObjectKey key, Phase phase, String clusterQueue, int place) {
  static final Comparator<ListedWorkload> ORDER =
      Comparator.comparing(ListedWorkload::clusterQueue)
          .thenComparingInt(ListedWorkload::place)
          .thenComparing(ListedWorkload::phase, Comparator.reverseOrder())
          .thenComparing(ListedWorkload::created, Comparator.reverseOrder())
          .thenComparing(ListedWorkload::key);

  private static Instant created(ListedWorkload listed) {
    return Optional.ofNullable(listed.workload().metadata().getCreationTimestamp())
        .map(OffsetDateTime::toInstant)
        .orElse(Instant.EPOCH);
  }
}
