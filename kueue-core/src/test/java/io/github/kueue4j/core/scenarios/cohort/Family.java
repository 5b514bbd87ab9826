// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.cohort;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;

/** Applies Cohorts, ClusterQueues and Jobs; quotas are of cpu in the flavor {@code default}. */
final class Family {
  private final TestCluster cluster;

  Family(TestCluster cluster) {
    this.cluster = cluster;
    cluster.flavor("default");
  }

  /**
   * A Cohort.
   *
   * @param parent name of its parent; empty for a root
   * @param cpu fields of its quota such as {@code nominalQuota: 4}; empty for no quota
   */
  void cohort(String name, String parent, String cpu) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Cohort
        metadata: {name: %s}
        spec: {resourceGroups: [%s]%s}
        """
            .formatted(name, groups(cpu), parent.isEmpty() ? "" : ", parentName: " + parent));
  }

  /**
   * A ClusterQueue with a LocalQueue of the same name.
   *
   * @param cohort name of its Cohort; empty for none
   * @param cpu fields of its quota such as {@code nominalQuota: 4, lendingLimit: 1}
   */
  void queue(String name, String cohort, String cpu) {
    queue(name, cohort, cpu, "");
  }

  void queue(String name, String cohort, String cpu, String more) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %1$s}
        spec: {namespaceSelector: {}, resourceGroups: [%2$s]%3$s%4$s}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: %1$s, namespace: %5$s}
        spec: {clusterQueue: %1$s}
        """
            .formatted(
                name,
                groups(cpu),
                cohort.isEmpty() ? "" : ", cohortName: " + cohort,
                more.isEmpty() ? "" : ", " + more,
                TestCluster.NAMESPACE));
  }

  void job(String queue, String name, int cpus) {
    cluster.apply(TestJob.named(name).queue(queue).cpus(cpus).yaml());
  }

  ClusterQueue queue(String name) {
    return cluster.api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(name)).orElseThrow();
  }

  private static String groups(String cpu) {
    return cpu.isEmpty()
        ? ""
        : "{coveredResources: [cpu], flavors: [{name: default, resources: [{name: cpu, "
            + cpu
            + "}]}]}";
  }
}
