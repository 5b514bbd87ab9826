// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.informer.Informer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells waiting workloads that something their check looks at has changed. Changes that wake all of
 * them are gathered for a moment first: a rolling cluster changes hundreds of pods a second.
 *
 * <p>The moment ends by whichever clock comes first. Where time stands still, in a test, a wake-up
 * must not wait for the test to advance it; where time is faster than the machine's, half a second
 * of the machine's would be minutes.
 */
final class WakeUps {

  private static final Duration GATHER = Duration.ofMillis(500);

  private final Informer<Workload> workloads;
  private final EvaluationMemory memory;
  private final List<TimeSource> clocks;
  private final Consumer<ObjectKey> queue;
  private final AtomicReference<@Nullable Gathering> gathering = new AtomicReference<>();

  /**
   * Wake-ups of the workloads of this informer.
   *
   * @param clocks at least one; the first by which the moment has passed ends it
   */
  WakeUps(
      Informer<Workload> workloads,
      EvaluationMemory memory,
      List<TimeSource> clocks,
      Consumer<ObjectKey> queue) {
    this.workloads = workloads;
    this.memory = memory;
    this.clocks = List.copyOf(clocks);
    this.queue = queue;
  }

  /** While changes are gathered; compared by identity. */
  private static final class Gathering {
    // Guarded by this object's monitor.
    private final List<Cancellable> timers = new ArrayList<>();
    private boolean over;

    /** Keeps a timer, which is cancelled when this is over. */
    synchronized void add(Cancellable timer) {
      if (over) {
        timer.cancel();
      } else {
        timers.add(timer);
      }
    }

    synchronized void end() {
      over = true;
      timers.forEach(Cancellable::cancel);
      timers.clear();
    }
  }

  /** Wakes one workload, for all checks that it has an entry of. */
  void workload(ObjectKey key) {
    workloads.get(key).ifPresent(this::wake);
  }

  /** Queues all workloads that have an entry of this check, whose object changed. */
  void reconcileWorkloadsOf(String check) {
    workloads.byIndex(WorkloadIndex.CHECKS, check).forEach(one -> queue.accept(one.key()));
  }

  /** Wakes all workloads that wait for this check or wait out a delay of it. */
  void parametersChanged(String check, Resolution<?> changed) {
    workloads.byIndex(WorkloadIndex.CHECKS, check).stream()
        .filter(WorkloadIndex::mayWait)
        .forEach(one -> tell(one.key(), check, changed));
  }

  /**
   * Wakes all workloads that wait out a delay which this check asked for before its parameters
   * became these. One of the same second is woken, too: times of verdicts are whole seconds.
   */
  void parametersChangedBefore(String check, Resolution<?> changed, Instant since) {
    workloads.byIndex(WorkloadIndex.CHECKS, check).stream()
        .filter(WorkloadIndex::mayWait)
        .filter(
            one ->
                one.status()
                    .admissionCheck(check)
                    .filter(entry -> entry.is(CheckState.RETRY))
                    .filter(entry -> !entry.lastTransitionTime().isAfter(since))
                    .isPresent())
        .forEach(one -> tell(one.key(), check, changed));
  }

  private void tell(ObjectKey workload, String check, Resolution<?> changed) {
    memory.parametersChange(workload, check, changed);
    queue.accept(workload);
  }

  /** Wakes all workloads that wait for a check, a moment later. */
  void all() {
    Gathering one = new Gathering();
    if (gathering.compareAndSet(null, one)) {
      clocks.forEach(clock -> one.add(clock.after(GATHER, () -> wakeAll(one))));
    }
  }

  private void wakeAll(Gathering one) {
    if (gathering.compareAndSet(one, null)) {
      one.end();
      workloads.list().stream().filter(WorkloadIndex::mayWait).forEach(this::wake);
    }
  }

  private void wake(Workload workload) {
    for (AdmissionCheckState entry : workload.status().admissionChecks()) {
      memory.wake(workload.key(), entry.name());
    }
    queue.accept(workload.key());
  }
}
