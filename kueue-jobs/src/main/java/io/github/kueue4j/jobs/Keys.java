// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import java.util.List;
import org.apiguardian.api.API;

/** Labels, annotations and the finalizer on Jobs, Workloads and pod templates. */
@API(status = API.Status.INTERNAL)
public final class Keys {
  /** Finalizer of a Workload that belongs to a Job, and of queues and flavors in use. */
  public static final String FINALIZER = "kueue.x-k8s.io/resource-in-use";

  /** Label of a Job: its LocalQueue. */
  public static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";

  /** Label of a Job: its WorkloadPriorityClass. */
  public static final String PRIORITY_CLASS = "kueue.x-k8s.io/priority-class";

  /**
   * Label of a Workload, of the pods of a declared kind and of a plain pod: uid of the Job that
   * owns it.
   */
  public static final String JOB_UID = "kueue.x-k8s.io/job-uid";

  /** Label of a Job: its maximum execution time in seconds. */
  static final String MAX_EXECUTION_TIME = "kueue.x-k8s.io/max-exec-time-seconds";

  /** Annotation or label of a Job: its prebuilt Workload. */
  public static final String PREBUILT_WORKLOAD = "kueue.x-k8s.io/prebuilt-workload-name";

  /** Annotation of a Job and of its Workload: its admission gates. */
  public static final String ADMISSION_GATED_BY = "kueue.x-k8s.io/admission-gated-by";

  /** Annotation of a Job: its minimum parallelism. */
  static final String MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism";

  /** Annotation of a Job whose completions are to equal its parallelism when that is reduced. */
  static final String COMPLETIONS_EQUAL_PARALLELISM =
      "kueue.x-k8s.io/job-completions-equal-parallelism";

  /** Annotation of a Job whose stop isn't complete. */
  static final String STOPPING = "kueue.x-k8s.io/stopping";

  /** Label, with the value {@code true}, and finalizer of a plain pod that is managed. */
  public static final String MANAGED = "kueue.x-k8s.io/managed";

  /** Annotation of a pod template: the framework of the object that has given it its queue. */
  public static final String SUSPENDING_PARENT = "kueue.x-k8s.io/pod-suspending-parent";

  /** Scheduling gate of a plain pod that waits for quota. */
  public static final String ADMISSION_GATE = "kueue.x-k8s.io/admission";

  /** Label of a plain pod: its group. */
  public static final String POD_GROUP = "kueue.x-k8s.io/pod-group-name";

  /** Annotation of a plain pod: the number of pods of its group. */
  public static final String POD_GROUP_TOTAL = "kueue.x-k8s.io/pod-group-total-count";

  /** Annotation of a plain pod whose group is queued with its first pod. */
  public static final String POD_GROUP_FAST = "kueue.x-k8s.io/pod-group-fast-admission";

  /** Annotation of a plain pod whose group serves requests, and so never succeeds. */
  public static final String POD_GROUP_SERVING = "kueue.x-k8s.io/pod-group-serving";

  /** Label of a plain pod: its number in its group. */
  public static final String POD_INDEX = "kueue.x-k8s.io/pod-group-pod-index";

  /** Annotation of a plain pod: its label that has that number. */
  public static final String POD_INDEX_LABEL = "kueue.x-k8s.io/pod-group-pod-index-label";

  /** Labels and annotations of the pods of such groups, or of groups with a topology. */
  static final List<String> OF_SERVING_GROUPS =
      List.of(
          "kueue.x-k8s.io/pod-group-sets",
          "kueue.x-k8s.io/pod-group-role",
          POD_INDEX,
          POD_INDEX_LABEL);

  /** Annotation of a plain pod: {@code false} if no pod of its group is replaced. */
  public static final String RETRIABLE = "kueue.x-k8s.io/retriable-in-group";

  /** Annotation of a plain pod: its role in its group. */
  public static final String ROLE = "kueue.x-k8s.io/role-hash";

  /** Annotation of the Workload of one of several groups of an object: its number, from 0 on. */
  public static final String GROUP_INDEX = "kueue.x-k8s.io/component-workload-index";

  /**
   * Annotation of the Workload of a group of a LeaderWorkerSet: the revision of the templates that
   * the group was queued with.
   */
  public static final String GROUP_REVISION = "kueue4j.io/template-revision";

  /** Annotation, with the value {@code true}, of the Workload of a group of pods. */
  static final String GROUP_WORKLOAD = "kueue.x-k8s.io/is-group-workload";

  /**
   * Annotation of a Workload that stays out of its queue: with the value {@code true} of that of a
   * group that has fewer pods than places, with the cause of that of a Job whose pods aren't known.
   */
  public static final String AWAITS_PODS = "kueue4j.io/awaits-pods";

  /** Annotation that a Workload copies from its Job: after which others it starts, by a check. */
  static final String DEPENDS_ON = "kueue4j.io/depends-on";

  /** Prefix of annotations that a Workload copies from its Job. */
  static final String PROVISIONING_PREFIX = "provreq.kueue.x-k8s.io/";

  /** Label of a pod template: the pod set. */
  public static final String POD_SET = "kueue.x-k8s.io/podset";

  /** Label of a pod template: the LocalQueue. */
  public static final String LOCAL_QUEUE = "kueue.x-k8s.io/local-queue-name";

  /** Label of a pod template: the ClusterQueue. */
  public static final String CLUSTER_QUEUE = "kueue.x-k8s.io/cluster-queue-name";

  /** Annotation of a pod template: the Workload. */
  public static final String WORKLOAD = "kueue.x-k8s.io/workload";

  private Keys() {}
}
