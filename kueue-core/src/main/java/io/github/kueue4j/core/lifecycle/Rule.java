// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import org.apiguardian.api.API;

/** The rule behind a patch: a row of the table in {@code docs/lifecycle.md}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Rule {
  /** R1: the scheduler found quota. */
  RESERVE,
  /** R2: every required check is Ready. */
  ADMIT,
  /** R3: a required check said Retry while quota was reserved. */
  EVICT_FOR_RETRY,
  /** R4: the owner has stopped, quota is given back. */
  RELEASE,
  /** R5: a check changed its delay after the eviction. */
  LATE_UPDATE,
  /** R6: the backoff is over. */
  REQUEUE,
  /** R7: a Retry was written while nothing was reserved or evicted. */
  STRAY_RETRY,
  /** R8: a check said Rejected. */
  REJECT,
  /** R9: the user activated the Workload again. */
  REACTIVATE,
  /** R10: a check stayed Pending beyond its timeout; evicts in the same patch as R3. */
  PENDING_TIMEOUT,
  /** R11: deactivated by a user or by a limit. */
  DEACTIVATE,
  /** R12: the answer of a check that only observes is recorded, or is one no longer. */
  OBSERVE,
  /** R13: checks are asked before quota. */
  ASK,
  /** R14: without a reservation an answer that an alternative overrides is set aside. */
  SET_ASIDE,
  /** A limit was exceeded; writes the cause, R11 follows. */
  LIMIT_EXCEEDED,
  /** A reservation before admission is withdrawn: queue gone or stopped, or assignment invalid. */
  WITHDRAW,
  /** Preempted by the scheduler. */
  PREEMPT,
  /** All pods have become ready, or no longer are (KEP-1282). */
  PODS_READY,
  /** The pods did not get ready in time (KEP-1282). */
  PODS_READY_TIMEOUT,
  /** A queue is drained. */
  DRAIN,
  /** The queue for which the Workload was held runs again. */
  QUEUE_RESTART,
  /** The owner finished. */
  FINISH,
  /** A check became required while the checks were running; its entry is added as Pending. */
  ADD_CHECK,
  /** The scheduler reports why it did not reserve quota. */
  NOT_RESERVED,
  /** A contradictory status, as after an edit by hand, is repaired. */
  REPAIR
}
