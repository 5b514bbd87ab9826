// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.finalizer.ObjectsInUse;
import io.github.kueue4j.core.report.CoreMetrics;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.QueueReports;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.runtime.controller.Controller;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Passes what follows from changes of the State on to controllers, timers and metrics. */
final class StateEffects implements State.Effects {
  private final TimeSource time;
  private final CoreMetrics metrics;
  private final Set<ObjectKey> changedQueues = new LinkedHashSet<>();
  private @Nullable Receivers receivers;
  private long cycleBegan;

  /**
   * The parts of the core that hear of effects. They need the State themselves, and are therefore
   * connected after it was created.
   */
  record Receivers(
      StateLoop loop,
      Controller workloads,
      QueueStatusControllers statuses,
      ObjectsInUse objectsInUse) {}

  StateEffects(TimeSource time, CoreMetrics metrics) {
    this.time = time;
    this.metrics = metrics;
  }

  /** Connects the receivers; to be called once, before the State's thread starts. */
  void connect(Receivers parts) {
    receivers = parts;
  }

  private Receivers receivers() {
    return Objects.requireNonNull(receivers, "effects of the State are not connected yet");
  }

  @Override
  public void wake(ObjectKey workload) {
    receivers().workloads().queue().add(workload);
  }

  @Override
  public void wakeAt(ObjectKey workload, Instant when) {
    receivers().workloads().queue().addAt(workload, when);
  }

  @Override
  public void retryAfter(ObjectKey workload, Duration pause) {
    StateLoop loop = receivers().loop();
    Instant due = time.steady().instant().plus(pause);
    time.steady()
        .after(
            pause,
            () -> loop.post(state -> state.workloads().reconsider(workload, due, time.instant())));
  }

  @Override
  public void scheduleAfter(Duration pause) {
    StateLoop loop = receivers().loop();
    time.steady().after(pause, () -> loop.post(state -> {}));
  }

  @Override
  public void queueChanged(ObjectKey queue) {
    if (changedQueues.isEmpty()) {
      receivers().loop().post(state -> reportChanged(state.reports()));
    }
    changedQueues.add(queue);
  }

  private void reportChanged(QueueReports reports) {
    List<ObjectKey> queues = List.copyOf(changedQueues);
    changedQueues.clear();
    for (ObjectKey queue : queues) {
      receivers().statuses().queueChanged(queue);
      if (queue.namespace().isEmpty()) {
        receivers().objectsInUse().released(queue);
        reports.cohortsAbove(queue.name()).forEach(this::cohortChanged);
      }
    }
    // Last, so that a meter that fails doesn't keep the statuses from being written.
    queues.forEach(queue -> metrics.queues().queue(reports, queue));
  }

  @Override
  public void cohortChanged(String cohort) {
    receivers().statuses().cohortChanged(cohort);
  }

  @Override
  public void attempted(Decision decision) {
    metrics.attempted(decision);
  }

  @Override
  public void cycleBegins() {
    cycleBegan = System.nanoTime();
  }

  @Override
  public void cycled(List<Decision> decisions) {
    metrics.cycled(decisions, Duration.ofNanos(System.nanoTime() - cycleBegan));
  }
}
