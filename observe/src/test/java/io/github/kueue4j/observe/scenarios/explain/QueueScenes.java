// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.queue.AdmissionGates;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Workloads whose queues are missing, stopped or inactive. */
final class QueueScenes {
  private static final ObjectKey CQ = ObjectKey.cluster("cq");
  private static final ObjectKey LQ = TestCluster.key("lq");

  private QueueScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of(
                "a Workload without a queue",
                "bare",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  World.bare(cluster, "");
                })
            .shows(Reason.NO_QUEUE_NAME, Actor.WORKLOAD_OWNER, "spec.queueName"),
        Scene.of(
                "an admission gate",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.job("first", 1);
                  cluster.awaitSuspended("first", false);
                  cluster.job("job", 1);
                  String gated =
                      "{\"metadata\": {\"annotations\":"
                          + " {\"kueue.x-k8s.io/admission-gated-by\": \"example.com/review\"}}}";
                  World.patch(cluster, CoreTypes.JOB, TestCluster.key("job"), gated);
                  World.patch(
                      cluster, KueueTypes.WORKLOAD, ObjectKey.of(cluster.workload("job")), gated);
                  cluster.jobSucceeds("first");
                  cluster.settle();
                })
            .shows(Reason.ADMISSION_GATED, Actor.WORKLOAD_OWNER, "example.com/review"),
        Scene.of(
                "an admission gate while their feature gate is off",
                "job/job",
                cluster -> {
                  String off = "featureGates: {AdmissionGatedBy: false}\n";
                  LimitScenes.installed(cluster, off);
                  cluster.queue("", "default=1");
                  cluster.startCore(off);
                  cluster.job("first", 1);
                  cluster.awaitSuspended("first", false);
                  cluster.apply(
                      TestJob.named("job")
                          .queue("lq")
                          .annotation(AdmissionGates.ANNOTATION, "example.com/review")
                          .cpus(1)
                          .yaml());
                  cluster.workload("job");
                  cluster.pass(World.A_WHILE);
                })
            .shows(
                Reason.QUOTA_IN_USE,
                Actor.NONE,
                "has no effect: the feature gate AdmissionGatedBy is off"),
        Scene.of(
                "pods of another workload are not ready",
                "job/job",
                cluster -> {
                  cluster.queue("", "default=2");
                  cluster.startCore("waitForPodsReady: {blockAdmission: true}\n");
                  cluster.job("first", 1);
                  cluster.awaitSuspended("first", false);
                  cluster.job("job", 1);
                  cluster.workload("job");
                  cluster.passUntil(
                      "the reason is written",
                      there ->
                          there.workload("job").status().conditions().stream()
                              .anyMatch(said -> said.reason().equals("WaitingForPodsReady")));
                })
            .shows(Reason.WAITING_FOR_PODS_READY, Actor.NONE, "WaitingForPodsReady"),
        Scene.of(
                "no LocalQueue",
                "job/job",
                cluster -> {
                  cluster.startCore();
                  waiting(cluster);
                })
            .shows(Reason.LOCAL_QUEUE_MISSING, Actor.WORKLOAD_OWNER, "LocalQueue/team/lq"),
        Scene.of(
                "LocalQueue stopped",
                "job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  World.stopPolicy(cluster, KueueTypes.LOCAL_QUEUE, LQ, "Hold");
                  untilInactive(cluster, () -> cluster.localQueue().status().conditions());
                  waiting(cluster);
                })
            .shows(Reason.LOCAL_QUEUE_STOPPED, Actor.QUEUE_ADMINISTRATOR, "Hold"),
        Scene.of(
                "no ClusterQueue",
                "job/job",
                cluster -> {
                  cluster.apply(
                      """
                      apiVersion: kueue.x-k8s.io/v1beta2
                      kind: LocalQueue
                      metadata: {name: lq, namespace: team}
                      spec: {clusterQueue: gone}
                      """);
                  cluster.startCore();
                  waiting(cluster);
                })
            .shows(Reason.CLUSTER_QUEUE_MISSING, Actor.QUEUE_ADMINISTRATOR, "ClusterQueue/gone"),
        Scene.of(
                "ClusterQueue held",
                "job/job",
                cluster -> {
                  World.queue(cluster, "stopPolicy: Hold", "default=1");
                  waiting(cluster);
                })
            .shows(Reason.CLUSTER_QUEUE_STOPPED, Actor.QUEUE_ADMINISTRATOR, "Hold", "Stopped"),
        Scene.of(
                "ClusterQueue drained under a running Job",
                "job/job",
                cluster -> {
                  World.running(cluster, "");
                  World.stopPolicy(cluster, KueueTypes.CLUSTER_QUEUE, CQ, "HoldAndDrain");
                  cluster.awaitSuspended("job", true);
                  cluster.podsGone("job");
                  cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
                })
            .shows(
                Reason.CLUSTER_QUEUE_STOPPED,
                Actor.QUEUE_ADMINISTRATOR,
                "HoldAndDrain",
                "status.conditions[Evicted]"),
        Scene.of(
                "ClusterQueue being deleted while another Job holds its quota",
                "job/late",
                cluster -> {
                  World.running(cluster, "");
                  cluster.api.delete(
                      KueueTypes.CLUSTER_QUEUE,
                      CQ,
                      io.github.kueue4j.runtime.client.DeleteOptions.background());
                  cluster.settle();
                  cluster.job("late", 1);
                  cluster.workload("late");
                })
            .shows(Reason.CLUSTER_QUEUE_TERMINATING, Actor.QUEUE_ADMINISTRATOR, "cq"),
        Scene.of(
                "flavor missing",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.settle();
                  cluster.api.delete(
                      KueueTypes.RESOURCE_FLAVOR,
                      ObjectKey.cluster("default"),
                      io.github.kueue4j.runtime.client.DeleteOptions.background());
                  World.patch(
                      cluster,
                      KueueTypes.RESOURCE_FLAVOR,
                      ObjectKey.cluster("default"),
                      "{\"metadata\": {\"finalizers\": null}}");
                  untilInactive(cluster, () -> cluster.clusterQueue().status().conditions());
                  waiting(cluster);
                })
            .shows(Reason.FLAVOR_MISSING, Actor.QUEUE_ADMINISTRATOR, "ResourceFlavor/default"),
        Scene.of(
                "check missing",
                "job/job",
                cluster -> {
                  World.queue(cluster, World.ONE_CHECK, "default=1");
                  waiting(cluster);
                })
            .shows(Reason.CHECK_MISSING, Actor.QUEUE_ADMINISTRATOR, "AdmissionCheck/budget"),
        Scene.of(
                "a check without a controller",
                "job/job",
                cluster -> {
                  cluster.apply(
                      """
                      apiVersion: kueue.x-k8s.io/v1beta2
                      kind: AdmissionCheck
                      metadata: {name: budget}
                      spec: {controllerName: example.com/not-installed}
                      """);
                  World.queue(cluster, World.ONE_CHECK, "default=1");
                  waiting(cluster);
                })
            .shows(
                Reason.CHECK_NOT_ACTIVE,
                Actor.CHECK_OPERATOR,
                "absent: no controller has set it, or its account may not write it",
                "its log tells of no missing right",
                "example.com/not-installed"),
        Scene.of(
                "a cohort that is its own ancestor",
                "job/job",
                cluster -> {
                  for (String[] pair : new String[][] {{"egg", "hen"}, {"hen", "egg"}}) {
                    cluster.apply(
                        """
                        apiVersion: kueue.x-k8s.io/v1beta2
                        kind: Cohort
                        metadata: {name: %s}
                        spec: {parentName: %s}
                        """
                            .formatted((Object[]) pair));
                  }
                  World.queue(cluster, "cohortName: egg", "default=1");
                  waiting(cluster);
                })
            .shows(
                Reason.COHORT_CYCLE,
                Actor.QUEUE_ADMINISTRATOR,
                "CohortCycle",
                "Cohort/hen",
                "kubectl edit cohort egg"),
        Scene.of(
                "nine checks of one flavor",
                "job/job",
                cluster -> {
                  List<String> names =
                      IntStream.rangeClosed(1, 9).mapToObj(i -> "check-" + i).toList();
                  names.forEach(cluster::check);
                  World.queue(
                      cluster,
                      names.stream()
                          .map(name -> "{name: " + name + "}")
                          .collect(
                              Collectors.joining(
                                  ", ", "admissionChecksStrategy: {admissionChecks: [", "]}")),
                      "default=1");
                  waiting(cluster);
                })
            .shows(
                Reason.TOO_MANY_CHECKS, Actor.QUEUE_ADMINISTRATOR, "TooManyAdmissionChecks", "9"),
        Scene.of(
                "a ClusterQueue that is inactive for a reason of another implementation",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.job("job", 2);
                  cluster.workload("job");
                  cluster.pass(World.A_WHILE);
                  cluster.crashCore();
                  World.patchStatus(
                      cluster,
                      KueueTypes.CLUSTER_QUEUE,
                      CQ,
                      """
                      {"status": {"conditions": [{"type": "Active", "status": "False",
                        "reason": "TopologyNotFound", "message": "no topology",
                        "lastTransitionTime": "2020-01-01T00:00:00Z"}]}}
                      """);
                })
            .shows(Reason.CLUSTER_QUEUE_INACTIVE, Actor.QUEUE_ADMINISTRATOR, "no topology"));
  }

  /**
   * Waits until the core has marked the queue inactive, because a Job created earlier could be
   * admitted.
   */
  private static void untilInactive(TestCluster cluster, Supplier<List<Condition>> conditions) {
    cluster.passUntil(
        "the queue is inactive",
        world ->
            Conditions.find(conditions.get(), "Active")
                .filter(active -> !active.isTrue())
                .isPresent());
  }

  private static void waiting(TestCluster cluster) {
    cluster.job("job", 1);
    cluster.workload("job");
    cluster.pass(World.A_WHILE);
  }
}
