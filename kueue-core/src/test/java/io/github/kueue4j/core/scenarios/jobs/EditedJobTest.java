// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Job that is edited never runs with more than was admitted, whatever phase it is in. */
@Simulated
class EditedJobTest {
  private static final String CPU_2 =
      "{'spec': {'template': {'spec': {'containers': [{'name': 'main', 'image': 'busybox',"
          + " 'resources': {'requests': {'cpu': '2'}}}]}}}}";

  /** Waiting in its queue, the Workload follows: same object, same place in the line. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'spec': {'parallelism': 3}}                                             | count=3",
        "{'spec': {'template': {'spec': {'containers': [{'name': 'main', 'image': 'busybox', 'resources': {'requests': {'cpu': '2'}}}]}}}} | cpu=2",
        "{'spec': {'template': {'spec': {'nodeSelector': {'zone': 'a'}}}}}        | zone=a",
        "{'spec': {'template': {'spec': {'tolerations': [{'key': 't', 'operator': 'Exists'}]}}}} | toleration=t",
        "{'spec': {'template': {'metadata': {'labels': {'app': 'x'}}}}}           | app=x",
        "{'spec': {'parallelism': 3}, 'metadata': {'annotations': {'kueue.x-k8s.io/job-min-parallelism': '2'}}} | min=2",
        "{'metadata': {'labels': {'kueue.x-k8s.io/max-exec-time-seconds': '60'}}} | seconds=60"
      })
  void theWaitingWorkloadFollows(String change, String expected) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=0");
      cluster.startCore();
      job(cluster, "job", 1);
      Workload before = cluster.workload("job");

      edit(cluster, change);

      Workload after = cluster.awaitWorkload("job", workload -> says(workload, expected));
      assertThat(uid(after)).isEqualTo(uid(before));
      cluster.settle();
      assertThat(writes(cluster)).as("one write, and no more").isEqualTo(1);
    }
  }

  /** Caches keep neither variables nor volumes; what is written comes from whole copies. */
  @Test
  void theWaitingWorkloadFollowsInWhatCachesDoNotKeep() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("holder", 1);
      cluster.awaitWorkload("holder", TestCluster::admitted);
      cluster.apply(
          """
          apiVersion: batch/v1
          kind: Job
          metadata: {name: job, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
          spec:
            suspend: true
            template:
              spec:
                restartPolicy: Never
                volumes: [{name: data, emptyDir: {}}]
                containers:
                - {name: main, image: busybox, args: [--all], env: [{name: A, value: a}, {name: B, value: b}],
                   resources: {requests: {cpu: 1}}, volumeMounts: [{name: data, mountPath: /data}]}
          """);
      Workload before = cluster.workload("job");
      assertThat(whole(before)).isEqualTo(whole(cluster.job("job")));

      edit(cluster, "{'spec': {'template': {'spec': {'nodeSelector': {'zone': 'a'}}}}}");

