// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import java.time.Duration;
import java.util.List;

/** Workloads that wait for admission checks. */
final class CheckScenes {
  private CheckScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of(
                "a check without a message",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.advance(Duration.ofMinutes(5));
                })
            .shows(
                Reason.CHECK_UNANSWERED,
                Actor.CHECK_OPERATOR,
                "for 5m, and the controller example.com/test has not said why",
                "Check that the controller"),
        Scene.of(
                "a check that is being evaluated",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.advance(Duration.ofSeconds(16));
                })
            .shows(
                Reason.CHECK_UNANSWERED,
                Actor.CHECK_OPERATOR,
                "for 16s: the controller example.com/test may be evaluating it",
                "Ask again in a minute"),
        Scene.of(
                "a check that is asked before quota",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  World.patch(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("budget"),
                      "{\"metadata\": {\"annotations\": {\"kueue4j.io/stage\": \"BeforeQuota\"}}}");
                  World.queue(cluster, World.ONE_CHECK, "default=1");
                  cluster.job("job", 1);
                  cluster.awaitWorkload("job", CheckStage::asks);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "No quota is reserved for it before checks say Ready",
                "Waits for AdmissionCheck budget before quota"),
        Scene.of(
                "a check that is asked after another before quota, and one that is asked with it",
                "job/job",
                cluster -> {
                  for (String check : List.of("budget", "gpu", "cpu")) {
                    cluster.check(check);
                    World.patch(
                        cluster,
                        KueueTypes.ADMISSION_CHECK,
                        ObjectKey.cluster(check),
                        switch (check) {
                          case "budget" ->
                              "{\"metadata\": {\"annotations\": {\"kueue4j.io/stage\": \"BeforeQuota\"}}}";
                          case "gpu" ->
                              "{\"metadata\": {\"annotations\": {\"kueue4j.io/stage\": \"BeforeQuota\", \"kueue4j.io/after\": \"budget\"}}}";
                          default ->
                              "{\"metadata\": {\"annotations\": {\"kueue4j.io/after\": \"gpu\"}}}";
                        });
                  }
                  World.queue(
                      cluster,
                      "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: gpu}, {name: cpu}]}",
                      "default=1");
                  cluster.job("job", 1);
                  cluster.awaitWorkload("job", CheckStage::asks);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "budget before quota. The check \"gpu\" is asked once budget is Ready."),
        Scene.of(
                "a check that has refused, and an alternative to it",
                "job/job",
                cluster -> {
                  alternatives(cluster);
                  cluster.answer("job", "budget", CheckState.RETRY, 3600);
                  cluster.answer("job", "gpu", CheckState.PENDING, null);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "The admission check \"gpu\" has been pending",
                "Of budget, gpu one Ready is enough."),
        Scene.of(
                "alternatives that have refused",
                "job/job",
                cluster -> {
                  alternatives(cluster);
                  cluster.answer("job", "budget", CheckState.RETRY, 7200);
                  cluster.answer("job", "gpu", CheckState.RETRY, 3600);
                })
            .shows(
                Reason.RETRY_DELAYED,
                Actor.CHECK_CONTROLLER,
                "The admission check asks for another try later: \"gpu\" until")
            .wakesIn(Duration.ofHours(1)),
        Scene.of(
                "a check that has rejected, and an alternative to it",
                "job/job",
                cluster -> {
                  alternatives(cluster);
                  cluster.answer("job", "budget", CheckState.REJECTED, null);
                  cluster.answer("job", "gpu", CheckState.PENDING, null);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "The admission check \"gpu\" has been pending"),
        Scene.of(
                "a check that is asked after another",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  cluster.check("gpu");
                  comesAfter(cluster, "gpu", "budget");
                  World.queue(cluster, World.TWO_CHECKS, "default=1");
                  cluster.job("job", 1);
                  cluster.awaitWorkload("job", TestCluster::reserved);
                  cluster.answer("job", "budget", CheckState.PENDING, null);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "\"budget\" has been pending",
                "The check \"gpu\" is asked once budget is Ready."),
        Scene.of(
                "a check that only observes beside one that is asked",
                "job/job",
                cluster -> {
                  besideObserving(cluster);
                  cluster.awaitWorkload("job", TestCluster::reserved);
                  cluster.answer("job", "gpu", CheckState.RETRY, 3600);
                  cluster.answer("job", "budget", CheckState.PENDING, null);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "\"budget\" has been pending",
                "Observe mode: would have answered Retry: Retry by the test (its check is in the"
                    + " mode Observe, and nothing waits for it)"),
        Scene.of(
                "a check that only observes what is admitted, and is silent",
                "job/job",
                cluster -> {
                  besideObserving(cluster);
                  cluster.answer("job", "budget", CheckState.READY, null);
                  cluster.awaitSuspended("job", false);
                  cluster.podsRun("job");
                })
            .shows(
                Reason.RUNNING,
                Actor.NONE,
                "Pending since",
                "(its check is in the mode Observe, and nothing waits for it)"),
        Scene.of(
                "a check that is active, and whose mode is mistyped",
                "job/job",
                cluster -> {
                  mode(cluster, "observe");
                  World.queue(
                      cluster,
                      "admissionChecksStrategy: {admissionChecks: [{name: gpu}]}",
                      "default=1");
                  cluster.job("job", 1);
                })
            .shows(
                Reason.CHECK_NOT_ACTIVE,
                Actor.CHECK_OPERATOR,
                "inactive AdmissionCheck(s): gpu (metadata.annotations['kueue4j.io/mode'] is"
                    + " 'observe', which is no mode: write Observe or Enforce"),
        Scene.of(
                "a check that is asked before quota and named for some flavors",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  World.patch(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("budget"),
                      "{\"metadata\": {\"annotations\": {\"kueue4j.io/stage\": \"BeforeQuota\"}}}");
                  World.queue(
                      cluster,
                      "admissionChecksStrategy: {admissionChecks: [{name: budget, onFlavors: [default]}]}",
                      "default=1");
                  cluster.job("job", 1);
                })
            .shows(
                Reason.CHECK_NOT_ACTIVE,
                Actor.QUEUE_ADMINISTRATOR,
                "can't use the admission check budget: it is asked before quota, when no flavor is"
                    + " chosen: leave onFlavors out of its rule"),
        Scene.of(
                "two active checks that come after each other",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  cluster.check("gpu");
                  comesAfter(cluster, "budget", "gpu");
                  comesAfter(cluster, "gpu", "budget");
                  World.queue(cluster, World.TWO_CHECKS, "default=1");
                  cluster.job("job", 1);
                })
            .shows(
                Reason.CHECK_NOT_ACTIVE,
                Actor.QUEUE_ADMINISTRATOR,
                "can't use the admission check budget: metadata.annotations['kueue4j.io/after'] is"
                    + " 'gpu', so it comes after itself by way of gpu: leave",
                "; gpu: metadata.annotations['kueue4j.io/after'] is 'budget'",
                "or the annotation of the AdmissionCheck"),
        Scene.of(
                "a check that isn't active, and one that is asked before quota and named for some"
                    + " flavors",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  World.patch(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("budget"),
                      "{\"metadata\": {\"annotations\": {\"kueue4j.io/stage\": \"BeforeQuota\"}}}");
                  cluster.check("gpu");
                  World.patchStatus(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("gpu"),
                      """
                      {"status": {"conditions": [{"type": "Active", "status": "False",
                        "reason": "BadParametersRef", "message": "no such parameters",
                        "lastTransitionTime": "2020-01-01T00:00:00Z"}]}}
                      """);
                  World.queue(
                      cluster,
                      "admissionChecksStrategy: {admissionChecks: [{name: budget, onFlavors: [default]},"
                          + " {name: gpu}]}",
                      "default=1");
                  cluster.job("job", 1);
                })
            .shows(
                Reason.CHECK_NOT_ACTIVE,
                Actor.CHECK_OPERATOR,
                "requires an admission check that isn't active. It also can't use the admission"
                    + " check budget: it is asked before quota",
                "no such parameters",
                "Check that the controller runs",
                "leave onFlavors out of its rule"),
        Scene.of(
                "a record of a check that is enforced now, and that no core has seen yet",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.crashCore();
                  cluster.writeEntry(
                      () -> cluster.workload("job"),
                      "budget",
                      entry ->
                          entry
                              .withState(CheckState.READY)
                              .withMessage(
                                  new ObservedAnswer(CheckState.RETRY, "Full", "none").text()));
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "Observe mode: would have answered Retry (Full): none"),
        Scene.of(
                "a check with a message",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.answer("job", "budget", CheckState.PENDING, null);
                })
            .shows(Reason.CHECK_PENDING, Actor.CHECK_OPERATOR, "Pending by the test"),
        Scene.of(
                "a check with a pending timeout",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  World.patch(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("budget"),
                      "{\"spec\": {\"pendingTimeoutSeconds\": 600}}");
                  World.queue(cluster, World.ONE_CHECK, "default=1");
                  cluster.job("job", 1);
                  cluster.awaitWorkload("job", TestCluster::reserved);
                  cluster.advance(Duration.ofMinutes(4));
                })
            .shows(Reason.CHECK_UNANSWERED, Actor.CHECK_OPERATOR, "for 4m")
            .wakesIn(Duration.ofMinutes(6)),
        Scene.of(
                "a check whose controller gave up after the reservation",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.TWO_CHECKS, "budget", "gpu");
                  World.patchStatus(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("gpu"),
                      """
                      {"status": {"conditions": [{"type": "Active", "status": "False",
                        "reason": "BadParametersRef", "message": "no such parameters",
                        "lastTransitionTime": "2020-01-01T00:00:00Z"}]}}
                      """);
                  cluster.settle();
                })
            .shows(
                Reason.CHECK_INACTIVE,
                Actor.CHECK_OPERATOR,
                "\"gpu\"",
                "no such parameters",
                "Also pending: budget"),
        Scene.of("a check that defers the preemption", "job/urgent", CheckScenes::claim)
            .shows(
                Reason.CHECK_UNANSWERED,
                Actor.CHECK_OPERATOR,
                "No workload is preempted for it before budget is Ready or asks for it",
                "its quota is held by team/job-victim"),
        Scene.of(
                "a check that defers the preemption of the LocalQueue with the most usage",
                "job/urgent",
                CheckScenes::byUsage)
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
                "its quota is still held by team/job-victim"),
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
                  inactive(cluster, "budget");
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
                  besideObserving(cluster);
                  cluster.awaitWorkload("job", TestCluster::reserved);
                  cluster.answer("job", "budget", CheckState.RETRY, 3600);
                  cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
                  inactive(cluster, "gpu");
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

  private static void comesAfter(TestCluster cluster, String check, String other) {
    World.patch(
        cluster,
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster(check),
        "{\"metadata\": {\"annotations\": {\"kueue4j.io/after\": \"%s\"}}}".formatted(other));
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

  private static Duration requeueAfter(Workload workload, TestCluster cluster) {
    var state = workload.status().requeueState();
    return state == null || state.requeueAt() == null
        ? Duration.ZERO
        : Duration.between(cluster.time.instant(), state.requeueAt());
  }

  private static void inactive(TestCluster cluster, String check) {
    World.patchStatus(
        cluster,
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster(check),
        """
        {"status": {"conditions": [{"type": "Active", "status": "False",
          "reason": "BadParametersRef", "message": "no such parameters",
          "lastTransitionTime": "2020-01-01T00:00:00Z"}]}}
        """);
  }

  /** A Job whose queue asks budget, while gpu only observes. */
  private static void besideObserving(TestCluster cluster) {
    cluster.check("budget");
    mode(cluster, "Observe");
    World.queue(cluster, World.TWO_CHECKS, "default=1");
    cluster.job("job", 1);
  }

  private static void mode(TestCluster cluster, String mode) {
    cluster.check("gpu");
    World.patch(
        cluster,
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("gpu"),
        "{\"metadata\": {\"annotations\": {\"kueue4j.io/mode\": \"" + mode + "\"}}}");
  }

  private static void alternatives(TestCluster cluster) {
    for (String check : List.of("budget", "gpu")) {
      cluster.check(check);
      World.patch(
          cluster,
          KueueTypes.ADMISSION_CHECK,
          ObjectKey.cluster(check),
          "{\"metadata\": {\"annotations\": {\"kueue4j.io/any-of\": \"capacity\"}}}");
    }
    World.queue(cluster, World.TWO_CHECKS, "default=1");
    cluster.job("job", 1);
    cluster.awaitWorkload("job", TestCluster::reserved);
  }
}
