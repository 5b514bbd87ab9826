// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.webhooks;

import java.util.List;
import java.util.stream.Stream;

/**
 * A write that is refused.
 *
 * @param before what is there first; empty for a create
 * @param status what its status is then; empty for none
 * @param after what is written
 * @param part the subresource; empty for the object
 * @param refusal parts of the message, separated by "..."
 */
record Refusal(
    String path, String before, String status, String after, String part, String refusal) {
  static final String CLUSTER_QUEUES = "/apis/kueue.x-k8s.io/v1beta2/clusterqueues";
  static final String COHORTS = "/apis/kueue.x-k8s.io/v1beta2/cohorts";
  static final String FLAVORS = "/apis/kueue.x-k8s.io/v1beta2/resourceflavors";
  static final String LOCAL_QUEUES = "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/localqueues";
  static final String WORKLOADS = "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";
  static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

  /** Where Jobs get no defaults. */
  static final String PLAIN_JOBS = "/apis/batch/v1/namespaces/plain/jobs";

  /** Instead of a status: the Job runs. */
  static final String STARTED = "started";

  /** All of them. */
  static List<Refusal> all() {
    return Stream.of(
            QueueRefusals.queues(),
            QueueRefusals.flavors(),
            WorkloadRefusals.workloads(),
            JobRefusals.jobs())
        .flatMap(rows -> rows)
        .toList();
  }

  static Refusal create(String path, String object, String refusal) {
    return new Refusal(path, "", "", object, "", refusal);
  }

  static Refusal update(String path, String before, String after, String refusal) {
    return new Refusal(path, before, "", after, "", refusal);
  }

  @Override
  public String toString() {
    return path.substring(path.lastIndexOf('/') + 1)
        + (before.isEmpty() ? " create: " : " update: ")
        + refusal;
  }
}
