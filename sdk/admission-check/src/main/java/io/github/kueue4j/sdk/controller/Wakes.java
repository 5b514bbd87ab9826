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
 * Tells waiting workloads that something their check looks at has changed. What wakes everybody is
 * gathered for a moment first: a rolling cluster changes hundreds of pods a second.
 */
final class Wakes {

  private static final Duration GATHER = Duration.ofMillis(500);

  private final Informer<Workload> workloads;
  private final Memory memory;
  private final TimeSource time;
  private final Consumer<ObjectKey> queue;
  private final AtomicBoolean everybodySoon = new AtomicBoolean();

  Wakes(Informer<Workload> workloads, Memory memory, TimeSource time, Consumer<ObjectKey> queue) {
    this.workloads = workloads;
    this.memory = memory;
    this.time = time;
    this.queue = queue;
  }

  /** Wakes one workload, whichever of its checks are ours. */
  void workload(ObjectKey key) {
    workloads.get(key).ifPresent(this::wake);
  }

  /** Has all workloads looked at that have an entry of this check, whose object changed. */
  void lookAgain(String check) {
    workloads.byIndex(WorkloadIndex.CHECKS, check).forEach(one -> queue.accept(one.key()));
  }

  /** Wakes all workloads a moment later. */
  void everybody() {
    if (everybodySoon.compareAndSet(false, true)) {
      time.after(
          GATHER,
          () -> {
            everybodySoon.set(false);
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
