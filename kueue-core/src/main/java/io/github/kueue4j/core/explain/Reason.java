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
package io.github.kueue4j.core.explain;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** What keeps a Workload from running, or that nothing does. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Reason {
  // Nothing is wrong.

  /** It ran to its end. */
  FINISHED,
  /** Its pods run. */
  RUNNING,

  // The Job has no Workload.

  /** The Job names no LocalQueue, so nobody queues it. */
  JOB_NOT_MANAGED,
  /** The Job was running already; its pods must go before it is queued. */
  JOB_STOPPING,
  /** The Job names a WorkloadPriorityClass that doesn't exist. */
  PRIORITY_CLASS_MISSING,
  /** The Job names a Workload for somebody else to make, and there is none of that name. */
  PREBUILT_WORKLOAD_MISSING,
  /** The Job names a Workload that stands for another one. */
  WORKLOAD_OF_ANOTHER,
  /** The Job should have a Workload, but nobody created one. */
  WORKLOAD_NOT_CREATED,

  // The core.

  /** What the core has to do next is overdue, or nobody holds its lease. */
  CORE_NOT_RUNNING,
  /** The core's next step is due just now; nobody has to do anything. */
  CORE_ABOUT_TO_ACT,

  // Taken out of the queue.

  /** The Workload is being deleted. */
  DELETING,
  /** An admission check rejected it for good. */
  REJECTED,
  /** A person set {@code spec.active: false}. */
  DEACTIVATED_BY_USER,
  /** It exceeded a limit, such as the number of requeues or its execution time. */
  DEACTIVATED_BY_LIMIT,
  /** It was evicted, and its Job hasn't stopped yet. */
  JOB_STILL_STOPPING,

  // Waiting for time to pass.

  /** One or more admission checks asked for another try later. */
  RETRY_DELAYED,
  /** Its pods didn't get ready in time; it waits before the next try. */
  PODS_READY_BACKOFF,

  // Quota is reserved.

  /** A check has answered that it isn't ready yet. */
  CHECK_PENDING,
  /** A check has not said anything about this reservation yet. */
  CHECK_UNANSWERED,
  /** A check that has not answered isn't Active: its controller says so, or there is none. */
  CHECK_INACTIVE,

  // Admitted.

  /** The Job is still suspended. */
  JOB_NOT_STARTED,
  /** The Job was started but has no pods. */
  PODS_NOT_CREATED,
  /** The Job has pods that aren't ready. */
  PODS_NOT_READY,

  // The queues.

  /** The Workload names no LocalQueue. */
  NO_QUEUE_NAME,
  /** There is no such LocalQueue, or it is being deleted. */
  LOCAL_QUEUE_MISSING,
  /** The LocalQueue was stopped. */
  LOCAL_QUEUE_STOPPED,
  /** There is no such ClusterQueue. */
  CLUSTER_QUEUE_MISSING,
  /** The ClusterQueue is being deleted. */
  CLUSTER_QUEUE_TERMINATING,
  /** The ClusterQueue was stopped. */
  CLUSTER_QUEUE_STOPPED,
  /** The ClusterQueue names a ResourceFlavor that doesn't exist. */
  FLAVOR_MISSING,
  /** The ClusterQueue names an AdmissionCheck that doesn't exist. */
  CHECK_MISSING,
  /** The ClusterQueue names an AdmissionCheck that isn't Active. */
  CHECK_NOT_ACTIVE,
  /** The ClusterQueue requires more checks than a Workload's status has room for. */
  TOO_MANY_CHECKS,
  /** A Cohort above the ClusterQueue is its own ancestor. */
  COHORT_CYCLE,
  /** The ClusterQueue can't admit for another reason, which it states itself. */
  CLUSTER_QUEUE_INACTIVE,

  // The scheduler.

  /** The ClusterQueue doesn't take Workloads of this namespace. */
  NAMESPACE_NOT_SELECTED,
  /** It asks for a resource that the ClusterQueue has no quota for. */
  RESOURCE_NOT_COVERED,
  /** No flavor suits its pods: taints, node selectors or node affinity. */
  FLAVORS_UNSUITABLE,
  /** It asks for more than the whole quota. */
  EXCEEDS_QUOTA,
  /** Its Cohort has enough, but the ClusterQueue must not borrow as much. */
  BORROWING_LIMITED,
  /** Its Cohort has enough, but others don't lend as much. */
  LENDING_LIMITED,
  /** Others were preempted for it and have not given their quota back yet. */
  PREEMPTING,
  /** Others use the quota; it is the next in line. */
  QUOTA_IN_USE,
  /** Others use the quota, and others are ahead of it. */
  BEHIND_OTHERS,
  /** Past usage decides who is next, and others have used less. */
  OTHERS_USED_LESS,
  /** It would fit, but the queue is strict and its head doesn't fit. */
  BLOCKED_BY_HEAD,
  /** Somebody is named in its annotation admission-gated-by. */
  ADMISSION_GATED,
  /** Another one has to start first. */
  WAITING_FOR_PODS_READY,
  /** Anything else that the scheduler states in the condition QuotaReserved. */
  NOT_RESERVED;

  /** The name as the API spells reasons: {@code RetryDelayed}. */
  public String code() {
    return Arrays.stream(name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(java.util.Locale.ROOT))
        .collect(Collectors.joining());
  }

  /** Whether this is no obstacle: the Workload runs or is through. */
  public boolean fine() {
    return this == FINISHED || this == RUNNING;
  }
}
