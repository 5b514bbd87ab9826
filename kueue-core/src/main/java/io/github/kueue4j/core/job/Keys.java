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
package io.github.kueue4j.core.job;

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

  /** Label of a Workload: uid of the Job that owns it. */
  public static final String JOB_UID = "kueue.x-k8s.io/job-uid";

  /** Label of a Job: seconds for which it may be admitted in all. */
  static final String MAX_EXECUTION_TIME = "kueue.x-k8s.io/max-exec-time-seconds";

  /** Annotation or label of a Job: the Workload that somebody else has created for it. */
  public static final String PREBUILT_WORKLOAD = "kueue.x-k8s.io/prebuilt-workload-name";

  /** Annotation of a Job and of its Workload: who must agree before it is queued. */
  public static final String ADMISSION_GATED_BY = "kueue.x-k8s.io/admission-gated-by";

  /** Annotation of a Job: the fewest pods at once that would do. */
  static final String MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism";

  /** Annotation of a Job that runs as many pods as it has completions, whatever that number. */
  static final String COMPLETIONS_EQUAL_PARALLELISM =
      "kueue.x-k8s.io/job-completions-equal-parallelism";

  /** Annotation of a Job while it is being stopped. */
  static final String STOPPING = "kueue.x-k8s.io/stopping";

  /** Prefix of annotations that travel from the Job to its Workload. */
  static final String PROVISIONING_PREFIX = "provreq.kueue.x-k8s.io/";

  /** Label of a pod template: the pod set. */
  static final String POD_SET = "kueue.x-k8s.io/podset";

  /** Label of a pod template: the LocalQueue. */
  static final String LOCAL_QUEUE = "kueue.x-k8s.io/local-queue-name";

  /** Label of a pod template: the ClusterQueue. */
  static final String CLUSTER_QUEUE = "kueue.x-k8s.io/cluster-queue-name";

  /** Annotation of a pod template: the Workload. */
  static final String WORKLOAD = "kueue.x-k8s.io/workload";

  private Keys() {}
}