      Workload after =
          cluster.awaitWorkload("job", workload -> !whole(workload).equals(whole(before)));
      assertThat(uid(after)).isEqualTo(uid(before));
      assertThat(whole(after)).isEqualTo(whole(cluster.job("job")));
      cluster.settle();
      assertThat(writes(cluster)).as("one write, and no more").isEqualTo(1);
      cluster.jobSucceeds("holder");
      cluster.awaitSuspended("job", false);
      assertThat(whole(cluster.job("job")).getAsJsonArray("containers"))
          .isEqualTo(whole(after).getAsJsonArray("containers"));
    }
  }

  private static JsonObject whole(Workload workload) {
    return KueueJson.toTree(
            Objects.requireNonNull(workload.spec().podSets().getFirst().template().getSpec()))
        .getAsJsonObject();
  }

  private static JsonObject whole(V1Job job) {
    return KueueJson.toTree(
            Objects.requireNonNull(Objects.requireNonNull(job.getSpec()).getTemplate().getSpec()))
        .getAsJsonObject();
  }

  @Test
  void whatWasChangedWhileWaitingIsWhatQuotaIsReservedFor() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=3");
      cluster.startCore();
      cluster.job("holder", 3);
      cluster.awaitWorkload("holder", TestCluster::admitted);
      cluster.job("job", 1);
      cluster.workload("job");
      cluster.settle();
      edit(cluster, CPU_2);
      cluster.awaitWorkload("job", workload -> says(workload, "cpu=2"));
      cluster.job("small", 1);
      cluster.workload("small");
      cluster.settle();

      cluster.jobSucceeds("holder");

      Workload admitted = cluster.awaitWorkload("job", TestCluster::admitted);
      assertThat(usage(admitted)).isEqualTo("2");
      cluster.awaitWorkload("small", TestCluster::admitted);
    }
  }

  @Test
  void whileChecksRunTheWorkloadIsReplacedAndTheyAreAskedAnew() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=2");
      cluster.startCore();
      cluster.job("job", 1);
      Workload before = cluster.awaitWorkload("job", TestCluster::reserved);

      edit(cluster, CPU_2);

      Workload after =
          cluster.awaitWorkload(
              "job",
              workload -> !uid(workload).equals(uid(before)) && TestCluster.reserved(workload));
      assertThat(usage(after)).isEqualTo("2");
      assertThat(after.status().admissionCheck("budget").orElseThrow().is(CheckState.PENDING))
          .isTrue();
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.awaitSuspended("job", false);
    }
  }

  /** What a check has let through is not what would run. */
  @Test
  void aLimitThatIsRaisedAfterAReadyIsCheckedAnew() {
    try (TestCluster cluster = new TestCluster()) {
      budgetAndLicense(cluster);
      cluster.startCore();
      job(cluster, "job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "budget", CheckState.READY, null);
      Instant asked = reservedAt(cluster.workload("job"));

      edit(cluster, "{'metadata': {'labels': {'kueue.x-k8s.io/max-exec-time-seconds': '90000'}}}");

      assertIsCheckedAnew(cluster, asked);
    }
  }

  /** The change is in the object: a core that is replaced in between sees it, too. */
  @Test
  void soIsOneThatWasRaisedWhileNoCoreRan() {
    try (TestCluster cluster = new TestCluster()) {
      budgetAndLicense(cluster);
      cluster.startCore();
      job(cluster, "job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.settle();
      cluster.crashCore();
      Workload before = cluster.workload("job");
      cluster.api.patch(
          KueueTypes.WORKLOAD, ObjectKey.of(before), merge("{'spec': {'priority': 7}}"));
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.answer("job", "license", CheckState.READY, null);

      cluster.startCore();

      Workload anew =
          cluster.awaitWorkload(
              "job",
              workload ->
                  TestCluster.reserved(workload)
                      && reservedAt(workload).isAfter(reservedAt(before)));
      assertThat(anew.status().admissionChecks())
          .hasSize(2)
          .allMatch(entry -> entry.is(CheckState.PENDING));
    }
  }

  private static void budgetAndLicense(TestCluster cluster) {
    cluster.check("budget");
    cluster.check("license");
    cluster.queue(
        "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: license}]}",
        "default=2");
  }

  private static void assertIsCheckedAnew(TestCluster cluster, Instant before) {
    Workload anew =
        cluster.awaitWorkload(
            "job",
            workload -> TestCluster.reserved(workload) && reservedAt(workload).isAfter(before));
    assertThat(anew.spec().maximumExecutionTimeSeconds()).isEqualTo(90_000);
    assertThat(anew.status().admissionCheck("budget").orElseThrow().is(CheckState.PENDING))
        .isTrue();
    cluster.answer("job", "license", CheckState.READY, null);
    cluster.settle();
    assertThat(TestCluster.admitted(cluster.workload("job"))).isFalse();
    cluster.answer("job", "budget", CheckState.READY, null);
    cluster.awaitSuspended("job", false);
  }

  private static Instant reservedAt(Workload workload) {
    return workload.conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElseThrow();
  }

  @Test
  void aJobThatMovesToAnotherQueueWhileChecksRunGivesItsQuotaBack() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.job("next", 1);
      cluster.workload("next");
      cluster.settle();

      edit(cluster, "{'metadata': {'labels': {'kueue.x-k8s.io/queue-name': 'nowhere'}}}");

      cluster.awaitWorkload("next", TestCluster::reserved);
      cluster.awaitWorkload("job", workload -> "nowhere".equals(workload.spec().queueName()));
    }
  }

  /** More than was admitted, or less: the quota is given back and asked for anew. */
  @ParameterizedTest
  @CsvSource({"3, false", "1, true"})
  void aRunningJobOfAnotherSizeIsStopped(int parallelism, boolean fits) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore();
      job(cluster, "job", 2);
      Workload before = cluster.awaitWorkload("job", TestCluster::admitted);
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");

      edit(cluster, "{'spec': {'parallelism': " + parallelism + "}}");

      cluster.awaitSuspended("job", true);
      cluster.settle();
      assertThat(uid(cluster.workload("job"))).as("its pods still run").isEqualTo(uid(before));
      cluster.podsGone("job");
      Workload after = cluster.awaitWorkload("job", workload -> !uid(workload).equals(uid(before)));
      assertThat(after.spec().podSets().getFirst().count()).isEqualTo(parallelism);
      assertThat(cluster.job("job").getSpec().getParallelism()).isEqualTo(parallelism);
      if (fits) {
        cluster.awaitSuspended("job", false);
      } else {
        cluster.settle();
        assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();
        cluster.awaitSuspended("job", true);
      }
    }
  }

  @Test
  void whatIsChangedDuringAnEvictionIsTakenInAfterTheRelease() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore();
      job(cluster, "job", 2);
      Workload before = cluster.awaitWorkload("job", TestCluster::admitted);
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");
      deactivate(cluster, before);
      cluster.awaitSuspended("job", true);

      edit(cluster, "{'spec': {'parallelism': 5}}");
      cluster.settle();
      assertThat(cluster.workload("job").spec().podSets().getFirst().count()).isEqualTo(2);
      cluster.podsGone("job");

      Workload after = cluster.awaitWorkload("job", workload -> says(workload, "count=5"));
      assertThat(uid(after)).isEqualTo(uid(before));
      assertThat(TestCluster.reserved(after)).isFalse();
    }
  }

  @Test
  void aChangeDuringADelayedRetryKeepsTheDelay() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=2");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.answer("job", "budget", CheckState.RETRY, 60);
      Workload backoff = cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));

      edit(cluster, CPU_2);

      Workload after = cluster.awaitWorkload("job", workload -> says(workload, "cpu=2"));
      assertThat(uid(after)).isEqualTo(uid(backoff));
      assertThat(after.status().requeueState()).isEqualTo(backoff.status().requeueState());
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();
      cluster.advance(Duration.ofSeconds(61));
      assertThat(usage(cluster.awaitWorkload("job", TestCluster::reserved))).isEqualTo("2");
    }
  }

  @Test
  void aDeactivatedWorkloadFollowsToo() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=0");
      cluster.startCore();
      cluster.job("job", 1);
      deactivate(cluster, cluster.workload("job"));
      cluster.settle();

      edit(cluster, CPU_2);

      cluster.awaitWorkload("job", workload -> says(workload, "cpu=2"));
    }
  }

  /** Its template shows what the start has added: that is no change of the user's. */
  @Test
  void aJobThatItsUserSuspendsIsStartedAgain() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      Workload before = cluster.awaitWorkload("job", TestCluster::admitted);
      cluster.awaitSuspended("job", false);
      cluster.settle();

      edit(cluster, "{'spec': {'suspend': true}}");

      cluster.awaitSuspended("job", false);
      assertThat(uid(cluster.workload("job"))).isEqualTo(uid(before));
    }
  }

  /** The cache shows the Job as it was admitted; only the API server knows better. */
  @Test
  void aChangeThatTheCoreHasNotSeenYetDoesNotSlipThrough() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      job(cluster, "job", 1);
      Workload before = cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.settle();
      cluster.silence("jobs");
      edit(cluster, "{'spec': {'parallelism': 7}}");
      Long edited = cluster.job("job").getMetadata().getGeneration();

      cluster.answer("job", "budget", CheckState.READY, null);

      Workload after = cluster.awaitWorkload("job", workload -> !uid(workload).equals(uid(before)));
      cluster.settle();
      assertThat(TestCluster.reserved(after)).isFalse();
      assertThat(cluster.job("job").getMetadata().getGeneration())
          .as("the Job was never touched")
          .isEqualTo(edited);
    }
  }

  /** Everything that a template can hold, and variables that are given twice. */
  @Test
  void anUnchangedJobIsNotWritten() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=0");
      cluster.startCore();
      cluster.apply(
          """
          apiVersion: batch/v1
          kind: Job
          metadata: {name: job, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
          spec:
            suspend: true
            parallelism: 2
            completions: 5
            template:
              metadata: {labels: {app: x}, annotations: {note: "y"}}
              spec:
                restartPolicy: Never
                terminationGracePeriodSeconds: 7
                nodeSelector: {zone: a}
                affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {
                  nodeSelectorTerms: [{matchExpressions: [{key: k, operator: In, values: [v]}]}]}}}
                tolerations: [{key: t, operator: Exists, effect: NoSchedule}]
                securityContext: {runAsNonRoot: true}
                volumes: [{name: scratch, emptyDir: {}}]
                initContainers: [{name: init, image: busybox, restartPolicy: Always}]
                containers:
                - name: main
                  image: busybox
                  command: [sh, -c, "echo 1"]
                  env: [{name: A, value: "1"}, {name: B, value: ""}, {name: A, value: "2"}]
                  ports: [{containerPort: 80}]
                  volumeMounts: [{name: scratch, mountPath: /scratch}]
                  resources: {requests: {cpu: 1500m, memory: 1024Mi}, limits: {memory: 1Gi}}
          """);
      Workload workload = cluster.workload("job");
      cluster.settle();

      // Wakes the worker, which looks at both once more.
      edit(cluster, "{'metadata': {'annotations': {'unrelated': 'yes'}}}");
      cluster.settle();

      assertThat(writes(cluster)).isZero();
      assertThat(
              workload
                  .spec()
                  .podSets()
                  .getFirst()
                  .template()
                  .getSpec()
                  .getContainers()
                  .getFirst()
                  .getEnv())
          .extracting(variable -> variable.getName() + "=" + variable.getValue())
          .contains("A=2")
          .doesNotContain("A=1");
    }
  }

  private static void job(TestCluster cluster, String name, int parallelism) {
    cluster.apply(TestJob.named(name).queue("lq").pods(parallelism, 9).cpus(1).yaml());
  }

  private static void edit(TestCluster cluster, String change) {
    cluster.api.patch(CoreTypes.JOB, TestCluster.key("job"), merge(change));
  }

  private static void deactivate(TestCluster cluster, Workload workload) {
    cluster.api.patch(
        KueueTypes.WORKLOAD, ObjectKey.of(workload), merge("{'spec': {'active': false}}"));
  }

  private static boolean says(Workload workload, String expected) {
    PodSet podSet = workload.spec().podSets().getFirst();
    var pod = Objects.requireNonNull(podSet.template().getSpec());
    String[] words = expected.strip().split("=", 2);
    Predicate<Object> equal = found -> words[1].equals(String.valueOf(found));
    return switch (words[0]) {
      case "count" -> equal.test(podSet.count());
      case "min" -> equal.test(podSet.minCount());
      case "seconds" -> equal.test(workload.spec().maximumExecutionTimeSeconds());
      case "cpu" ->
          equal.test(
              pod.getContainers()
                  .getFirst()
                  .getResources()
                  .getRequests()
                  .get("cpu")
                  .toSuffixedString());
      case "zone" -> pod.getNodeSelector() != null && equal.test(pod.getNodeSelector().get("zone"));
      case "toleration" ->
          pod.getTolerations() != null
              && pod.getTolerations().stream().map(V1Toleration::getKey).anyMatch(equal);
      case "app" ->
          Optional.ofNullable(podSet.template().getMetadata())
              .map(metadata -> metadata.getLabels())
              .filter(labels -> equal.test(labels.get("app")))
              .isPresent();
      default -> throw new IllegalArgumentException(expected);
    };
  }

  private static String usage(Workload workload) {
    return Objects.requireNonNull(workload.status().admission())
        .podSetAssignments()
        .getFirst()
        .resourceUsage()
        .get("cpu")
        .toString();
  }

  /** How often the core has written Workloads, their statuses apart. */
  private static long writes(TestCluster cluster) {
    return cluster
        .server
        .requests()
        .count(
            RequestMatcher.verbs("patch")
                .and(RequestMatcher.resource("workloads"))
                .and(request -> request.subresource().isEmpty())
                .and(request -> request.userAgent().contains("kueue-core")));
  }

  private static String uid(Workload workload) {
    return Objects.requireNonNull(workload.metadata().getUid());
  }

  private static MergePatch merge(String singleQuotedJson) {
    return new MergePatch(
        JsonParser.parseString(singleQuotedJson.replace('\'', '"')).getAsJsonObject());
  }
}
