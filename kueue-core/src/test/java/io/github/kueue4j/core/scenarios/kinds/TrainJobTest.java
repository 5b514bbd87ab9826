// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.jobs.JobSet;
import io.github.kueue4j.jobs.TrainJob;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TrainJobs, whose pods are in the JobSet that Trainer makes; the test plays Trainer. */
@Simulated
class TrainJobTest {
  private static final String CHECK = "budget";

  private static TestCluster cluster(String quota) {
    TestCluster cluster = new TestCluster();
    JobSets.install(cluster);
    PlayedTrainer.install(cluster);
    cluster.queue("", quota);
    return cluster;
  }

  private static Workload workload(TestCluster cluster) {
    assertThat(cluster.workloads()).hasSize(1);
    return cluster.workloads().getFirst();
  }

  /** Its Workload beside that of a Job. */
  private static Workload own(TestCluster cluster) {
    return cluster.workloads().stream()
        .filter(each -> each.metadata().getName().startsWith("trainjob-train-"))
        .findFirst()
        .orElseThrow();
  }

  private static boolean reserved(TestCluster cluster) {
    return cluster.workloads().stream()
        .anyMatch(
            each ->
                each.metadata().getName().startsWith("trainjob-train-")
                    && TestCluster.reserved(each));
  }

  private static void check(TestCluster cluster) {
    cluster.check(CHECK);
    cluster.queue(
        "preemption: {withinClusterQueue: LowerPriority}, "
            + "admissionChecksStrategy: {admissionChecks: [{name: "
            + CHECK
            + "}]}",
        "default=4");
    cluster.apply(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,"
            + " metadata: {name: high}, value: 100}");
  }

  /** The check is content, and adds to the pods. */
  private static void ready(TestCluster cluster) {
    cluster.writeEntry(
        () -> own(cluster),
        CHECK,
        entry ->
            entry
                .withState(CheckState.READY)
                .withLastTransitionTime(cluster.time.instant())
                .withPodSetUpdates(
                    Stream.of("initializer", "node")
                        .map(
                            name ->
                                new PodSetUpdate(
                                    name,
                                    Map.of("by-check", "l"),
                                    Map.of("by-check", "a"),
                                    Map.of("by-check", "n"),
                                    List.of(new V1Toleration().key("spot").operator("Exists"))))
                        .toList()));
  }

