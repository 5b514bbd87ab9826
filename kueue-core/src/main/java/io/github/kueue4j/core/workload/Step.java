// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.controller.Requeue;
import java.time.Instant;

/** The outcome of one step of a Workload's reconciliation. */
sealed interface Step {
  /** There may be more to do with this version. */
  record Again(Workload workload) implements Step {}

  /** The object was deleted, or another version is needed: it is read from the API server. */
  record Reread() implements Step {}

  /** Nothing more until something changes or {@code next} comes. */
  record Done(Requeue next) implements Step {
    /** The same, and also at this instant if that comes first. */
    Done alsoAt(Instant when) {
      boolean first = !(next instanceof Requeue.At known) || when.isBefore(known.when());
      return first ? new Done(Requeue.at(when)) : this;
    }
  }

  /** Nothing more until something changes. */
  static Step done() {
    return new Done(Requeue.never());
  }
}
