/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
 * Which ClusterQueue is in which Cohort, and which Cohort in which: series that say everything by
 * their labels, made anew at each scrape. Micrometer has no such kind of meter; this one belongs
 * into the Prometheus registry below it.
 *
 * @param caches where the objects are
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

  /** The registry itself adds the ending. */
  private static InfoSnapshot.Builder metric(String name, String help) {
    return InfoSnapshot.builder()
        .name(name.substring(0, name.lastIndexOf('.')).replace('.', '_'))
        .help(help);
  }

  /** The Cohorts above a Cohort, its parent first; ends before one would come again. */
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
