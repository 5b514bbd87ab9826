// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.report.CohortStatusReconciler;
import io.github.kueue4j.core.report.QueueMeters;
import io.github.kueue4j.core.report.QueueStatusReconciler;
import io.github.kueue4j.core.report.StatusThrottle;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.runtime.controller.Controller;
import java.time.Duration;
import java.util.List;

/** The controllers that write the statuses of queues and Cohorts when their counts change. */
final class QueueStatusControllers {
  private static final int DEFAULT_QUEUE_WORKERS = 2;
  private static final int DEFAULT_COHORT_WORKERS = 1;

  private final Controller queues;
  private final StatusThrottle queueThrottle;
  private final Controller cohorts;
  private final StatusThrottle cohortThrottle;

  QueueStatusControllers(
      ClusterAccess cluster, StateLoop loop, QueueMeters meters, CoreOptions options) {
    Configuration configuration = options.configuration();
    TimeSource pace = options.pace();
    boolean fairSharing = !configuration.fairSharingStrategies().isEmpty();
    Duration interval = configuration.extensions().queueStatusInterval();
    queueThrottle = new StatusThrottle(pace, interval);
    queues =
        cluster
            .controller(
                "queue-status",
                new QueueStatusReconciler(
                    cluster.clusterQueues(),
                    FreshCache.over(
                        cluster.caches().localQueues(), KueueTypes.LOCAL_QUEUE, cluster.api()),
                    loop,
                    meters,
                    fairSharing,
                    options.time(),
                    queueThrottle))
            .delaysBy(pace)
            .workers(
                Math.max(
                    configuration.concurrency("ClusterQueue", DEFAULT_QUEUE_WORKERS),
                    configuration.concurrency("LocalQueue", DEFAULT_QUEUE_WORKERS)))
            .build();
    cohortThrottle = new StatusThrottle(pace, interval);
    cohorts =
        cluster
            .controller(
                "cohort-status",
                new CohortStatusReconciler(
                    FreshCache.over(cluster.caches().cohorts(), KueueTypes.COHORT, cluster.api()),
                    loop,
                    meters,
                    fairSharing,
                    cohortThrottle))
            .delaysBy(pace)
            .workers(configuration.concurrency("Cohort", DEFAULT_COHORT_WORKERS))
            .build();
  }

  List<Controller> controllers() {
    return List.of(queues, cohorts);
  }

  /** The counts of a queue have changed; the key of a LocalQueue has a namespace. */
  void queueChanged(ObjectKey queue) {
    if (queueThrottle.request(queue)) {
      queues.queue().add(queue);
    }
  }

  /** A Cohort, or what is below it, has changed. */
  void cohortChanged(String cohort) {
    ObjectKey key = ObjectKey.cluster(cohort);
    if (cohortThrottle.request(key)) {
      cohorts.queue().add(key);
    }
  }
}
