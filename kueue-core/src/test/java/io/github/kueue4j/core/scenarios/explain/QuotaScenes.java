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
package io.github.kueue4j.core.scenarios.explain;

import io.github.kueue4j.core.explain.Party;
import io.github.kueue4j.core.explain.Reason;
import io.github.kueue4j.core.testing.TestCluster;
import java.time.Duration;
import java.util.List;

/** The scheduler doesn't reserve. */
final class QuotaScenes {
  private QuotaScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of(
                "namespace not selected",
                "job/job",
                cluster -> {
                  cluster.flavor("default");
                  cluster.apply(
                      """
                      apiVersion: kueue.x-k8s.io/v1beta2
                      kind: ClusterQueue
                      metadata: {name: cq}
                      spec:
                        namespaceSelector: {matchLabels: {batch: allowed}}
                        resourceGroups:
                        - coveredResources: [cpu]
                          flavors: [{name: default, resources: [{name: cpu, nominalQuota: 1}]}]
                      ---
                      apiVersion: kueue.x-k8s.io/v1beta2
                      kind: LocalQueue
                      metadata: {name: lq, namespace: team}
                      spec: {clusterQueue: cq}
                      """);
                  cluster.startCore();
                  waiting(cluster, "job", 1);
                })
            .shows(Reason.NAMESPACE_NOT_SELECTED, Party.QUEUE_ADMINISTRATOR, "allowed"),
        Scene.of(
                "an unknown resource",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.apply(
                      """
                      apiVersion: batch/v1
                      kind: Job
                      metadata: {name: job, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
                      spec:
                        suspend: true
                        template:
                          spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                            resources: {requests: {example.com/gpu: 1}, limits: {example.com/gpu: 1}}}]}
                      """);
                  cluster.workload("job");
                  cluster.pass(World.A_WHILE);
                })
            .shows(Reason.RESOURCE_NOT_COVERED, Party.WORKLOAD_OWNER, "example.com/gpu"),
        Scene.of(
                "a taint that the pods don't tolerate",
                "job/job",
                cluster -> {
                  cluster.queue("", "default=1");
                  cluster.apply(
                      """
                      apiVersion: kueue.x-k8s.io/v1beta2
                      kind: ResourceFlavor
                      metadata: {name: default}
                      spec: {nodeTaints: [{key: spot, value: "true", effect: NoSchedule}]}
                      """);
                  cluster.startCore();
                  waiting(cluster, "job", 1);
                })
            .shows(Reason.FLAVORS_UNSUITABLE, Party.WORKLOAD_OWNER, "spot=true:NoSchedule"),
        Scene.of(
                "a node selector that no flavor satisfies",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.job("job", 1, "nodeSelector: {flavor: other}", true);
                  cluster.workload("job");
                  cluster.pass(World.A_WHILE);
                })
            .shows(Reason.FLAVORS_UNSUITABLE, Party.WORKLOAD_OWNER, "node affinity"),
        Scene.of(
                "another LocalQueue has used less",
                "job/waiting",
                cluster -> {
                  cluster.queue(
                      "admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}",
                      "default=4");
                  cluster.apply(
                      """
                      apiVersion: kueue.x-k8s.io/v1beta2
                      kind: LocalQueue
                      metadata: {name: other, namespace: team}
                      spec: {clusterQueue: cq}
                      """);
                  cluster.startCore(
                      "admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 5m}\n");
                  cluster.job("running", 4);
                  cluster.awaitSuspended("running", false);
                  waiting(cluster, "waiting", 1);
                  World.bare(cluster, "other");
                  cluster.settle();
                  cluster.pass(Duration.ofMinutes(6));
                })
            .shows(
                Reason.OTHERS_USED_LESS,
                Party.NOBODY,
                "team/lq has used",
                "team/other nothing",
                "4 of 4 used"),
        Scene.of(
                "more than all the quota",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=4");
                  waiting(cluster, "job", 5);
                })
            .shows(Reason.EXCEEDS_QUOTA, Party.WORKLOAD_OWNER, "ExceedsMaxQuota", "0 of 4 used"),
        Scene.of(
                "more than the queue may borrow",
                "job/job",
                cluster -> {
                  shared(cluster, "nominalQuota: 1, borrowingLimit: 1", "nominalQuota: 4");
                  waiting(cluster, "job", 3);
                })
            .shows(
                Reason.BORROWING_LIMITED,
                Party.WORKLOAD_OWNER,
                "borrowingLimit",
                "0 of 2 used",
                "Cohort/pool",
                "cpu in default: 0 of 5 used"),
        Scene.of(
                "more than the others lend",
                "job/job",
                cluster -> {
                  shared(cluster, "nominalQuota: 1", "nominalQuota: 4, lendingLimit: 1");
                  waiting(cluster, "job", 3);
                })
            .shows(Reason.LENDING_LIMITED, Party.WORKLOAD_OWNER, "lendingLimit", "0 of 2 used"),
        Scene.of(
                "another queue of the cohort uses the quota",
                "job/job",
                cluster -> {
                  shared(cluster, "nominalQuota: 1", "nominalQuota: 4");
                  cluster.apply(
                      """
                      apiVersion: batch/v1
                      kind: Job
                      metadata: {name: there, namespace: team, labels: {kueue.x-k8s.io/queue-name: other}}
                      spec:
                        suspend: true
                        template:
                          spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                            resources: {requests: {cpu: 4}}}]}
                      """);
                  cluster.awaitSuspended("there", false);
                  waiting(cluster, "job", 2);
                })
            .shows(
                Reason.QUOTA_IN_USE,
                Party.NOBODY,
                "0 of 5 used",
                "Cohort/pool",
                "cpu in default: 4 of 5 used",
                "job-there"),
        Scene.of(
                "others use the quota",
                "job/job",
                cluster -> {
                  occupied(cluster, "");
                  waiting(cluster, "job", 2);
                })
            .shows(Reason.QUOTA_IN_USE, Party.NOBODY, "WaitingForQuota", "1 of 2 used", "1 cpu in"),
        Scene.of(
                "others use the quota, and one of higher priority waits too",
                "job/job",
                cluster -> {
                  occupied(cluster, "queueingStrategy: BestEffortFIFO");
                  priority(cluster, "urgent", 2);
                  waiting(cluster, "job", 2);
                })
            .shows(Reason.BEHIND_OTHERS, Party.NOBODY, "place 2", "(priority 100)"),
        Scene.of(
                "those it preempts have not stopped yet",
                "job/urgent",
                cluster -> {
                  World.queue(
                      cluster, "preemption: {withinClusterQueue: LowerPriority}", "default=2");
                  cluster.job("holder", 2);
                  cluster.awaitSuspended("holder", false);
                  cluster.podsRun("holder");
                  priority(cluster, "urgent", 2);
                })
            .shows(
                Reason.PREEMPTING,
                Party.NOBODY,
                "Pending the preemption of 1 workload(s)",
                "job-holder",
                "InClusterQueue"),
        Scene.of(
                "a strict queue whose head doesn't fit",
                "job/job",
                cluster -> {
                  occupied(cluster, "queueingStrategy: StrictFIFO");
                  waiting(cluster, "head", 2);
                  waiting(cluster, "job", 1);
                })
            .shows(
                Reason.BLOCKED_BY_HEAD,
                Party.QUEUE_ADMINISTRATOR,
                "StrictFIFO",
                "insufficient unused quota for cpu"),
        Scene.of(
                "the scheduler holds it back for a reason of its own",
                "bare",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.settle();
                  cluster.crashCore();
                  World.bare(cluster, "lq");
                  World.notReserved(
                      cluster, "bare", "TopologyPlacementFailed", "no topology domain fits");
                })
            .shows(Reason.NOT_RESERVED, Party.WORKLOAD_OWNER, "no topology domain"),
        Scene.of(
                "quota is there, the core is about to take it",
                "bare",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.settle();
                  cluster.crashCore();
                  World.bare(cluster, "lq");
                })
            .shows(Reason.CORE_ABOUT_TO_ACT, Party.NOBODY, "0 of 1 used")
            .wakesIn(Duration.ZERO),
        Scene.of(
                "quota is there, and no core takes it",
                "bare",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.settle();
                  cluster.crashCore();
                  World.bare(cluster, "lq");
                  cluster.advance(Duration.ofMinutes(2));
                })
            .shows(Reason.CORE_NOT_RUNNING, Party.CORE_OPERATOR, "2m ago", "absent"));
  }

  /** The queue {@code cq} of the Job and another one in the Cohort {@code pool}. */
  private static void shared(TestCluster cluster, String own, String others) {
    cluster.flavor("default");
    for (String[] queue : new String[][] {{"cq", "lq", own}, {"other", "other", others}}) {
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: %1$s}
          spec:
            namespaceSelector: {}
            cohortName: pool
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: default, resources: [{name: cpu, %3$s}]}]
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: %2$s, namespace: team}
          spec: {clusterQueue: %1$s}
          """
              .formatted((Object[]) queue));
    }
    cluster.startCore();
  }

  /** One of two CPUs is taken. */
  private static void occupied(TestCluster cluster, String more) {
    World.queue(cluster, more, "default=2");
    cluster.job("holder", 1);
    cluster.awaitWorkload("holder", TestCluster::admitted);
  }

  private static void waiting(TestCluster cluster, String name, int cpus) {
    cluster.job(name, cpus);
    cluster.workload(name);
    cluster.pass(World.A_WHILE);
  }

  static void priority(TestCluster cluster, String name, int cpus) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: WorkloadPriorityClass
        metadata: {name: urgent}
        value: 100
        """);
    cluster.settle();
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: team
          labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/priority-class: urgent}
        spec:
          suspend: true
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: %s}}}]}
        """
            .formatted(name, cpus));
    cluster.workload(name);
    cluster.pass(World.A_WHILE);
  }
}
