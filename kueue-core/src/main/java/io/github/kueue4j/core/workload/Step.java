// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Workload;
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
}
