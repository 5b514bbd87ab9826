// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.testing;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.jobs.JobWorkloadKeys;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1Job;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** What a test sees of a {@link TestCluster}, through the API alone, and how it waits for that. */
public interface ClusterObservations {
  /** The cluster that is observed. */
  TestCluster cluster();

  /** The Job, which must exist. */
  default V1Job job(String name) {
    return cluster().api.get(CoreTypes.JOB, TestCluster.key(name)).orElseThrow();
  }

  /** The Workload of a Job; waits for it to be created. */
  default Workload workload(String job) {
    ObjectKey key = JobWorkloadKeys.of(CoreTypes.JOB, job(job));
    return await()
        .until(() -> cluster().api.get(KueueTypes.WORKLOAD, key), Optional::isPresent)
        .orElseThrow();
  }

  /** All Workloads of the namespace. */
  default List<Workload> workloads() {
    return cluster()
        .api
        .list(KueueTypes.WORKLOAD, ListOptions.inNamespace(TestCluster.NAMESPACE))
        .items();
  }

  default ClusterQueue clusterQueue() {
    return cluster().api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq")).orElseThrow();
  }

  default LocalQueue localQueue() {
    return cluster().api.get(KueueTypes.LOCAL_QUEUE, TestCluster.key("lq")).orElseThrow();
  }

  /** Waits until the Workload of a Job is as it should be, and returns it. */
  default Workload awaitWorkload(String job, Predicate<Workload> expected) {
    return await().alias("workload of " + job).until(() -> workload(job), expected);
  }

  /** Waits until the Job runs or is suspended. */
  default void awaitSuspended(String job, boolean suspended) {
    await()
        .until(
            () ->
                Boolean.TRUE.equals(Objects.requireNonNull(job(job).getSpec()).getSuspend())
                    == suspended);
  }

  /** Waits until something holds. */
  default void awaitThat(String what, Predicate<TestCluster> expected) {
    await().alias(what).until(() -> expected.test(cluster()));
  }
}
