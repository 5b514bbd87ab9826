// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.sdk.internal.fence.Phase;
import java.util.List;

/** The workloads that a check controller has to look at. */
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

  /** Whether some check may have to judge this workload, now or after its eviction. */
  static boolean mayWait(Workload workload) {
    return hasChecks(workload)
        && switch (Phase.of(workload)) {
          // Evicting too: a change now may end the backoff that follows early.
          case RESERVED, ADMITTED, EVICTING, BACKOFF -> true;
          case DELETING, FINISHED, DEACTIVATED, QUEUED -> false;
        };
  }
}
