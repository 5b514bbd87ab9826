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

import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.state.CohortReport;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.core.status.QueueStatuses;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.Reconciler;
import io.github.kueue4j.runtime.Requeue;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apiguardian.api.API;

/**
 * Looks at Cohorts when something has changed in their trees: measures them, and writes the status
 * of those that are objects if it is another one. A look sums up all that is below, so no Cohort is
 * looked at more often than once per interval.
 */
@API(status = API.Status.INTERNAL)
public final class CohortStatusReconciler implements Reconciler {
  private final StatusWriter<Cohort> statuses;
  private final StateLoop state;
  private final QueueMeters meters;
  private final boolean fairSharing;
  private final Looks looks;

  /**
   * The reconciler.
   *
   * @param fairSharing whether shares count in preemption, and are stated
   * @param looks when a Cohort is looked at
   */
  public CohortStatusReconciler(
      KubernetesApi api,
      FreshCache<Cohort> cohorts,
      StateLoop state,
      QueueMeters meters,
      boolean fairSharing,
      Looks looks) {
    this.statuses = new StatusWriter<>(cohorts, patch -> api.patchStatus(KueueTypes.COHORT, patch));
    this.state = state;
    this.meters = meters;
    this.fairSharing = fairSharing;
    this.looks = looks;
  }

  @Override
  public Requeue reconcile(ObjectKey key) throws InterruptedException {
    Optional<Instant> later = looks.begin(key);
    if (later.isPresent()) {
      return Requeue.at(later.get());
    }
    Optional<CohortReport> report = look(key.name());
    if (report.isEmpty()) {
      looks.forget(key);
      return Requeue.never();
    }
    looks.looked(key);
    CohortReport held = report.get();
    statuses.write(
        key,
        cohort ->
            QueueStatuses.of(cohort, fairSharing ? held.share().rounded() : null, held.usage()));
    return Requeue.never();
  }

  private Optional<CohortReport> look(String cohort) throws InterruptedException {
    try {
      return state
          .ask(
              current -> {
                Optional<CohortReport> report = current.cohort(cohort);
                meters.cohort(cohort, report);
                return report;
              })
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the scheduler's state can't say what a Cohort holds", e);
    }
  }
}
