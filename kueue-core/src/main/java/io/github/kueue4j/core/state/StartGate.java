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
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Lets one Workload in after the other (KEP-1282, {@code blockAdmission}): closed while anybody
 * holds quota whose pods aren't all ready. Who is on the way out, or has nobody who tells about
 * pods, doesn't close it. Belongs to the State's thread.
 */
final class StartGate {
  static final String REASON = "WaitingForPodsReady";
  static final String MESSAGE = "waiting for all admitted workloads to be in PodsReady condition";

  private final boolean used;
  private final Set<ObjectKey> starting = new HashSet<>();

  StartGate(boolean used) {
    this.used = used;
  }

  /** Whether it ever closes. */
  boolean used() {
    return used;
  }

  /** Whether nobody may get quota now. */
  boolean closed() {
    return !starting.isEmpty();
  }

  /** What is known of a Workload may have changed. */
  void look(WorkloadEntry entry) {
    if (!used) {
      return;
    }
    Workload workload = entry.latest;
    if (entry.holding != null && workload != null && starting(workload)) {
      starting.add(entry.key);
    } else {
      starting.remove(entry.key);
    }
  }

  private static boolean starting(Workload workload) {
    boolean known =
        Conditions.find(workload.status().conditions(), WorkloadConditions.PODS_READY).isPresent();
    boolean owned =
        !Objects.requireNonNullElse(workload.metadata().getOwnerReferences(), List.of()).isEmpty();
    return (known || owned)
        && !Conditions.isTrue(workload.status().conditions(), WorkloadConditions.PODS_READY)
        && !WorkloadEntry.leaving(workload);
  }
}
