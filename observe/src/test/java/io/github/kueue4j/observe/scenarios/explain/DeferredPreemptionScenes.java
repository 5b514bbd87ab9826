// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import java.time.Duration;
import java.util.List;

/** Workloads whose checks are asked before others are preempted for them. */
final class DeferredPreemptionScenes {
  private DeferredPreemptionScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of(
                "a check that defers the preemption", "job/urgent", DeferredPreemptionScenes::claim)
            .shows(
                Reason.CHECK_UNANSWERED,
                Actor.CHECK_OPERATOR,
                "No workload is preempted for it before budget is Ready or asks for it",
                "its quota is held by team/job-victim"),
        Scene.of(
                "a check that defers the preemption of the LocalQueue with the most usage",
                "job/urgent",
                DeferredPreemptionScenes::byUsage)
            .shows(
                Reason.CHECK_UNANSWERED,
                Actor.CHECK_OPERATOR,
                "No workload is preempted for it before budget is Ready or asks for it",
                "its quota is held by team/job-greedy"),
        Scene.of(
                "its checks have passed, and the victims still have pods",
                "job/urgent",
                cluster -> {
                  claim(cluster);
                  cluster.answer("urgent", "budget", CheckState.READY, null);
                  cluster.awaitSuspended("victim", true);
                  cluster.settle();
                  // Longer than the core may take for a step, but the victim's pods are the reason.
                  cluster.advance(Duration.ofMinutes(5));
                })
            .shows(
                Reason.PREEMPTING,
                Actor.NONE,
                "All its checks are Ready",
                "until 1 other has released quota: team/job-victim",
                "InClusterQueue"),
        Scene.of(
                "its checks have passed, and no core is running",
                "job/urgent",
                cluster -> {
                  claim(cluster);
                  cluster.settle();
                  cluster.crashCore();
                  cluster.answer("urgent", "budget", CheckState.READY, null);
                  cluster.advance(Duration.ofMinutes(5));
                })
            .shows(
                Reason.CORE_NOT_RUNNING,
                Actor.CORE_OPERATOR,
                "preempts others for it",
                "its quota is still held by team/job-victim"));
  }

  /** A Job whose reservation counts on the quota of another Job, whose pods run. */
  private static void claim(TestCluster cluster) {
    cluster.check("budget");
    World.patch(
        cluster,
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("budget"),
        "{\"spec\": {\"preemptionPolicy\": \"AfterCheckPassedOrOnDemand\"}}");
    World.queue(
        cluster,
        "preemption: {withinClusterQueue: LowerPriority}, " + World.ONE_CHECK,
        "default=2");
    cluster.job("victim", 2);
    cluster.answer("victim", "budget", CheckState.READY, null);
    cluster.awaitSuspended("victim", false);
    cluster.podsRun("victim");
    QuotaScenes.priority(cluster, "urgent", 2);
    cluster.awaitWorkload("urgent", TestCluster::reserved);
  }

  /**
   * Two LocalQueues of one ClusterQueue run a Job each. By age alone the younger one would be
   * preempted, but the queue of the older one has more usage.
   */
  private static void byUsage(TestCluster cluster) {
    cluster.check("budget");
    World.patch(
        cluster,
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("budget"),
        "{\"spec\": {\"preemptionPolicy\": \"AfterCheckPassedOrOnDemand\"}}");
    cluster.queue(
        "preemption: {withinClusterQueue: LowerPriority}, admissionScope: {admissionMode:"
            + " UsageBasedAdmissionFairSharing}, "
            + World.ONE_CHECK,
        "default=2");
    for (String queue : List.of("greedy", "modest")) {
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: %s, namespace: team}
          spec: {clusterQueue: cq}
          """
              .formatted(queue));
    }
    World.patchStatus(
        cluster,
        KueueTypes.LOCAL_QUEUE,
        TestCluster.key("greedy"),
        """
        {"status": {"fairSharing": {"weightedShare": 0, "admissionFairSharingStatus":
          {"consumedResources": {"cpu": "50"}, "lastUpdate": "%s"}}}}
        """
            .formatted(ApiTime.format(cluster.time.instant())));
    cluster.startCore("admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 5m}\n");
    for (String queue : List.of("greedy", "modest")) {
      cluster.advance(Duration.ofSeconds(1));
      cluster.apply(TestJob.named(queue).queue(queue).cpus(1).yaml());
      cluster.answer(queue, "budget", CheckState.READY, null);
      cluster.awaitSuspended(queue, false);
      cluster.podsRun(queue);
    }
    QuotaScenes.priority(cluster, "urgent", 1);
    cluster.awaitWorkload("urgent", TestCluster::reserved);
  }
}
