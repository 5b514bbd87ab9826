// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.jobs;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Jobs of a kind whose Workloads another controller creates, and the batch Jobs below them. Leases
 * stand for that kind.
 */
class ExternalFrameworkTest {
  private static final String LEASES =
      "integrations: {externalFrameworks: [Lease.v1.coordination.k8s.io]}\n";

  @Test
  void whatBelongsToSuchAJobRunsOnItsQuotaAndNotBefore() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(LEASES);
      cluster.job("holder", 1);
      cluster.awaitSuspended("holder", false);
      String uid = owner(cluster);
      workload(cluster, uid);
      cluster.settle();

      child(cluster, uid, "labels: {kueue.x-k8s.io/queue-name: lq}");

      cluster.awaitSuspended("child", true);
      cluster.settle();
      assertThat(cluster.workloads())
          .as("the child has none of its own")
          .extracting(workload -> workload.metadata().getName())
          .containsExactlyInAnyOrder("wrapped", cluster.workload("holder").metadata().getName());

      cluster.jobSucceeds("holder");
      cluster.awaitThat("it is admitted", world -> TestCluster.admitted(wrapped(world)));
      cluster.settle();
      // Its own controller starts it, now that it may.
      startChild(cluster);
      assertThat(cluster.job("child").getSpec().getSuspend()).isFalse();

