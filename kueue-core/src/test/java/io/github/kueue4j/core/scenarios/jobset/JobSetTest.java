// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.jobset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobKinds;
import io.github.kueue4j.jobs.JobSet;
import io.github.kueue4j.jobs.JobWorkloadKeys;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JobSets, the second kind of Jobs: what is special about them; the rest is the same code. */
@Tag("quick")
class JobSetTest {
  @SuppressWarnings("unchecked") // the kind of this name is of this class
  private static final JobKind<JobSet> KIND =
      (JobKind<JobSet>)
          JobKinds.inCode().all().stream()
              .filter(kind -> kind.framework().equals("jobset.x-k8s.io/jobset"))
              .findFirst()
              .orElseThrow();

  @Test
  void isQueuedStartedAndFinishedAsOneWorkloadWithAPodSetPerGroup() {
    try (TestCluster cluster = cluster("default=9")) {
      cluster.startCore(JobSets.FRAMEWORKS);
      jobSet(cluster, true);

      Workload admitted = await(cluster, TestCluster::admitted);

      assertThat(admitted.spec().podSets())
          .extracting(PodSet::name, PodSet::count)
          .containsExactly(tuple("leader", 1), tuple("worker", 6));
      assertThat(admitted.status().admission().podSetAssignments())
          .extracting(PodSetAssignment::name)
          .containsExactlyInAnyOrder("leader", "worker");
      cluster.awaitThat("it runs", world -> !JobSets.suspended(world));
      for (String group : new String[] {"leader", "worker"}) {
        assertThat(pod(cluster, group).getNodeSelector()).isEqualTo(Map.of("flavor", "default"));
      }
      assertThat(patches(cluster)).as("one write starts it").isEqualTo(1);
      assertThat(raw(cluster).getAsJsonObject("spec").getAsJsonObject("network"))
          .as("what the core doesn't know stays")
          .isNotNull();

      JobSets.patchStatus(
          cluster,
          """
          {"conditions": [{"type": "Completed", "status": "True", "reason": "AllJobsCompleted",
            "message": "jobset completed successfully",
            "lastTransitionTime": "2026-01-05T08:00:00Z"}]}
          """);
      Workload finished =
          await(cluster, workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
      assertThat(TestCluster.condition(finished, WorkloadConditions.FINISHED).reason())
          .isEqualTo("Succeeded");
    }
  }

  @Test
  void isStoppedAndRestoredWithOneWriteAndHoldsItsQuotaUntilItsJobsAreGone() {
    try (TestCluster cluster = cluster("default=9")) {
      cluster.startCore(JobSets.FRAMEWORKS);
      jobSet(cluster, true);
      Workload admitted = await(cluster, TestCluster::admitted);
      cluster.awaitThat("it runs", world -> !JobSets.suspended(world));
      JobSets.patchStatus(
          cluster,
          "{\"replicatedJobsStatus\": [" + group("leader", 1) + ", " + group("worker", 2) + "]}");
      // The core would try with the version of before the status, and again after the conflict.
      cluster.settle();

      cluster.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(admitted),
          TestCluster.merge("{\"spec\": {\"active\": false}}"));

      cluster.awaitThat("it is suspended", JobSets::suspended);
      cluster.settle();
      assertThat(pod(cluster, "worker").getNodeSelector()).isNullOrEmpty();
      assertThat(TestCluster.reserved(workload(cluster))).as("Jobs are active").isTrue();
      assertThat(patches(cluster)).as("one to start, one to stop").isEqualTo(2);
      JobSets.patchStatus(
          cluster,
          "{\"replicatedJobsStatus\": [" + group("leader", 0) + ", " + group("worker", 0) + "]}");
      await(cluster, workload -> !TestCluster.reserved(workload));
    }
  }

