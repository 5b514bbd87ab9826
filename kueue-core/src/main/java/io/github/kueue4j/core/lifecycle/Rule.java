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
  /** R5: a delay changed after the eviction. */
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
  /** A limit was exceeded; names the cause, R11 follows. */
  LIMIT_EXCEEDED,
  /** A reservation that isn't admitted is taken back: queue gone or stopped, assignment invalid. */
  WITHDRAW,
  /** Preempted by the scheduler. */
  PREEMPT,
  /** The pods have become ready, or aren't any more (KEP-1282). */
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
  /** The scheduler says why it did not reserve. */
  NOT_RESERVED,
  /** A status that contradicts itself, as after an edit by hand, was put in order. */
  MEND
}
