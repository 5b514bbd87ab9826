// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.preemption;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import java.time.Duration;
import java.util.Objects;

/** A cluster with Jobs of several priorities. */
final class Contest {
  static final String LOWER = "preemption: {withinClusterQueue: LowerPriority}";
  static final String NEWER = "preemption: {withinClusterQueue: LowerOrNewerEqualPriority}";

  private Contest() {}

  /** Classes {@code low} (1), {@code mid} (50) and {@code high} (100). */
  static void classes(TestCluster cluster) {
    cluster.apply(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: low}, value: 1}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: mid}, value: 50}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: high}, value: 100}
        """);
  }

  /** A Job of a class, a second younger than whatever was there before. */
  static void job(TestCluster cluster, String name, String priority, int cpus) {
    job(cluster, name, priority, cpus, "lq");
  }

  static void job(TestCluster cluster, String name, String priority, int cpus, String queue) {
    cluster.advance(Duration.ofSeconds(1));
    cluster.apply(TestJob.named(name).queue(queue).priority(priority).cpus(cpus).yaml());
    cluster.workload(name);
  }

  /** A Job whose pods run. */
  static void running(TestCluster cluster, String name, String priority, int cpus) {
    running(cluster, name, priority, cpus, "lq");
  }

  static void running(TestCluster cluster, String name, String priority, int cpus, String queue) {
    job(cluster, name, priority, cpus, queue);
    cluster.awaitSuspended(name, false);
    cluster.podsRun(name);
  }

  static String uid(Workload workload) {
    return Objects.requireNonNull(workload.metadata().getUid());
  }
}
