// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import java.time.Duration;
import java.util.List;

/** Admitted Workloads with a time limit. */
final class LimitScenes {
  private static final String WAITS =
      "waitForPodsReady: {timeout: 5m, recoveryTimeout: 2m, requeuingStrategy: {}}";

  private LimitScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of(
                "missing pods have until the timeout",
                "job/job",
                cluster -> {
                  installed(cluster, WAITS);
                  started(cluster);
                  cluster.advance(Duration.ofMinutes(1));
                })
            .shows(Reason.PODS_NOT_CREATED, Actor.CLUSTER_OPERATOR, "in 4m", "it is evicted")
            .wakesIn(Duration.ofMinutes(4)),
        Scene.of(
                "pods that are not ready have until the timeout",
                "job/job",
                cluster -> {
                  installed(cluster, WAITS);
                  started(cluster);
                  cluster.podsRun("job");
                  cluster.advance(Duration.ofMinutes(2));
                })
            .shows(Reason.PODS_NOT_READY, Actor.WORKLOAD_OWNER, "have until", "in 3m")
            .wakesIn(Duration.ofMinutes(3)),
        Scene.of(
                "pods that are lost have until the recovery timeout",
                "job/job",
                cluster -> {
                  installed(cluster, WAITS);
                  started(cluster);
                  cluster.podsRun("job");
                  ready(cluster, 1);
                  cluster.advance(Duration.ofMinutes(20));
                  ready(cluster, 0);
                  cluster.advance(Duration.ofSeconds(30));
                })
            .shows(Reason.PODS_NOT_READY, Actor.WORKLOAD_OWNER, "WaitForRecovery", "in 1m30s")
            .wakesIn(Duration.ofSeconds(90)),
        Scene.of(
                "pods that are not ready, with an unknown configuration of the core",
                "job/job",
                cluster -> {
                  started(cluster);
                  cluster.podsRun("job");
                  cluster.settle();
                })
            .shows(Reason.PODS_NOT_READY, Actor.WORKLOAD_OWNER, "can't be read from here"),
        Scene.of(
                "running with a maximum execution time",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.apply(
                      TestJob.named("job")
                          .queue("lq")
                          .label("kueue.x-k8s.io/max-exec-time-seconds", "3600")
                          .cpus(1)
                          .yaml());
                  cluster.awaitSuspended("job", false);
                  cluster.podsRun("job");
                  cluster.advance(Duration.ofMinutes(15));
                })
            .shows(Reason.RUNNING, Actor.NONE, "in 45m", "maximum execution time is over")
            .wakesIn(Duration.ofMinutes(45)));
  }

  /** A Job that was just started and whose pods the core waits for. */
  private static void started(TestCluster cluster) {
    cluster.queue("", "default=1");
    cluster.startCore(WAITS);
    cluster.job("job", 1);
    cluster.awaitSuspended("job", false);
    cluster.settle();
  }

  /** The ConfigMap of the chart, and the lease of the core's leader election. */
  static void installed(TestCluster cluster, String configuration) {
    cluster.apply(
        """
        {apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}
        ---
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: c1f6bfd2.kueue.x-k8s.io, namespace: kueue-system}
        spec: {holderIdentity: core, leaseDurationSeconds: 15,
          renewTime: "2026-01-05T08:00:00.000000Z"}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: kueue-manager-config, namespace: kueue-system}
        data:
          controller_manager_config.yaml: |
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            %s
        """
            .formatted(configuration));
  }

  private static void ready(TestCluster cluster, int pods) {
    World.patchStatus(
        cluster, CoreTypes.JOB, TestCluster.key("job"), "{\"status\": {\"ready\": " + pods + "}}");
    cluster.settle();
  }
}