  @Test
  void isQueuedWithThePodsOfItsJobSetStartedAndFinished() {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      cluster.settle();
      assertThat(cluster.workloads()).as("its JobSet doesn't exist yet").isEmpty();

      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();

      assertThat(workload(cluster).spec().podSets())
          .extracting(PodSet::name, PodSet::count)
          .containsExactly(tuple("initializer", 1), tuple("node", 3));
      JsonObject node = trainer.template("node");
      JsonObject pod = node.getAsJsonObject("spec");
      assertThat(pod.getAsJsonObject("nodeSelector").toString())
          .isEqualTo("{\"zone\":\"a\",\"flavor\":\"default\"}");
      assertThat(pod.getAsJsonArray("tolerations").toString()).contains("own");
      assertThat(node.getAsJsonObject("metadata").toString())
          .contains("\"team\":\"a\"", "\"app\":\"mine\"", "kueue.x-k8s.io/job-uid");
      assertThat(TestCluster.isTrue(workload(cluster), WorkloadConditions.PODS_READY)).isTrue();

      trainer.complete();
      cluster.awaitThat(
          "it has finished",
          world -> TestCluster.isTrue(workload(world), WorkloadConditions.FINISHED));
      assertThat(TestCluster.condition(workload(cluster), WorkloadConditions.FINISHED).reason())
          .isEqualTo("Succeeded");
    }
  }

  @Test
  void delayedEditedUpdatedPreemptedRequeuedAndDeleted() {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = new PlayedTrainer(cluster);
      check(cluster);
      cluster.startCore(PlayedTrainer.FRAMEWORKS);
      cluster.apply(PlayedTrainer.OBJECT);
      trainer.passUntil("reserved", () -> reserved(cluster));
      assertThat(trainer.suspended()).as("the check has not answered").isTrue();

      cluster.answerBare(workload(cluster).metadata().getName(), CHECK, CheckState.RETRY, 600);
      trainer.passUntil("released", () -> !reserved(cluster));
      trainer.zone = "b";
      trainer.act();
      JsonObject written = trainer.withoutEmptyEntry();
      cluster.pass(Duration.ofSeconds(590));
      assertThat(reserved(cluster)).as("the delay isn't over").isFalse();
      trainer.passUntil("reserved after the delay", () -> reserved(cluster));
      assertThat(workload(cluster).spec().toString())
          .as("the Workload follows what is edited while it waits")
          .contains("zone=b");

      ready(cluster);
      trainer.passUntil("started", () -> !trainer.suspended());
      trainer.settle();
      for (String group : List.of("initializer", "node")) {
        assertThat(trainer.template(group).toString())
            .contains("\"by-check\":\"l\"", "\"by-check\":\"a\"", "\"by-check\":\"n\"", "\"spot\"");
      }
      assertThat(trainer.template("node").toString()).contains("\"own\"", "\"team\":\"a\"");

      trainer.podsEnd = false;
      cluster.apply(TestJob.named("urgent").queue("lq").priority("high").cpus(4).yaml());
      trainer.passUntil("preempted", trainer::suspended);
      trainer.settle();
      assertThat(trainer.withoutEmptyEntry()).as("Trainer refuses it now").isNotEqualTo(written);
      assertThat(TestCluster.reserved(cluster.workload("urgent"))).as("pods still run").isFalse();
      trainer.podsEnd = true;
      trainer.passUntil(
          "its quota is given on", () -> TestCluster.reserved(cluster.workload("urgent")));
      trainer.settle();
      assertThat(trainer.withoutEmptyEntry()).as("it is restored").isEqualTo(written);
      assertThat(own(cluster).spec().toString())
          .as("what the start added isn't asked for")
          .doesNotContain("by-check");

      cluster.delete("urgent");
      trainer.passUntil("requeued", () -> reserved(cluster));
      ready(cluster);
      trainer.passUntil("runs again", () -> !trainer.suspended());
      trainer.settle();

      cluster.apply(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: left, namespace: team, labels: {kueue.x-k8s.io/job-uid: %s}}
          spec: {nodeName: n, containers: [{name: main, image: busybox}]}
          status: {phase: Running}
          """
              .formatted(trainer.read().metadata().getUid()));
      cluster.settle();
      cluster.api.delete(TrainJob.TYPE, PlayedTrainer.KEY, DeleteOptions.background());
      cluster.api.delete(JobSet.TYPE, PlayedTrainer.KEY, DeleteOptions.background());
      cluster.pass(Duration.ofSeconds(20));
      assertThat(reserved(cluster)).as("quota is kept for a pod that is left").isTrue();
      cluster.api.patchStatus(
          CoreTypes.POD,
          TestCluster.key("left"),
          TestCluster.merge("{\"status\": {\"phase\": \"Succeeded\"}}"));
      cluster.passUntil("its Workload is gone", world -> world.workloads().isEmpty());
    }
  }

  /** The first write is done; the second one has to wait for the end of the pods. */
  @Test
  void aCoreKilledBetweenTheWritesOfAStopIsFollowedByOneThatGoesOn() {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.act();
      JsonObject written = trainer.withoutEmptyEntry();
      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();
      trainer.podsEnd = false;
      deactivate(cluster);
      trainer.await("it is suspended", trainer::suspended);
      trainer.settle();
      cluster.crashCore();
      assertThat(trainer.withoutEmptyEntry()).isNotEqualTo(written);

      cluster.startCore(PlayedTrainer.FRAMEWORKS);
      trainer.settle();
      assertThat(reserved(cluster)).as("pods still run").isTrue();
      trainer.podsEnd = true;
      trainer.await("its quota is free", () -> !reserved(cluster));
      trainer.settle();
      assertThat(trainer.withoutEmptyEntry()).isEqualTo(written);
    }
  }

  /** Its entry is for a flavor that it may not get again. */
  @Test
  void aStartWhoseSecondWriteFailsBeginsAnew() {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = new PlayedTrainer(cluster);
      cluster.apply(PlayedTrainer.OBJECT);
      trainer.act();
      AtomicInteger writes = new AtomicInteger();
      cluster
          .server
          .faults()
          .failNext(
              1,
              RequestMatcher.verbs("patch")
                  .and(RequestMatcher.resource("trainjobs"))
                  .and(request -> request.userAgent().contains("kueue-core"))
                  .and(request -> writes.incrementAndGet() == 2),
              409);
      cluster.startCore(PlayedTrainer.FRAMEWORKS);

      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();

      assertThat(writes).hasValueGreaterThan(2);
      assertThat(trainer.spec().getAsJsonArray("runtimePatches")).hasSize(2);
      assertThat(trainer.template("node").toString()).contains("\"flavor\":\"default\"");
    }
  }

  /** Meanwhile Trainer has given its entry to the JobSet, where it is no part of the demand. */
  @Test
  @PossibleLog(
      logger = "GuardedReconciler",
      message = "Reconcile failed; retrying",
      because = "the second write fails")
  void aStartWhoseFirstWriteHasReachedTheJobSetBeginsAnew() {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = new PlayedTrainer(cluster);
      cluster.apply(PlayedTrainer.OBJECT);
      trainer.act();
      AtomicInteger writes = new AtomicInteger();
      Fault fault =
          cluster
              .server
              .faults()
              .failNext(
                  Integer.MAX_VALUE,
                  RequestMatcher.verbs("patch")
                      .and(RequestMatcher.resource("trainjobs"))
                      .and(request -> request.userAgent().contains("kueue-core"))
                      .and(request -> writes.incrementAndGet() > 1),
                  500);
      cluster.startCore(PlayedTrainer.FRAMEWORKS);
      cluster.awaitThat("the entry is written, and no more", world -> writes.get() > 1);
      trainer.act();
      assertThat(trainer.template("node").toString()).contains("\"flavor\":\"default\"");
      assertThat(trainer.suspended()).isTrue();

      fault.close();
      trainer.passUntil("it runs", () -> !trainer.suspended());
      assertThat(TestCluster.isTrue(workload(cluster), WorkloadConditions.FINISHED)).isFalse();
      assertThat(workload(cluster).spec().toString()).doesNotContain("flavor=default");
    }
  }

  @Test
  void anEntryThatAnEarlierCoreHasLeftIsReplaced() {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = new PlayedTrainer(cluster);
      cluster.apply(PlayedTrainer.OBJECT);
      JsonArray patches = trainer.spec().getAsJsonArray("runtimePatches");
      patches.add(
          JsonParser.parseString(
              """
              {"manager": "kueue.x-k8s.io/manager", "trainingRuntimeSpec": {"template": {"spec": {
                "replicatedJobs": [{"name": "node", "template": {"spec": {"template": {
                  "metadata": {"annotations": {"kueue.x-k8s.io/workload": "gone"}},
                  "spec": {"nodeSelector": {"flavor": "gone", "other": "gone"}}}}}}]}}}}
              """));
      cluster.api.patch(
          TrainJob.TYPE,
          PlayedTrainer.KEY,
          TestCluster.merge("{\"spec\": {\"runtimePatches\": " + patches + "}}"));
      trainer.act();
      assertThat(trainer.template("node").toString()).contains("gone");
      cluster.startCore(PlayedTrainer.FRAMEWORKS);

      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();

      assertThat(trainer.spec().getAsJsonArray("runtimePatches")).hasSize(2);
      assertThat(workload(cluster).spec().toString()).doesNotContain("gone");
      assertThat(trainer.template("node").toString())
          .contains("\"flavor\":\"default\"")
          .doesNotContain("gone");
    }
  }

  /** Its JobSet and the Jobs of that ask for nothing of their own. */
  @Test
  void whatTrainerMakesRunsOnItsQuotaAndStopsWithIt() {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = new PlayedTrainer(cluster);
      cluster.startCore("manageJobsWithoutQueueName: true\n" + PlayedTrainer.FRAMEWORKS);
      cluster.apply(PlayedTrainer.OBJECT);
      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();
      createJob(cluster, "train-node-0", false, "");
      trainer.settle();

      assertThat(cluster.workloads()).hasSize(1);
      assertThat(suspended(cluster, "train-node-0")).isFalse();
      assertThat(trainer.jobSet().orElseThrow().spec().suspend()).isFalse();

      trainer.podsEnd = false;
      deactivate(cluster);
      cluster.awaitThat("it is suspended before Trainer acts", world -> trainer.suspended());
      cluster.api.delete(
          CoreTypes.JOB, TestCluster.key("train-node-0"), DeleteOptions.background());
      createJob(cluster, "train-node-0", false, "");
      cluster.awaitThat(
          "a Job that is made too late stops", world -> suspended(world, "train-node-0"));
      trainer.settle();
      assertThat(cluster.workloads()).hasSize(1);
      assertThat(reserved(cluster)).as("pods still run").isTrue();
      trainer.podsEnd = true;
      trainer.await("its quota is free", () -> !reserved(cluster));
    }
  }

  /** Trainer would resume it whenever the core suspends it. */
  @Test
  void theQueueThatItsRuntimeNamesForTheJobSetHasNoEffect() {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = new PlayedTrainer(cluster);
      trainer.labels = "\"kueue.x-k8s.io/queue-name\": \"lq\"";
      cluster.startCore(PlayedTrainer.FRAMEWORKS);
      cluster.apply(
          PlayedTrainer.OBJECT
              .replace(", labels: {kueue.x-k8s.io/queue-name: lq}", "")
              .replace("suspend: true", "suspend: false"));
      trainer.await(
          "it is told",
          () ->
              cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
                  .filter(event -> "JobSet".equals(event.getRegarding().getKind()))
                  .anyMatch(
                      event ->
                          String.valueOf(event.getNote())
                              .contains("set the label kueue.x-k8s.io/queue-name of TrainJob")));
      trainer.settle();

      assertThat(trainer.jobSet().orElseThrow().spec().suspend()).isFalse();
      assertThat(cluster.workloads()).isEmpty();
    }
  }

  /** JobSet's controller would add the new labels of nodes to those of the last start. */
  @Test
  void theJobsOfItsJobSetForgetWhereTheyRanBeforeItIsResumed() {
    try (TestCluster cluster = cluster("default=0")) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await("it is queued", () -> cluster.workloads().size() == 1);
      createJob(cluster, "train-node-0", true, "nodeSelector: {zone: a, before: gone},");

      cluster.queue("", "default=4");
      trainer.await("it runs", () -> !trainer.suspended());

      assertThat(cluster.job("train-node-0").getSpec().getTemplate().getSpec().getNodeSelector())
          .isEqualTo(Map.of("zone", "a"));
    }
  }

  private static void createJob(TestCluster cluster, String name, boolean suspend, String podSpec) {
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %1$s
          namespace: team
          labels: {jobset.sigs.k8s.io/jobset-name: train, jobset.sigs.k8s.io/replicatedjob-name: node}
          ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: train,
            uid: %2$s, controller: true}]
        spec:
          suspend: %3$s
          parallelism: 3
          completions: 3
          template: {spec: {restartPolicy: Never, %4$s
            containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}
        """
            .formatted(
                name,
                cluster.api.get(JobSet.TYPE, PlayedTrainer.KEY).orElseThrow().metadata().getUid(),
                suspend,
                podSpec));
  }

  private static boolean suspended(TestCluster cluster, String job) {
    return Boolean.TRUE.equals(cluster.job(job).getSpec().getSuspend());
  }

  private static void deactivate(TestCluster cluster) {
    cluster.api.patch(
        KueueTypes.WORKLOAD,
        ObjectKey.of(own(cluster)),
        TestCluster.merge("{\"spec\": {\"active\": false}}"));
  }

  /** The informer of JobSets is ahead of that of TrainJobs, and the other way round. */
  @ParameterizedTest
  @ValueSource(strings = {"trainjobs", "jobsets"})
  void itIsQueuedWhenBothAreKnown(String late) {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = new PlayedTrainer(cluster);
      cluster.startCore("manageJobsWithoutQueueName: true\n" + PlayedTrainer.FRAMEWORKS);
      cluster.settle();
      Fault silence = cluster.silence(late);
      cluster.apply(PlayedTrainer.OBJECT);
      trainer.act();
      cluster.settle();
      assertThat(cluster.workloads()).isEmpty();

      silence.close();
      trainer.await("it runs", () -> !trainer.suspended());
      assertThat(workload(cluster).spec().podSets()).hasSize(2);
    }
  }

  /** To the core its JobSet looks as before the start: suspended, and without pods. */
  @Test
  void itIsStoppedAndRestoredWhileTheCoreLacksWhatBecameOfItsJobSet() {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.act();
      JsonObject written = trainer.withoutEmptyEntry();
      cluster.awaitThat("it runs", world -> !trainer.suspended());
      cluster.settle();
      Fault silence = cluster.silence("jobsets");
      trainer.podsEnd = false;
      trainer.act();

      deactivate(cluster);
      cluster.awaitThat("it is suspended", world -> trainer.suspended());
      trainer.act();
      trainer.act();
      assertThat(reserved(cluster)).as("pods still run").isTrue();
      trainer.podsEnd = true;
      silence.close();
      trainer.passUntil("its quota is free", () -> !reserved(cluster));
      trainer.settle();
      assertThat(trainer.withoutEmptyEntry()).isEqualTo(written);
    }
  }

  /** Its JobSet is resumed, has no pods yet, and looks suspended to the core. */
  @Test
  void itsQuotaIsKeptWhileItsJobSetMayMakePods() {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.act();
      cluster.awaitThat("it runs", world -> !trainer.suspended());
      cluster.settle();
      Fault silence = cluster.silence("jobsets");
      cluster.api.patch(
          JobSet.TYPE, PlayedTrainer.KEY, TestCluster.merge("{\"spec\": {\"suspend\": false}}"));

      deactivate(cluster);
      cluster.awaitThat("it is suspended", world -> trainer.suspended());
      cluster.settle();
      assertThat(reserved(cluster)).as("its JobSet isn't suspended").isTrue();
      silence.close();
      trainer.passUntil("its quota is free", () -> !reserved(cluster));
    }
  }

  /** Trainer makes it anew. */
  @Test
  void itRunsOnWhenItsJobSetIsDeleted() {
    try (TestCluster cluster = cluster("default=4")) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();
      String uid = workload(cluster).metadata().getUid();

      cluster.api.delete(JobSet.TYPE, PlayedTrainer.KEY, DeleteOptions.background());
      cluster.settle();
      assertThat(trainer.suspended()).isFalse();
      trainer.settle();

      assertThat(trainer.suspended()).isFalse();
      assertThat(workload(cluster))
          .matches(TestCluster::admitted)
          .matches(kept -> uid.equals(kept.metadata().getUid()));
    }
  }

  /** The events tell its user what it waits for. */
  @Test
  void theJobSetOfAnotherOwnerIsNotTakenForIts() {
    try (TestCluster cluster = cluster("default=4")) {
      cluster.startCore(PlayedTrainer.FRAMEWORKS);
      cluster.apply(PlayedTrainer.OBJECT);
      cluster.apply(
          """
          apiVersion: jobset.x-k8s.io/v1alpha2
          kind: JobSet
          metadata: {name: train, namespace: team}
          spec: {suspend: true, replicatedJobs: [{name: a, template: {spec: {template: {
            spec: {containers: [{name: main}]}}}}}]}
          """);

      cluster.passUntil(
          "its user is told",
          world ->
              world.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
                  .anyMatch(
                      event ->
                          "AwaitsPods".equals(event.getReason())
                              && String.valueOf(event.getNote())
                                  .contains("its JobSet train doesn't exist yet")));
      cluster.settle();
      assertThat(cluster.workloads()).isEmpty();
    }
  }

  /** Without what the start adds its pods would run anywhere, and couldn't be found. */
  @Test
  @ExpectedLog(logger = "DroppedFields", message = "stores a started Job without a field")
  void ofATrainerWithoutRuntimePatchesItIsNotStarted() {
    try (TestCluster cluster = new TestCluster()) {
      JobSets.install(cluster);
      PlayedTrainer.installOld(cluster);
      cluster.queue("", "default=4");
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);

      trainer.await(
          "it is deactivated",
          () ->
              !cluster.workloads().isEmpty()
                  && Boolean.FALSE.equals(workload(cluster).spec().active()));
      trainer.settle();
      assertThat(trainer.suspended()).isTrue();
      assertThat(workload(cluster).status().conditions().toString())
          .contains("trainjobs.trainer.kubeflow.org", "spec.runtimePatches");
    }
  }

  /** The definition of JobSets, or that of TrainJobs, comes when the core runs. */
  @ParameterizedTest
  @CsvSource({"jobsets.jobset.x-k8s.io", "trainjobs.trainer.kubeflow.org"})
  @ExpectedLog(logger = "CachedInformer", message = "Listing or watching failed; retrying")
  @PossibleLog(
      logger = "KindPresence",
      message = "The server doesn't serve this resource any more",
      because = "its watch ends before it has told of every deletion, or after that")
  @PossibleLog(
      logger = "GuardedReconciler",
      message = "Reconcile failed; retrying",
      because = "a Workload is looked at while its owner can't be found")
  void aDefinitionMayComeLaterAndGo(String late) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=4");
      boolean jobSetsLate = late.startsWith("jobsets");
      if (jobSetsLate) {
        PlayedTrainer.install(cluster);
      } else {
        JobSets.install(cluster);
      }
      cluster.startCore(PlayedTrainer.FRAMEWORKS);
      cluster.job("first", 1);
      cluster.awaitSuspended("first", false);
      cluster.delete("first");
      if (jobSetsLate) {
        cluster.apply(PlayedTrainer.OBJECT);
        cluster.settle();
        JobSets.install(cluster);
      } else {
        PlayedTrainer.install(cluster);
        cluster.apply(PlayedTrainer.OBJECT);
      }
      PlayedTrainer trainer = new PlayedTrainer(cluster);
      trainer.passUntil("it runs", () -> !trainer.suspended());
      trainer.settle();

      cluster.api.delete(
          CoreTypes.CUSTOM_RESOURCE_DEFINITION,
          ObjectKey.cluster(late),
          DeleteOptions.background());
      if (jobSetsLate) {
        cluster.pass(Duration.ofSeconds(30));
        assertThat(trainer.suspended()).isFalse();
        assertThat(reserved(cluster)).isTrue();
      } else {
        // An informer looks for two minutes of its own time before it takes the objects for
        // deleted.
        await()
            .alias("its quota is free")
            .pollInterval(Duration.ofSeconds(10))
            .until(
                () -> {
                  cluster.pass(Duration.ofMinutes(1));
                  return cluster.workloads().isEmpty();
                });
      }
    }
  }
}
