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
import io.github.kueue4j.runtime.Change;
import io.github.kueue4j.sdk.fence.Phase;
import java.util.List;

/** Which workloads concern a check controller at all. */
final class WorkloadIndex {

  /** The name of the informer's index from check to workloads. */
  static final String CHECKS = "checks";

  private WorkloadIndex() {}

  /** The checks that have an entry in this workload. */
  static List<String> checks(Workload workload) {
    return workload.status().admissionChecks().stream().map(AdmissionCheckState::name).toList();
  }

  /** The workload to reconcile after this change, if any. */
  static List<ObjectKey> concerned(Change<Workload> change) {
    boolean concerned =
        switch (change) {
          case Change.Added<Workload> added -> hasChecks(added.object());
          case Change.Updated<Workload> updated ->
              hasChecks(updated.before()) || hasChecks(updated.object());
          case Change.Deleted<Workload> deleted -> hasChecks(deleted.object());
        };
    return concerned ? List.of(change.key()) : List.of();
  }

  private static boolean hasChecks(Workload workload) {
    return !workload.status().admissionChecks().isEmpty();
  }

  /** Whether some check may have something to say about this workload. */
  static boolean mayWait(Workload workload) {
    return hasChecks(workload)
        && switch (Phase.of(workload)) {
          // Evicting too: the backoff that follows may end early by what changes now.
          case RESERVED, ADMITTED, EVICTING, BACKOFF -> true;
          case DELETING, FINISHED, DEACTIVATED, QUEUED -> false;
        };
  }
}