  /** As it happens while no webhook suspends it at its creation. */
  @Test
  void createdUnsuspendedItIsStoppedAndQueuesWhenItsPodsAreGone() {
    try (TestCluster cluster = cluster("default=9")) {
      jobSet(cluster, false);
      JobSets.patchStatus(
          cluster,
          "{\"replicatedJobsStatus\": [" + group("leader", 1) + ", " + group("worker", 2) + "]}");
      cluster.startCore(JobSets.FRAMEWORKS);

      cluster.awaitThat("it is suspended", JobSets::suspended);
      cluster.settle();
      assertThat(cluster.workloads()).as("its pods still run").isEmpty();

      JobSets.patchStatus(
          cluster,
          "{\"replicatedJobsStatus\": [" + group("leader", 0) + ", " + group("worker", 0) + "]}");
      await(cluster, TestCluster::admitted);
      cluster.awaitThat("it runs", world -> !JobSets.suspended(world));
    }
  }

  /** Jobs that are complete are not run again, and others can have what they used. */
  @Test
  void givesTheQuotaOfCompleteJobsBack() {
    try (TestCluster cluster = cluster("default=7")) {
      cluster.startCore(JobSets.FRAMEWORKS);
      jobSet(cluster, true);
      await(cluster, TestCluster::admitted);
      cluster.job("next", 3);
      cluster.workload("next");
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("next"))).isFalse();

      JobSets.patchStatus(
          cluster,
          """
          {"replicatedJobsStatus": [
            {"name": "leader", "active": 1, "ready": 1, "succeeded": 0, "failed": 0, "suspended": 0},
            {"name": "worker", "active": 1, "ready": 1, "succeeded": 1, "failed": 0, "suspended": 0}]}
          """);

