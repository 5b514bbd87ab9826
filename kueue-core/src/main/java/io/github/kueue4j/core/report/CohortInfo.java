// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.cache.CoreInformers;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The tree of ClusterQueues and Cohorts, as the labels of series that are computed at each scrape.
 * Micrometer has no meter of this kind, so that this one is registered with Prometheus.
 *
 * @param caches of the objects
 * @param role of this replica
 */
@API(status = API.Status.INTERNAL)
public record CohortInfo(CoreInformers caches, String role) implements MultiCollector {
  private static final String CLUSTER_QUEUES = "kueue.cluster.queue.info";
  private static final String COHORTS = "kueue.cohort.info";

  @Override
  public MetricSnapshots collect() {
    Set<String> cohorts = new TreeSet<>();
    for (Cohort cohort : caches.cohorts().list()) {
      String name = ObjectKey.of(cohort).name();
      cohorts.add(name);
      cohorts.addAll(above(name));
    }
    InfoSnapshot.Builder queues = metric(CLUSTER_QUEUES, "The Cohorts above a ClusterQueue");
    for (ClusterQueue queue : caches.clusterQueues().list()) {
      String name = ObjectKey.of(queue).name();
      List<String> above = caches.cohortsAbove(name);
      cohorts.addAll(above);
      queues.dataPoint(point("cluster_queue", name, above, ""));
    }
    InfoSnapshot.Builder parents = metric(COHORTS, "The Cohorts above a Cohort");
    for (String cohort : cohorts) {
      parents.dataPoint(point("cohort", cohort, above(cohort), cohort));
    }
    return MetricSnapshots.of(queues.build(), parents.build());
  }

  /** The registry adds the suffix. */
  private static InfoSnapshot.Builder metric(String name, String help) {
    return InfoSnapshot.builder()
        .name(name.substring(0, name.lastIndexOf('.')).replace('.', '_'))
        .help(help);
  }

  /** The Cohorts above a Cohort, its parent first; in a cycle, each of them once. */
  private List<String> above(String cohort) {
    SequencedSet<String> above = new LinkedHashSet<>();
    @Nullable String next = caches.parentOf(cohort);
    while (next != null && above.add(next)) {
      next = caches.parentOf(next);
    }
    return List.copyOf(above);
  }

  private InfoDataPointSnapshot point(String label, String name, List<String> above, String root) {
    return InfoDataPointSnapshot.builder()
        .labels(
            Labels.of(
                label,
                name,
                "parent_cohort",
                above.isEmpty() ? "" : above.getFirst(),
                "replica_role",
                role,
                "root_cohort",
                above.isEmpty() ? root : above.getLast()))
        .build();
  }
}
