// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The reason why a Workload isn't running, or that there is none. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Reason {
  // No obstacle.

  /** It has finished. */
  FINISHED,
  /** Its pods run. */
  RUNNING,

  // The Job has no Workload.

  /** The Job names no LocalQueue, or its namespace isn't managed, so it isn't queued. */
  JOB_NOT_MANAGED,
  /** The core doesn't manage objects of this kind; a queue that one names has no effect. */
  KIND_NOT_MANAGED,
  /** It has no Workload, but each of its pods has one. */
  PODS_QUEUED,
  /** The Job was running already; its pods must end before it is queued. */
  JOB_STOPPING,
  /** The Job names a WorkloadPriorityClass that doesn't exist. */
  PRIORITY_CLASS_MISSING,
  /** The Job names a Workload that its user has to create, and that doesn't exist. */
  PREBUILT_WORKLOAD_MISSING,
  /** The pod belongs to a group that misses pods, or whose pods can't be queued together. */
  GROUP_INCOMPLETE,
  /** It isn't known any more what pods the Job asks for: it stays out of its queue until then. */
  PODS_UNKNOWN,
  /** The Job names a Workload that belongs to another Job. */
  WORKLOAD_OF_ANOTHER,
  /** The Job should have a Workload, but the core has not created one. */
  WORKLOAD_NOT_CREATED,

  // What this core doesn't carry out.

  /** The Job, its pods or a flavor of its queue ask for something that isn't supported here. */
  NOT_SUPPORTED,

  // The core.

  /** The core's next step is overdue, or no core holds the lease. */
  CORE_NOT_RUNNING,
  /** The core's next step is due now; no action is needed. */
  CORE_ABOUT_TO_ACT,

  // Taken out of the queue.

  /** The Workload is being deleted. */
  DELETING,
  /** An admission check rejected it for good. */
  REJECTED,
  /** A user set {@code spec.active: false}. */
  DEACTIVATED_BY_USER,
  /**
   * The core deactivated it: it exceeded a limit, such as the number of requeues or its execution
   * time, or its start had to be undone.
   */
  DEACTIVATED_BY_LIMIT,
  /** It was evicted, and its Job hasn't stopped yet. */
  JOB_STILL_STOPPING,

  // Waiting for time to pass.

  /** One or more admission checks are in Retry with a delay. */
  RETRY_DELAYED,
  /** Its pods didn't get ready in time; it waits before the next attempt. */
  PODS_READY_BACKOFF,

  // Quota is reserved.

  /** A check is Pending and has given a message. */
  CHECK_PENDING,
  /** A check is Pending without a message for this reservation. */
  CHECK_UNANSWERED,
  /** A Pending check isn't Active: its controller reports a problem, or no controller runs. */
  CHECK_INACTIVE,

  // Admitted.

  /** The Job is still suspended. */
  JOB_NOT_STARTED,
  /** The Job was started but has no pods. */
  PODS_NOT_CREATED,
  /** The Job has pods that aren't ready. */
  PODS_NOT_READY,
  /** The Job's pods have ended, but its status doesn't say that it has. */
  JOB_NOT_FINISHED,

  // The queues.

  /** The Workload names no LocalQueue. */
  NO_QUEUE_NAME,
  /** The LocalQueue doesn't exist, or is being deleted. */
  LOCAL_QUEUE_MISSING,
  /** The LocalQueue is stopped. */
  LOCAL_QUEUE_STOPPED,
  /** The ClusterQueue doesn't exist. */
  CLUSTER_QUEUE_MISSING,
  /** The ClusterQueue is being deleted. */
  CLUSTER_QUEUE_TERMINATING,
  /** The ClusterQueue is stopped. */
  CLUSTER_QUEUE_STOPPED,
  /** The ClusterQueue names a ResourceFlavor that doesn't exist. */
  FLAVOR_MISSING,
  /** The ClusterQueue names an AdmissionCheck that doesn't exist. */
  CHECK_MISSING,
  /** The ClusterQueue names an AdmissionCheck that isn't Active. */
  CHECK_NOT_ACTIVE,
  /** The ClusterQueue requires more checks than a Workload's status can hold. */
  TOO_MANY_CHECKS,
  /** A Cohort above the ClusterQueue is its own ancestor. */
  COHORT_CYCLE,
  /** The ClusterQueue is inactive for another reason, or one that only a condition states. */
  CLUSTER_QUEUE_INACTIVE,

  // The scheduler.

  /** The ClusterQueue's namespace selector doesn't match. */
  NAMESPACE_NOT_SELECTED,
  /** It requests a resource that the ClusterQueue doesn't cover. */
  RESOURCE_NOT_COVERED,
  /** No flavor matches its pods: taints, node selectors or node affinity. */
  FLAVORS_UNSUITABLE,
  /** It requests more than the whole quota. */
  EXCEEDS_QUOTA,
  /** Its Cohort has enough quota, but the ClusterQueue's borrowing limit is too low. */
  BORROWING_LIMITED,
  /** Its Cohort has enough quota, but the lending limits of other members are too low. */
  LENDING_LIMITED,
  /** Workloads were preempted for it and have not released their quota yet. */
  PREEMPTING,
  /** Other Workloads use the quota; it is the next in its queue. */
  QUOTA_IN_USE,
  /** Other Workloads use the quota, and others are ahead of it in its queue. */
  BEHIND_OTHERS,
  /** Past usage decides the order, and other LocalQueues have used less. */
  OTHERS_USED_LESS,
  /** It would fit, but its queue is StrictFIFO and the head doesn't fit. */
  BLOCKED_BY_HEAD,
  /** Its annotation admission-gated-by isn't empty. */
  ADMISSION_GATED,
  /** The pods of another admitted Workload have to get ready first. */
  WAITING_FOR_PODS_READY,
  /** Anything else that the scheduler states in the condition QuotaReserved. */
  NOT_RESERVED;

  /** The name as the API spells reasons: {@code RetryDelayed}. */
  public String code() {
    return Arrays.stream(name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(java.util.Locale.ROOT))
        .collect(Collectors.joining());
  }

  /** Whether it gets quota in time without anybody doing anything, so that {@code when} helps. */
  public boolean endsWithTime() {
    return this == QUOTA_IN_USE || this == BEHIND_OTHERS || this == OTHERS_USED_LESS;
  }

  /** Whether this is no obstacle: the Workload runs or has finished. */
  public boolean isNoObstacle() {
    return this == FINISHED || this == RUNNING;
  }
}