      cluster.awaitWorkload("next", TestCluster::admitted);
      assertThat(workload(cluster).status().reclaimablePods())
          .singleElement()
          .satisfies(pods -> assertThat(pods.count()).isEqualTo(3));
    }
  }

  /** All of its Jobs may be made anew, those that are complete, too. */
  @ParameterizedTest
  @CsvSource({
    "'{maxRestarts: 2}', 1, 0",
    "'{maxRestarts: 2}', 2, 3",
    "'{maxRestarts: 0, rules: [{action: RestartJobSetAndIgnoreMaxRestarts}]}', 5, 0",
    "'{rules: [{action: FailJobSet}]}', 0, 3"
  })
  void givesNothingBackWhileItMayRestart(String failurePolicy, int restarts, int reclaimable) {
    JobSet set =
        FromYaml.read(
            JobSet.class,
            """
            {spec: {failurePolicy: %s, replicatedJobs: [{name: worker, replicas: 2, template: {spec: {
              parallelism: 3, completions: 3, template: {spec: {containers: []}}}}}]},
             status: {restartsCountTowardsMax: %d, replicatedJobsStatus: [
               {name: worker, succeeded: 1}]}}
            """
                .formatted(failurePolicy, restarts));

    assertThat(KIND.reclaimablePods(set).getOrDefault("worker", 0)).isEqualTo(reclaimable);
  }

  @Test
  void editedWhileItWaitsItsWorkloadFollows() {
    try (TestCluster cluster = cluster("default=1")) {
      cluster.startCore(JobSets.FRAMEWORKS);
      jobSet(cluster, true);
      Workload before = await(cluster, workload -> true);

      cluster.api.patch(
          JobSet.TYPE,
          JobSets.KEY,
          TestCluster.merge(
              """
              {"spec": {"replicatedJobs": [{"name": "only", "replicas": 1, "template": {"spec": {
                "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main",
                  "image": "busybox", "resources": {"requests": {"cpu": "1"}}}]}}}}}]}}
              """));

      Workload admitted = await(cluster, TestCluster::admitted);
      assertThat(admitted.metadata().getUid()).isEqualTo(before.metadata().getUid());
      assertThat(admitted.spec().podSets()).extracting(PodSet::name).containsExactly("only");
    }
  }

  /** They run on the JobSet's quota; a second Workload for them would ask for it twice. */
  @Test
  void itsJobsHaveNoWorkloadsOfTheirOwnAndWaitForIt() {
    try (TestCluster cluster = cluster("default=1")) {
      cluster.startCore(JobSets.FRAMEWORKS + "manageJobsWithoutQueueName: true\n");
      jobSet(cluster, false);
      await(cluster, workload -> true);
      cluster.awaitThat("it is suspended", JobSets::suspended);
      JobSets.createJob(
          cluster,
          "leader",
          false,
          "{spec: {restartPolicy: Never, containers: [{name: main, image: busybox, resources:"
              + " {requests: {cpu: 1}}}]}}");

      cluster.awaitSuspended("set-leader-0", true);
      cluster.settle();
      assertThat(cluster.workloads()).hasSize(1);
    }
  }

  /** Its controller would add the new flavor's labels to those of the one that it ran on before. */
  @Test
  void itsJobsForgetWhereTheyRanBeforeItIsResumed() {
    try (TestCluster cluster = cluster("default=7")) {
      cluster.startCore(JobSets.FRAMEWORKS);
      cluster.job("holder", 7);
      cluster.awaitWorkload("holder", TestCluster::admitted);
      jobSet(cluster, true);
      await(cluster, workload -> true);
      JobSets.createJob(
          cluster,
          "leader",
          true,
          """
          {metadata: {
              labels: {before: gone, jobset.sigs.k8s.io/job-index: "0"},
              annotations: {before: gone, jobset.sigs.k8s.io/job-index: "0"}},
            spec: {
              restartPolicy: Never,
              nodeSelector: {before: gone, alpha.jobset.sigs.k8s.io/namespaced-job: team_set},
              tolerations: [{key: before}, {key: alpha.jobset.sigs.k8s.io/no-schedule}],
              schedulingGates: [{name: kueue.x-k8s.io/topology}],
              containers: [{name: main, image: busybox}]}}
          """);
      cluster.podsRun("set-leader-0");
      cluster.podsGone("set-leader-0");

      cluster.jobSucceeds("holder");

      cluster.awaitThat("it runs", world -> !JobSets.suspended(world));
      V1PodTemplateSpec template =
          Objects.requireNonNull(cluster.job("set-leader-0").getSpec()).getTemplate();
      assertThat(template.getMetadata().getLabels())
          .containsKeys("jobset.sigs.k8s.io/job-index", "batch.kubernetes.io/job-name", "job-name")
          .doesNotContainKey("before");
      assertThat(template.getMetadata().getAnnotations())
          .isEqualTo(Map.of("jobset.sigs.k8s.io/job-index", "0"));
      V1PodSpec child = template.getSpec();
      assertThat(child.getNodeSelector())
          .isEqualTo(Map.of("alpha.jobset.sigs.k8s.io/namespaced-job", "team_set"));
      assertThat(child.getSchedulingGates()).as("no core here removes it").isNullOrEmpty();
      assertThat(child.getTolerations())
          .singleElement()
          .extracting(V1Toleration::getKey)
          .isEqualTo("alpha.jobset.sigs.k8s.io/no-schedule");
      assertThat(pod(cluster, "leader").getNodeSelector()).isEqualTo(Map.of("flavor", "default"));
    }
  }

  @Test
  void withoutTheFrameworkAJobSetIsLeftAlone() {
    try (TestCluster cluster = cluster("default=9")) {
      cluster.startCore();
      jobSet(cluster, false);
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::admitted);
      cluster.settle();

      assertThat(cluster.workloads()).hasSize(1);
      assertThat(JobSets.suspended(cluster)).isFalse();
    }
  }

  @Test
  void morePodsThanANumberHoldsDoNotLookLikeFew() {
    try (TestCluster cluster = cluster("default=9")) {
      jobSet(cluster, true);
      cluster.api.patch(
          JobSet.TYPE,
          JobSets.KEY,
          TestCluster.merge(
              """
              {"spec": {"replicatedJobs": [{"name": "all", "replicas": 65536, "template": {"spec": {
                "parallelism": 65537, "template": {"spec": {"containers": []}}}}}]}}
              """));

      assertThat(KIND.podSets(JobSets.read(cluster)))
          .singleElement()
          .satisfies(podSet -> assertThat(podSet.count()).isEqualTo(Integer.MAX_VALUE));
    }
  }

  @Test
  void podsAreReadyWhenAsManyJobsOfEachGroupAreReadyOrComplete() {
    try (TestCluster cluster = cluster("default=9")) {
      jobSet(cluster, true);
      assertThat(KIND.podsReady(JobSets.read(cluster))).isFalse();
      JobSets.patchStatus(
          cluster,
          "{\"replicatedJobsStatus\": ["
              + group("leader", 1)
              + ", {\"name\": \"worker\", \"ready\": 1}]}");
      assertThat(KIND.podsReady(JobSets.read(cluster))).isFalse();
      JobSets.patchStatus(
          cluster,
          "{\"replicatedJobsStatus\": ["
              + group("leader", 1)
              + ", {\"name\": \"worker\", \"ready\": 1, \"succeeded\": 1}]}");
      assertThat(KIND.podsReady(JobSets.read(cluster))).isTrue();
    }
  }

  @Test
  void deletingItLeavesNothingBehind() {
    try (TestCluster cluster = cluster("default=9")) {
      cluster.startCore(JobSets.FRAMEWORKS);
      jobSet(cluster, true);
      await(cluster, TestCluster::admitted);

      cluster.api.delete(JobSet.TYPE, JobSets.KEY, DeleteOptions.background());

      cluster.awaitThat("its Workload is gone", world -> world.workloads().isEmpty());
    }
  }

  private static TestCluster cluster(String quota) {
    TestCluster cluster = new TestCluster();
    JobSets.install(cluster);
    cluster.queue("", quota);
    return cluster;
  }

  private static void jobSet(TestCluster cluster, boolean suspend) {
    String template =
        "{spec: {parallelism: %d, completions: %d, template: {spec: {restartPolicy: Never,"
            + " containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}}}";
    JobSets.apply(
        cluster,
        suspend,
        """
        network: {enableDNSHostnames: true}, replicatedJobs: [
          {name: leader, template: %s}, {name: worker, replicas: 2, template: %s}]\
        """
            .formatted(template.formatted(1, 1), template.formatted(3, 3)));
  }

  private static String group(String name, int active) {
    return JobSets.group(name, active, active);
  }

  private static Workload workload(TestCluster cluster) {
    return cluster
        .api
        .get(KueueTypes.WORKLOAD, JobWorkloadKeys.of(JobSet.TYPE, JobSets.read(cluster)))
        .orElseThrow();
  }

  private static Workload await(TestCluster cluster, Predicate<Workload> expected) {
    cluster.awaitThat(
        "the Workload of the JobSet",
        world ->
            world
                .api
                .get(KueueTypes.WORKLOAD, JobWorkloadKeys.of(JobSet.TYPE, JobSets.read(world)))
                .filter(expected)
                .isPresent());
    return workload(cluster);
  }

  private static long patches(TestCluster cluster) {
    return cluster
        .server
        .requests()
        .count(
            RequestMatcher.verbs("patch")
                .and(RequestMatcher.resource("jobsets"))
                .and(request -> request.userAgent().contains("kueue-core")));
  }

  /** With the fields that the model doesn't have. */
  private static JsonObject raw(TestCluster cluster) {
    URI set =
        cluster.server.uri().resolve("/apis/jobset.x-k8s.io/v1alpha2/namespaces/team/jobsets/set");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return JsonParser.parseString(
              http.send(HttpRequest.newBuilder(set).build(), HttpResponse.BodyHandlers.ofString())
                  .body())
          .getAsJsonObject();
    } catch (IOException e) {
      throw new IllegalStateException("the JobSet can't be read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the JobSet was read", e);
    }
  }

  private static V1PodSpec pod(TestCluster cluster, String group) {
    return JobSets.read(cluster).spec().replicatedJobs().stream()
        .filter(found -> found.name().equals(group))
        .map(found -> found.template().getSpec().getTemplate().getSpec())
        .findFirst()
        .orElseThrow();
  }
}
