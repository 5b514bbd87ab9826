// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.core.status.CohortReport;
import io.github.kueue4j.core.status.QueueStatuses;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apiguardian.api.API;

/**
 * Updates the metrics of a Cohort when its tree has changed, and writes its status if that differs
 * and the Cohort is an object. This sums up everything below the Cohort, so that it happens at most
 * once per interval.
 */
@API(status = API.Status.INTERNAL)
public final class CohortStatusReconciler implements Reconciler {
  private final StatusWriter<Cohort> statuses;
  private final StateLoop state;
  private final QueueMeters meters;
  private final boolean fairSharing;
  private final StatusThrottle throttle;

  /**
   * The reconciler.
   *
   * @param fairSharing whether shares count in preemption and are part of the status
   * @param throttle how often the status of a Cohort is computed
   */
  public CohortStatusReconciler(
      FreshCache<Cohort> cohorts,
      StateLoop state,
      QueueMeters meters,
      boolean fairSharing,
      StatusThrottle throttle) {
    this.statuses = new StatusWriter<>(cohorts);
    this.state = state;
    this.meters = meters;
    this.fairSharing = fairSharing;
    this.throttle = throttle;
  }

  @Override
  public Requeue reconcile(ObjectKey key) throws InterruptedException {
    Optional<Instant> later = throttle.tryStart(key);
    if (later.isPresent()) {
      return Requeue.at(later.get());
    }
    Optional<CohortReport> report = measure(key.name());
    if (report.isEmpty()) {
      throttle.forget(key);
      return Requeue.never();
    }
    throttle.startInterval(key);
    CohortReport held = report.get();
    statuses.write(
        key,
        cohort ->
            QueueStatuses.of(cohort, fairSharing ? held.share().rounded() : null, held.usage()));
    return Requeue.never();
  }

  private Optional<CohortReport> measure(String cohort) throws InterruptedException {
    try {
      return state
          .ask(
              reports -> {
                Optional<CohortReport> report = reports.cohort(cohort);
                meters.cohort(cohort, report);
                return report;
              })
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "could not read from the scheduler's state what a Cohort holds", e);
    }
  }
}
