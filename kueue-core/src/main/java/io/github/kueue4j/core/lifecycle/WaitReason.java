// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import org.apiguardian.api.API;

/** The reason why a Workload waits when there is nothing to write. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum WaitReason {
  /** Nothing: it finished. */
  FINISHED,
  /** A user must activate it again. */
  ACTIVATION,
  /** Its owner must stop, so that quota can be released. */
  OWNER_TO_STOP,
  /** Its owner must finish. */
  OWNER_TO_FINISH,
  /** The verdicts of required checks, with quota or before it. */
  CHECKS,
  /** The victims of a deferred preemption must release quota. */
  VICTIMS,
  /** The end of a delay. */
  DEADLINE,
  /** A stopped or missing queue. */
  QUEUE,
  /** The scheduler must find quota. */
  QUOTA
}
