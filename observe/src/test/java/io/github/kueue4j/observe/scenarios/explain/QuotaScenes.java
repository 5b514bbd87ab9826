// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import java.time.Duration;
import java.util.List;

/** Workloads for which the scheduler doesn't reserve quota. */
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
            .shows(Reason.NAMESPACE_NOT_SELECTED, Actor.QUEUE_ADMINISTRATOR, "allowed"),
        Scene.of(
                "an unknown resource",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.apply(
                      TestJob.named("job")
                          .queue("lq")
                          .resources("requests: {example.com/gpu: 1}, limits: {example.com/gpu: 1}")
                          .yaml());
                  cluster.workload("job");
                  cluster.pass(World.A_WHILE);
                })
            .shows(Reason.RESOURCE_NOT_COVERED, Actor.WORKLOAD_OWNER, "example.com/gpu"),
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
            .shows(Reason.FLAVORS_UNSUITABLE, Actor.WORKLOAD_OWNER, "spot=true:NoSchedule"),
        Scene.of(
                "a node selector that no flavor satisfies",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.job("job", 1, "nodeSelector: {flavor: other}", true);
                  cluster.workload("job");
                  cluster.pass(World.A_WHILE);
                })
            .shows(Reason.FLAVORS_UNSUITABLE, Actor.WORKLOAD_OWNER, "node affinity"),
        Scene.of(
                "another LocalQueue has used less",
                "job/waiting",
                QuotaScenes::behindAnotherLocalQueue)
            .shows(
                Reason.OTHERS_USED_LESS,
                Actor.NONE,
                "team/lq has used",
                "team/other nothing",
                "4 of 4 used"),
        Scene.of(
                "another LocalQueue had used less when usage still counted",
                "job/waiting",
                cluster -> {
                  behindAnotherLocalQueue(cluster);
                  cluster.crashCore();
                  cluster.startCore();
                  cluster.pass(Duration.ofMinutes(6));
                })
            .shows(
                Reason.QUOTA_IN_USE,
                Actor.NONE,
                "spec.admissionScope has no effect: admission fair sharing is off",
                "4 of 4 used"),
        Scene.of(
                "more than all the quota",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=4");
                  waiting(cluster, "job", 5);
                })
            .shows(Reason.EXCEEDS_QUOTA, Actor.WORKLOAD_OWNER, "ExceedsMaxQuota", "0 of 4 used"),
        Scene.of(
                "more than the queue may borrow",
                "job/job",
                cluster -> {
                  shared(cluster, "nominalQuota: 1, borrowingLimit: 1", "nominalQuota: 4");
                  waiting(cluster, "job", 3);
                })
            .shows(
                Reason.BORROWING_LIMITED,
                Actor.WORKLOAD_OWNER,
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
            .shows(Reason.LENDING_LIMITED, Actor.WORKLOAD_OWNER, "lendingLimit", "0 of 2 used"),
        Scene.of(
                "another queue of the cohort uses the quota",
                "job/job",
                cluster -> {
                  shared(cluster, "nominalQuota: 1", "nominalQuota: 4");
                  cluster.apply(TestJob.named("there").queue("other").cpus(4).yaml());
                  cluster.awaitSuspended("there", false);
                  waiting(cluster, "job", 2);
                })
            .shows(
                Reason.QUOTA_IN_USE,
                Actor.NONE,
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
            .shows(Reason.QUOTA_IN_USE, Actor.NONE, "WaitingForQuota", "1 of 2 used", "1 cpu in"),
        Scene.of(
                "others use the quota, and one of higher priority waits too",
                "job/job",
                cluster -> {
                  occupied(cluster, "queueingStrategy: BestEffortFIFO");
                  priority(cluster, "urgent", 2);
                  waiting(cluster, "job", 2);
                })
            .shows(Reason.BEHIND_OTHERS, Actor.NONE, "place 2", "(priority 100)"),
        Scene.of(
                "its victims have not stopped yet",
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
                Actor.NONE,
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
                Actor.QUEUE_ADMINISTRATOR,
                "StrictFIFO",
                "insufficient unused quota for cpu"),
        Scene.of(
                "a strict queue whose head can never fit",
                "job/job",
                cluster -> {
                  World.queue(cluster, "queueingStrategy: StrictFIFO", "default=1");
                  waiting(cluster, "head", 2);
                  waiting(cluster, "job", 1);
                })
            .shows(
                Reason.BLOCKED_BY_HEAD,
                Actor.QUEUE_ADMINISTRATOR,
                "job-head",
                "can never fit",
                "Deactivating it lets the others pass"),
        Scene.of(
                "the head of a strict queue that can never fit",
                "job/head",
                cluster -> {
                  World.queue(cluster, "queueingStrategy: StrictFIFO", "default=1");
                  waiting(cluster, "head", 2);
                })
            .shows(
                Reason.EXCEEDS_QUOTA,
                Actor.WORKLOAD_OWNER,
                "No other workload passes it",
                "spec.active: false"),
        Scene.of(
                "the scheduler states another reason",
                "bare",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.settle();
                  cluster.crashCore();
                  World.bare(cluster, "lq");
                  World.notReserved(
                      cluster, "bare", "TopologyPlacementFailed", "no topology domain fits");
                })
            .shows(Reason.NOT_RESERVED, Actor.WORKLOAD_OWNER, "no topology domain"),
        Scene.of(
                "quota is free, the core is about to reserve it",
                "bare",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.settle();
                  cluster.crashCore();
                  World.bare(cluster, "lq");
                })
            .shows(Reason.CORE_ABOUT_TO_ACT, Actor.NONE, "0 of 1 used")
            .wakesIn(Duration.ZERO),
        Scene.of(
                "quota is free, and no core is running",
                "bare",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.settle();
                  cluster.crashCore();
                  World.bare(cluster, "lq");
                  cluster.advance(Duration.ofMinutes(2));
                })
            .shows(Reason.CORE_NOT_RUNNING, Actor.CORE_OPERATOR, "2m ago", "absent"));
  }

  /** A Job that waits, while another LocalQueue of its ClusterQueue has used less. */
  private static void behindAnotherLocalQueue(TestCluster cluster) {
    cluster.queue("admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}", "default=4");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: other, namespace: team}
        spec: {clusterQueue: cq}
        """);
    cluster.startCore("admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 5m}\n");
    cluster.job("running", 4);
    cluster.awaitSuspended("running", false);
    waiting(cluster, "waiting", 1);
    World.bare(cluster, "other");
    cluster.settle();
    cluster.pass(Duration.ofMinutes(6));
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

  /** One of two CPUs is in use. */
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
    cluster.apply(TestJob.named(name).queue("lq").priority("urgent").cpus(cpus).yaml());
    cluster.workload(name);
    cluster.pass(World.A_WHILE);
  }
}
