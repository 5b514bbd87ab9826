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
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Fact;
import io.github.kueue4j.core.lifecycle.LifecycleEvent;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.Rule;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.report.CoreMetrics;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.runtime.EventRecorder;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows once a plan has been written: a log line, events for people, metrics. */
@API(status = API.Status.INTERNAL)
public final class PlanAftermath {
  private static final Logger log = LoggerFactory.getLogger(PlanAftermath.class);

  private static final String PREEMPTED_WORKLOAD = "PreemptedWorkload";

  private final EventRecorder events;
  private final CoreMetrics metrics;

  public PlanAftermath(EventRecorder events, CoreMetrics metrics) {
    this.events = events;
    this.metrics = metrics;
  }

  /** A version was read, as far as it concerns the meters. */
  void read(Situation situation) {
    metrics.workloads().read(situation);
  }

  /** A version was written. */
  void wrote(Situation situation) {
    metrics.workloads().wrote(situation);
  }

  /** The Workload is gone. */
  void gone(ObjectKey key) {
    metrics.workloads().gone(key);
  }

  /**
   * A Workload was evicted to make room for another.
   *
   * @param preemptor the other one; null if it is gone
   */
  void preempted(PreemptionOrder order, @Nullable Workload preemptor) {
    metrics.preempted(order.clusterQueue(), order.preemption().reason());
    if (preemptor != null) {
      events.normal(preemptor, PREEMPTED_WORKLOAD, PREEMPTED_WORKLOAD, order.preemptorNote());
    }
  }

  /** A finished Workload was kept for long enough. */
  void deleted(Workload finished) {
    events.normal(
        finished, "Deleted", "Deleted", "Deleted finished workload due to elapsed retention");
  }

  void carriedOut(Plan.PatchStatus plan, Workload written) {
    log.atInfo()
        .addKeyValue("workload", ObjectKey.of(written))
        .addKeyValue("rule", plan.rule())
        .log("Workload changed");
    for (LifecycleEvent event : plan.events()) {
      switch (event.type()) {
        case NORMAL -> events.normal(written, event.reason(), event.reason(), event.note());
        case WARNING -> events.warning(written, event.reason(), event.reason(), event.note());
      }
    }
    if (plan.rule() == Rule.FINISH) {
      metrics.finished(written);
      Conditions.find(written.status().conditions(), WorkloadConditions.FINISHED)
          .filter(finished -> finished.reason().equals(Jobs.FAILED_TO_START))
          .ifPresent(
              finished ->
                  events.warning(
                      written, finished.reason(), finished.reason(), finished.message()));
    }
    for (Fact fact : plan.facts()) {
      metrics.count(fact, plan.before(), written);
    }
  }
}