      deactivate(cluster);
      cluster.awaitSuspended("child", true);
      assertThat(TestCluster.reserved(wrapped(cluster)))
          .as("only its own controller knows when the quota is free")
          .isTrue();
      assertThat(TestCluster.isTrue(wrapped(cluster), WorkloadConditions.EVICTED)).isTrue();
    }
  }

  /** Unless its controller says, by PodsReady, that it reports about the pods. */
  @Test
  void itsStartBlocksNoOtherWhileNobodyReportsItsPods() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore(LEASES + "waitForPodsReady: {timeout: 5m, blockAdmission: true}\n");
      workload(cluster, owner(cluster));
      cluster.awaitThat("it is admitted", world -> TestCluster.admitted(wrapped(world)));

      cluster.job("next", 1);

      cluster.awaitSuspended("next", false);
    }
  }

  @Test
  void aChildMayRunAsSoonAsItsOwnerIsAdmittedWhateverTheWatchesSay() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(LEASES);
      cluster.job("holder", 1);
      cluster.awaitSuspended("holder", false);
      String uid = owner(cluster);
      workload(cluster, uid);
      cluster.settle();
      child(cluster, uid, "labels: {kueue.x-k8s.io/queue-name: lq}");
      cluster.awaitSuspended("child", true);
      cluster.settle();

      cluster.silence("workloads");
      cluster.jobSucceeds("holder");
      cluster.awaitThat("it is admitted", world -> TestCluster.admitted(wrapped(world)));
      cluster.settle();
      startChild(cluster);

      assertThat(cluster.job("child").getSpec().getSuspend()).isFalse();
    }
  }

  @Test
  void beforeAChildIsSuspendedTheServerIsAskedWhatItsOwnerMay() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("stopPolicy: Hold", "default=1");
      cluster.startCore(LEASES);
      String uid = owner(cluster);
      workload(cluster, uid);
      cluster.settle();
      child(cluster, uid, "labels: {kueue.x-k8s.io/queue-name: lq}");
      cluster.awaitSuspended("child", true);
      cluster.settle();

      cluster.silence("workloads");
      // What a core that led before has written at the last moment.
      String since = ApiTime.format(cluster.time.instant());
      cluster.api.patchStatus(
          KueueTypes.WORKLOAD,
          TestCluster.key("wrapped"),
          TestCluster.merge(
              """
              {"status": {
                "admission": {"clusterQueue": "cq", "podSetAssignments": [{"name": "main",
                  "count": 1, "flavors": {"cpu": "default"}, "resourceUsage": {"cpu": "1"}}]},
                "conditions": [
                  {"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved",
                    "message": "", "lastTransitionTime": "%1$s"},
                  {"type": "Admitted", "status": "True", "reason": "Admitted",
                    "message": "", "lastTransitionTime": "%1$s"}]}}
              """
                  .formatted(since)));
      startChild(cluster);

      assertThat(cluster.job("child").getSpec().getSuspend()).isFalse();
    }
  }

  @Test
  void aChildThatStopsForAWhileIsToldOnce() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore(LEASES);
      String uid = owner(cluster);
      workload(cluster, uid);
      cluster.awaitThat("it is admitted", world -> TestCluster.admitted(wrapped(world)));
      cluster.settle();
      child(cluster, uid, "labels: {kueue.x-k8s.io/queue-name: lq}");
      cluster.podsRun("child");
      cluster.settle();
      deactivate(cluster);
      cluster.awaitSuspended("child", true);

      for (int look = 0; look < 3; look++) {
        // Long enough for an event not to count as one of a series.
        cluster.pass(Duration.ofMinutes(10));
        cluster.api.patch(
            CoreTypes.JOB,
            TestCluster.key("child"),
            TestCluster.merge("{\"metadata\": {\"labels\": {\"look\": \"" + look + "\"}}}"));
        cluster.settle();
      }
      cluster.apply(TestJob.named("later").queue("lq").priority("none").yaml());
      cluster.awaitThat(
          "what is told later is written",
          world -> !events(world, "WorkloadPriorityClassNotFound", "later").isEmpty());

      assertThat(events(cluster, "Suspended", "child")).hasSize(1);
    }
  }

  @Test
  void whereNothingIsManagedAChildRuns() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(
          LEASES
              + """
              manageJobsWithoutQueueName: true
              managedJobsNamespaceSelector:
                matchExpressions:
                - {key: kubernetes.io/metadata.name, operator: NotIn,
                   values: [kube-system, kueue-system, team]}
              """);
      String uid = owner(cluster);
      child(cluster, uid, "labels: {}");
      cluster.settle();

      assertThat(cluster.job("child").getSpec().getSuspend()).isFalse();
      assertThat(cluster.workloads()).isEmpty();
    }
  }

  @Test
  void aChildOfAnOwnerThatHasNoWorkloadIsOnItsOwn() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(LEASES);
      String uid = owner(cluster);
      child(cluster, uid, "labels: {kueue.x-k8s.io/queue-name: lq}");

      cluster.awaitWorkload("child", TestCluster::admitted);
    }
  }

  /** The creator of a Job writes its owner references: they are no way around a default queue. */
  @Test
  void anOwnerCountsForANewJobOnlyIfItCarriesAWorkload() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: default, namespace: team}
          spec: {clusterQueue: cq}
          """);
      cluster.startCoreReviewingJobs(LEASES);
      String uid = owner(cluster);

      assertThat(queueOf(created(cluster, "early", uid))).contains("default");

      // Right after the Workload was made the cache doesn't know it yet.
      Fault silence = cluster.silence("workloads");
      workload(cluster, uid);
      assertThat(queueOf(created(cluster, "quick", uid))).isEmpty();

      silence.close();
      cluster.awaitThat("it is admitted", world -> TestCluster.admitted(wrapped(world)));
      assertThat(queueOf(created(cluster, "impostor", "another-" + uid))).contains("default");
      assertThat(queueOf(created(cluster, "child", uid))).isEmpty();
    }
  }

  private static V1Job created(TestCluster cluster, String name, String owner) {
    return cluster.api.create(
        CoreTypes.JOB,
        read(
            V1Job.class,
            """
            metadata: {name: %s, namespace: team, ownerReferences: [%s]}
            spec:
              template:
                spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
            """
                .formatted(name, reference(owner))));
  }

  private static Optional<String> queueOf(V1Job job) {
    return Optional.ofNullable(job.getMetadata().getLabels())
        .map(labels -> labels.get("kueue.x-k8s.io/queue-name"));
  }

  @Test
  void whereEverythingIsManagedTheChildWaitsForItsOwnersWorkload() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(LEASES + "manageJobsWithoutQueueName: true\n");
      String uid = owner(cluster);
      child(cluster, uid, "labels: {}");
      cluster.awaitSuspended("child", true);
      cluster.settle();

      assertThat(cluster.workloads()).isEmpty();
    }
  }

  @Test
  void withoutTheEntryTheOwnerHasNoEffect() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore();
      String uid = owner(cluster);
      workload(cluster, uid);
      cluster.settle();
      child(cluster, uid, "labels: {kueue.x-k8s.io/queue-name: lq}");

      cluster.awaitWorkload("child", TestCluster::admitted);
    }
  }

  private static String owner(TestCluster cluster) {
    cluster.apply(
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: wrapper, namespace: team}
        """);
    V1ObjectMeta metadata =
        cluster.api.get(CoreTypes.LEASE, TestCluster.key("wrapper")).orElseThrow().getMetadata();
    return Objects.requireNonNull(Objects.requireNonNull(metadata).getUid());
  }

  private static void workload(TestCluster cluster, String owner) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata:
          name: wrapped
          namespace: team
          ownerReferences: [%s]
        spec:
          queueName: lq
          podSets:
          - name: main
            count: 1
            template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}}
        """
            .formatted(reference(owner)));
  }

  private static void child(TestCluster cluster, String owner, String labels) {
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: child, namespace: team, %s, ownerReferences: [%s]}
        spec:
          suspend: false
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}
        """
            .formatted(labels, reference(owner)));
  }

  private static void startChild(TestCluster cluster) {
    cluster.api.patch(
        CoreTypes.JOB,
        TestCluster.key("child"),
        TestCluster.merge("{\"spec\": {\"suspend\": false}}"));
    cluster.settle();
  }

  /** The events about objects whose names contain this. */
  private static List<EventsV1Event> events(TestCluster cluster, String reason, String name) {
    return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
        .filter(event -> reason.equals(event.getReason()))
        .filter(
            event ->
                event.getRegarding() != null
                    && String.valueOf(event.getRegarding().getName()).contains(name))
        .toList();
  }

  private static String reference(String uid) {
    return "{apiVersion: coordination.k8s.io/v1, kind: Lease, name: wrapper, uid: "
        + uid
        + ", controller: true}";
  }

  private static Workload wrapped(TestCluster cluster) {
    return cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key("wrapped")).orElseThrow();
  }

  private static void deactivate(TestCluster cluster) {
    cluster.api.patch(
        KueueTypes.WORKLOAD,
        TestCluster.key("wrapped"),
        TestCluster.merge("{\"spec\": {\"active\": false}}"));
  }
}
