// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import java.time.Duration;
import java.util.List;

/** Workloads that checks have sent back, or refused for good. */
final class RetryScenes {
  private RetryScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of(
                "a Retry with a delay",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.answer("job", "budget", CheckState.RETRY, 3600);
                  cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
                  cluster.advance(Duration.ofMinutes(10));
                })
            .shows(
                Reason.RETRY_DELAYED,
                Actor.CHECK_CONTROLLER,
                "\"budget\"",
                "in 50m",
                "Retry by the test",
                "or earlier if a check ends its delay (example.com/test)")
            .wakesIn(Duration.ofMinutes(50)),
        Scene.of(
                "a Retry with a delay of a check that has become inactive since",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.answer("job", "budget", CheckState.RETRY, 3600);
                  cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
                  CheckScenes.inactive(cluster, "budget");
                })
            .shows(
                Reason.RETRY_DELAYED,
                Actor.CHECK_OPERATOR,
                "AdmissionCheck/budget",
                "no such parameters",
                "It gets no quota before these are active: AdmissionCheck budget. Then it queues")
            .wakesIn(Duration.ofHours(1)),
        Scene.of(
                "a Retry with a delay beside a check that only observes and isn't active",
                "job/job",
                cluster -> {
                  CheckScenes.besideObserving(cluster);
                  cluster.awaitWorkload("job", TestCluster::reserved);
                  cluster.answer("job", "budget", CheckState.RETRY, 3600);
                  cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
                  CheckScenes.inactive(cluster, "gpu");
                })
            .shows(
                Reason.RETRY_DELAYED,
                Actor.CHECK_CONTROLLER,
                "It queues again by itself when the last delay is over")
            .wakesIn(Duration.ofHours(1)),
        Scene.of(
                "a Retry with a delay above the check's limit",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  World.patch(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("budget"),
                      "{\"spec\": {\"retryLimits\": {\"maxDelay\": \"10m\"}}}");
                  cluster.settle();
                  cluster.answer("job", "budget", CheckState.RETRY, 3600);
                  cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
                })
            .shows(
                Reason.RETRY_DELAYED, Actor.CHECK_CONTROLLER, "in 10m, cut to retryLimits.maxDelay")
            .wakesIn(Duration.ofMinutes(10)),
        Scene.of(
                "two Retries, the later counts",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.TWO_CHECKS, "budget", "gpu");
                  cluster.answer("job", "budget", CheckState.RETRY, 600);
                  cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
                  cluster.answer("job", "gpu", CheckState.RETRY, 7200);
                  cluster.awaitWorkload(
                      "job",
                      workload ->
                          requeueAfter(workload, cluster).compareTo(Duration.ofHours(2)) == 0);
                })
            .shows(
                Reason.RETRY_DELAYED,
                Actor.CHECK_CONTROLLER,
                "2 admission checks",
                "\"gpu\" until",
                "also \"budget\" until")
            .wakesIn(Duration.ofHours(2)),
        Scene.of(
                "a Retry after the admission while the Job still has pods",
                "job/job",
                cluster -> {
                  World.running(cluster, World.ONE_CHECK, "budget");
                  cluster.answer("job", "budget", CheckState.RETRY, 300);
                  cluster.awaitSuspended("job", true);
                })
            .shows(
                Reason.JOB_STILL_STOPPING, Actor.CLUSTER_OPERATOR, "active 1", "Retry by the test")
            .wakesIn(Duration.ofMinutes(5)),
        Scene.of(
                "a Retry after the admission while a pod terminates that no status counts",
                "job/job",
                cluster -> {
                  World.running(cluster, World.ONE_CHECK, "budget");
                  cluster.pod("job", "n1");
                  cluster.answer("job", "budget", CheckState.RETRY, 300);
                  cluster.awaitSuspended("job", true);
                  cluster.deletePod("job");
                  cluster.podsGone("job");
                  cluster.settle();
                })
            .shows(
                Reason.JOB_STILL_STOPPING,
                Actor.CLUSTER_OPERATOR,
                "active 0",
                "Pod/team/job-pod",
                "Running, on node n1, deleted at ")
            .wakesIn(Duration.ofMinutes(5)),
        Scene.of(
                "a Retry whose delay is over, and no core is running",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.answer("job", "budget", CheckState.RETRY, 60);
                  cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
                  cluster.settle();
                  cluster.crashCore();
                  cluster.advance(Duration.ofMinutes(11));
                })
            .shows(Reason.CORE_NOT_RUNNING, Actor.CORE_OPERATOR, "10m ago", "requeueAt"),
        Scene.of(
                "a Rejected",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.answer("job", "budget", CheckState.REJECTED, null);
                  cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
                })
            .shows(
                Reason.REJECTED,
                Actor.WORKLOAD_OWNER,
                "Rejected by the test",
                "kubectl patch workload"));
  }

  private static Duration requeueAfter(Workload workload, TestCluster cluster) {
    var state = workload.status().requeueState();
    return state == null || state.requeueAt() == null
        ? Duration.ZERO
        : Duration.between(cluster.time.instant(), state.requeueAt());
  }
}
