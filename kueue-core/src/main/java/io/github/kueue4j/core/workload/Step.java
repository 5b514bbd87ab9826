// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.owner.WorkloadJob;
import io.github.kueue4j.runtime.controller.Requeue;

/** The outcome of one step of a Workload's reconciliation. */
sealed interface Step {
  /** There may be more to do with this version. */
  record Again(Workload workload) implements Step {}

  /** The object was deleted, or another version is needed: it is read from the API server. */
  record Reread() implements Step {}

  /** Nothing more until something changes or {@code next} comes. */
  record Done(Requeue next) implements Step {}

  /** Nothing more until something changes. */
  static Step done() {
    return new Done(Requeue.never());
  }

  /** Nothing more until the Job that is being stopped, or its pods, have ended. */
  static Step awaitStop(WorkloadJob job) {
    return new Done(job.nextLookAtPods().map(Requeue::at).orElseGet(Requeue::never));
  }
}
