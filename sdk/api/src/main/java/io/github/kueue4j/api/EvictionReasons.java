// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * Why a Workload was evicted: the reasons of Evicted=True. Requeued=False has the same ones, for
 * the reason of the eviction is what keeps the Workload out of its queue afterwards.
 *
 * <p>A further reason compiles without holding any Workload, for four things belong to it. The
 * core's {@code StatusDraft.decideRequeued} decides whether the Workload queues again at once, as
 * after a preemption, or is held. If it is held, a rule of the lifecycle has to end its
 * Requeued=False; otherwise the rule that repairs a status lifts it at once. {@link
 * WorkloadConditions#heldForDelay} has to name the reason if it has a delay, which makes the phase
 * Backoff instead of Held. And {@code QueueOrder.queuedSince} decides whether the Workload keeps
 * its place in the queue.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class EvictionReasons {

  /** An admission check answered Retry. */
  public static final String ADMISSION_CHECK = "AdmissionCheck";

  /** The pods didn't get ready in time. */
  public static final String PODS_READY_TIMEOUT = "PodsReadyTimeout";

  /** Another Workload needs the quota. */
  public static final String PREEMPTED = "Preempted";

  /** The ClusterQueue is stopped. */
  public static final String CLUSTER_QUEUE_STOPPED = "ClusterQueueStopped";

  /** The LocalQueue is stopped. */
  public static final String LOCAL_QUEUE_STOPPED = "LocalQueueStopped";

  /** A user deactivated the Workload; also the prefix of every other deactivation. */
  public static final String DEACTIVATED = "Deactivated";

  /** Kueue deactivated the Workload; the cause follows in the same word. */
  public static final String DEACTIVATED_DUE_TO = DEACTIVATED + "DueTo";

  /** An admission check answered Rejected. */
  public static final String DEACTIVATED_DUE_TO_ADMISSION_CHECK =
      DEACTIVATED_DUE_TO + ADMISSION_CHECK;

  private EvictionReasons() {}

  /** Whether the Workload was deactivated, by a user, a check or a limit. */
  public static boolean isDeactivation(String reason) {
    return reason.startsWith(DEACTIVATED);
  }

  /** Whether a check or a limit deactivated the Workload, not a user. */
  public static boolean isDeactivationByKueue(String reason) {
    return reason.startsWith(DEACTIVATED_DUE_TO);
  }
}
