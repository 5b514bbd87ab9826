// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.RecordedEvents;
import io.github.kueue4j.core.lifecycle.LifecycleEvent;
import io.github.kueue4j.core.lifecycle.LifecycleMetric;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.Rule;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.report.CoreMetrics;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.runtime.client.EventRecorder;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports what was read and written of Workloads: log lines, events and metrics. */
@API(status = API.Status.INTERNAL)
public final class PlanReporter {
  private static final Logger log = LoggerFactory.getLogger(PlanReporter.class);

  private final EventRecorder events;
  private final CoreMetrics metrics;
  private final RecordedEvents recorded;

  public PlanReporter(EventRecorder events, CoreMetrics metrics, RecordedEvents recorded) {
    this.events = events;
    this.metrics = metrics;
    this.recorded = recorded;
  }

  /** A version was read. */
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
   * A Workload was preempted for another. If it has to stop, that other one has an event, whose
   * note names all of its victims: the next ones only count in its series. Otherwise nothing is
   * lost but the place, and the conditions say so.
   *
   * @param victim as it was written
   * @param preemptor null if it is gone
   */
  void preempted(PreemptionOrder order, Workload victim, @Nullable Workload preemptor) {
    metrics.preempted(order.clusterQueue(), order.preemption().reason());
    boolean all = recorded == RecordedEvents.ALL;
    if (preemptor != null && (all || victim.conditions().reserved())) {
      events.normal(preemptor, "PreemptedWorkload", "PreemptedWorkload", order.noteOnPreemptor());
    }
    if (all) {
      events.normal(victim, "Preempted", "Preempted", order.noteOnVictim());
    }
  }

  /** A finished Workload was kept for long enough. */
  void deleted(Workload finished) {
    events.normal(
        finished, "Deleted", "Deleted", "Deleted finished workload due to elapsed retention");
  }

  /** A plan was written. */
  void carriedOut(Plan.PatchStatus plan, Workload written) {
    log.atInfo()
        .addKeyValue("workload", ObjectKey.of(written))
        .addKeyValue("rule", plan.rule())
        .log(message(plan.rule()));
    plan.events().forEach(event -> record(event, written));
    if (plan.rule() == Rule.FINISH) {
      metrics.finished(written);
      written
          .conditions()
          .find(WorkloadConditions.FINISHED)
          .filter(finished -> finished.reason().equals(Jobs.FAILED_TO_START))
          .ifPresent(
              finished ->
                  events.warning(
                      written, finished.reason(), finished.reason(), finished.message()));
    }
    for (LifecycleMetric lifecycleMetric : plan.metrics()) {
      metrics.count(lifecycleMetric, plan.before(), written);
      if (recorded == RecordedEvents.ALL) {
        AdmissionEvents.of(lifecycleMetric, plan.before(), written)
            .ifPresent(event -> record(event, written));
      }
    }
  }

  private void record(LifecycleEvent event, Workload written) {
    switch (event.type()) {
      case NORMAL -> events.normal(written, event.reason(), event.reason(), event.note());
      case WARNING -> events.warning(written, event.reason(), event.reason(), event.note());
    }
  }

  private static String message(Rule rule) {
    return switch (rule) {
      case RESERVE -> "Quota reserved";
      case ADMIT -> "Workload admitted";
      case EVICT_FOR_RETRY -> "Workload evicted: an admission check asked for a retry";
      case PENDING_TIMEOUT -> "Workload evicted: an admission check was pending for too long";
      case PODS_READY_TIMEOUT -> "Workload evicted: its pods were not ready in time";
      case PREEMPT -> "Workload evicted: preempted by another workload";
      case DRAIN -> "Workload evicted: its queue is being drained";
      case REJECT -> "Workload rejected by an admission check";
      case DEACTIVATE -> "Workload deactivated";
      case SET_ASIDE ->
          "Answer of an admission check set aside, since there is an alternative to it";
      case OBSERVE -> "Answer of an admission check in Observe mode recorded or set aside";
      case ASK -> "Admission checks asked before quota";
      case LIMIT_EXCEEDED -> "Workload exceeded a limit";
      case RELEASE -> "Quota released";
      case WITHDRAW -> "Quota reservation withdrawn";
      case NOT_RESERVED -> "Quota not reserved";
      case REQUEUE -> "Workload requeued: its backoff is over";
      case QUEUE_RESTART -> "Workload requeued: its queue was resumed";
      case REACTIVATE -> "Workload reactivated";
      case LATE_UPDATE -> "Requeue time changed by an admission check";
      case STRAY_RETRY ->
          "Workload held back: an admission check asked for a retry while no quota was reserved";
      case PODS_READY -> "Readiness of pods recorded";
      case ADD_CHECK -> "Newly required admission check added";
      case FINISH -> "Workload finished";
      case REPAIR -> "Inconsistent workload status repaired";
    };
  }
}
