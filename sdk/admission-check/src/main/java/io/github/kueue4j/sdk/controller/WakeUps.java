// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.Informer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Tells waiting workloads that something their check looks at has changed. Changes that wake all of
 * them are gathered for a moment first: a rolling cluster changes hundreds of pods a second.
 */
final class WakeUps {

  private static final Duration GATHER = Duration.ofMillis(500);

  private final Informer<Workload> workloads;
  private final EvaluationMemory memory;
  private final TimeSource time;
  private final Consumer<ObjectKey> queue;
  private final AtomicBoolean allSoon = new AtomicBoolean();

  WakeUps(
      Informer<Workload> workloads,
      EvaluationMemory memory,
      TimeSource time,
      Consumer<ObjectKey> queue) {
    this.workloads = workloads;
    this.memory = memory;
    this.time = time;
    this.queue = queue;
  }

  /** Wakes one workload, for all checks that it has an entry of. */
  void workload(ObjectKey key) {
    workloads.get(key).ifPresent(this::wake);
  }

  /** Queues all workloads that have an entry of this check, whose object changed. */
  void reconcileWorkloadsOf(String check) {
    workloads.byIndex(WorkloadIndex.CHECKS, check).forEach(one -> queue.accept(one.key()));
  }

  /** Wakes all workloads that wait for a check, a moment later. */
  void all() {
    if (allSoon.compareAndSet(false, true)) {
      time.after(
          GATHER,
          () -> {
            allSoon.set(false);
            workloads.list().stream().filter(WorkloadIndex::mayWait).forEach(this::wake);
          });
    }
  }

  private void wake(Workload workload) {
    for (AdmissionCheckState entry : workload.status().admissionChecks()) {
      memory.wake(workload.key(), entry.name());
    }
    queue.accept(workload.key());
  }
}
