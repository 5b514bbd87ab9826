// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.dryrun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.observe.dryrun.DryRun;
import io.github.kueue4j.observe.dryrun.DryRunInputReader;
import io.github.kueue4j.observe.dryrun.DryRunOutcome;
import io.github.kueue4j.observe.dryrun.DryRunResult;
import io.github.kueue4j.observe.dryrun.Manifest;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.observe.explain.ExplainInputReader;
import io.github.kueue4j.observe.explain.Reason;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every outcome of a dry run; {@link DryRunSeedsTest} compares them with what happens then. */
@Simulated
class DryRunTest {
  private static final String CHECKED =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}]}";

  private static final String SWEEPS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: sweeps.ml.example.com}
      spec:
        group: ml.example.com
        names: {kind: Sweep, listKind: SweepList, plural: sweeps, singular: sweep}
        scope: Namespaced
        versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  /**
   * A cluster, and what would become of a Job in it.
   *
   * @param reason of the explanation; null if there is none
   * @param telling texts that the result must contain
   */
  private record Row(
      String title,
      Consumer<TestCluster> happens,
      String manifest,
      DryRunOutcome outcome,
      @Nullable Reason reason,
      List<String> telling) {
    Row {
      telling = List.copyOf(telling);
    }

    @Override
    public String toString() {
      return title;
    }
  }

  private static Row row(
      String title,
      Consumer<TestCluster> happens,
      String manifest,
      DryRunOutcome outcome,
      @Nullable Reason reason,
      String... telling) {
    return new Row(title, happens, manifest, outcome, reason, List.of(telling));
  }

  private static TestJob job(int cpus) {
    return TestJob.named("job").queue("lq").cpus(cpus);
  }

  private static Consumer<TestCluster> queue(String more, String... flavors) {
    return cluster -> cluster.queue(more, flavors);
  }

  private static Consumer<TestCluster> full(String more) {
    return queue(more, "default=2")
        .andThen(
            cluster -> {
              cluster.startCore();
              cluster.job("runs", 2);
              cluster.awaitSuspended("runs", false);
              cluster.podsRun("runs");
              cluster.advance(Duration.ofSeconds(1));
            });
  }

  private static Consumer<TestCluster> waiting(String job, int cpus) {
    return cluster -> {
      cluster.job(job, cpus);
      cluster.workload(job);
      cluster.advance(Duration.ofSeconds(1));
    };
  }

  private static Consumer<TestCluster> applied(String yaml) {
    return cluster -> cluster.apply(yaml);
  }

  static Stream<Row> rows() {
    return Stream.of(
        row(
            "there is quota",
            queue("", "default=4"),
            job(2).pods(2).yaml(),
            DryRunOutcome.ADMITTED,
            null,
            "podSet=Optional[main], pods=2, resource=cpu, flavor=default, amount=4",
            "borrows=[]",
            "checks=[]"),
        row(
            "it takes the second flavor",
            queue("", "small=1", "large=4"),
            job(2).yaml(),
            DryRunOutcome.ADMITTED,
            null,
            "flavor=large"),
        row(
            "it borrows a part",
            queue("cohortName: all", "default=1").andThen(applied(lender("lender", 3))),
            job(3).yaml(),
            DryRunOutcome.ADMITTED,
            null,
            "borrows=[BorrowedQuota[resource=cpu, flavor=default, amount=2]]"),
        row(
            "a check is asked",
            cluster -> {
              cluster.check("budget");
              cluster.queue(CHECKED, "default=1");
            },
            job(1).yaml(),
            DryRunOutcome.QUOTA_RESERVED,
            null,
            "AskedCheck[name=budget, controller=example.com/test,"),
        row(
            "a check only observes",
            cluster -> {
              cluster.apply(
                  """
                  apiVersion: kueue.x-k8s.io/v1beta2
                  kind: AdmissionCheck
                  metadata: {name: budget, annotations: {kueue4j.io/mode: Observe}}
                  spec: {controllerName: example.com/test}
                  """);
              cluster.queue(CHECKED, "default=1");
            },
            job(1).yaml(),
            DryRunOutcome.ADMITTED,
            null,
            "checks=[]"),
        row(
            "a check is asked before quota",
            cluster -> {
              cluster.check("budget");
              cluster.api.patch(
                  KueueTypes.ADMISSION_CHECK,
                  ObjectKey.cluster("budget"),
                  TestCluster.merge(
                      "{\"metadata\": {\"annotations\": {\"kueue4j.io/stage\":"
                          + " \"BeforeQuota\"}}}"));
              cluster.queue(CHECKED, "default=1");
            },
            job(1).yaml(),
            DryRunOutcome.QUOTA_RESERVED,
            null,
            "AskedCheck[name=budget, controller=example.com/test,"),
        row(
            "it waits as the third",
            full("").andThen(waiting("a", 1)).andThen(waiting("b", 1)),
            job(1).yaml(),
            DryRunOutcome.WAITS,
            Reason.BEHIND_OTHERS,
            "as number 3 of 3",
            "place=3, waiting=3"),
        row(
            "the head of a StrictFIFO queue holds it up",
            full("queueingStrategy: StrictFIFO").andThen(waiting("a", 2)),
            job(1).yaml(),
            DryRunOutcome.WAITS,
            Reason.BLOCKED_BY_HEAD,
            "Waits behind the head of ClusterQueue cq"),
        row(
            "it asks for more than there is",
            queue("", "default=2"),
            job(3).yaml(),
            DryRunOutcome.NEVER_FITS,
            Reason.EXCEEDS_QUOTA,
            "insufficient quota for cpu in flavor default"),
        row(
            "a LimitRange and a RuntimeClass make it larger",
            queue("", "default=4")
                .andThen(
                    applied(
                        """
                        {apiVersion: v1, kind: LimitRange, metadata: {name: limits, namespace: team},
                          spec: {limits: [{type: Container, defaultRequest: {cpu: 2}}]}}
                        ---
                        {apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: boxed},
                          handler: boxed, overhead: {podFixed: {cpu: 500m}}}
                        """)),
            TestJob.named("job")
                .queue("lq")
                .yaml()
                .replace("restartPolicy", "runtimeClassName: boxed, restartPolicy"),
            DryRunOutcome.ADMITTED,
            null,
            "amount=2500m"),
        row(
            "the default queue is taken",
            queue("", "default=1")
                .andThen(
                    applied(
                        """
                        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,
                          metadata: {name: default, namespace: team}, spec: {clusterQueue: cq}}
                        """)),
            TestJob.named("job").cpus(1).yaml(),
            DryRunOutcome.ADMITTED,
            null,
            "gets quota of ClusterQueue cq at once"),
        row(
            "it names no queue",
            queue("", "default=1"),
            TestJob.named("job").cpus(1).yaml(),
            DryRunOutcome.NOT_QUEUED,
            Reason.JOB_NOT_MANAGED,
            "names no LocalQueue"),
        row(
            "the queue doesn't exist",
            queue("", "default=1"),
            TestJob.named("job").queue("lp").cpus(1).yaml(),
            DryRunOutcome.NOT_QUEUED,
            Reason.LOCAL_QUEUE_MISSING,
            "lp"),
        row(
            "the ClusterQueue is stopped",
            queue("stopPolicy: Hold", "default=1"),
            job(1).yaml(),
            DryRunOutcome.WAITS,
            Reason.CLUSTER_QUEUE_STOPPED,
            "as number 1 of 1: Its ClusterQueue cq is stopped."),
        row(
            "its priority class doesn't exist",
            queue("", "default=1"),
            job(1).priority("high").yaml(),
            DryRunOutcome.NOT_QUEUED,
            Reason.PRIORITY_CLASS_MISSING,
            "names the WorkloadPriorityClass high, which doesn't exist"),
        row(
            "its requests exceed its limits",
            queue("", "default=1"),
            TestJob.named("job")
                .queue("lq")
                .resources("requests: {cpu: 1}, limits: {cpu: 500m}")
                .yaml(),
            DryRunOutcome.NOT_QUEUED,
            Reason.NOT_RESERVED,
            "requests must not exceed its limits"),
        row(
            "a webhook refuses it",
            queue("", "default=1"),
            job(1).pods(2).annotation("kueue.x-k8s.io/job-min-parallelism", "2").yaml(),
            DryRunOutcome.REFUSED,
            null,
            "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]: Invalid value: \"2\""),
        row(
            "there is one of its name",
            queue("", "default=1").andThen(cluster -> cluster.job("job", 1)),
            job(1).yaml(),
            DryRunOutcome.REFUSED,
            null,
            "already exists"),
        row(
            "its namespace doesn't exist",
            queue("", "default=1"),
            job(1).yaml().replace("namespace: team", "namespace: taem"),
            DryRunOutcome.REFUSED,
            null,
            "namespaces \"taem\" not found"),
        row(
            "its name is none",
            queue("", "default=1"),
            job(1).yaml().replace("\"job\"", "\"Job\""),
            DryRunOutcome.REFUSED,
            null,
            "metadata.name: Invalid value: \"Job\": must be a DNS-1123 subdomain"),
        row(
            "it has no spec",
            queue("", "default=1"),
            "{apiVersion: batch/v1, kind: Job, metadata: {name: job}}",
            DryRunOutcome.REFUSED,
            null,
            "spec: Required value"),
        row(
            "its spec is of another type",
            queue("", "default=1"),
            "{apiVersion: batch/v1, kind: Job, metadata: {name: job}, spec: {parallelism: many}}",
            DryRunOutcome.REFUSED,
            null,
            "can't be read"),
        row(
            "a JobSet, of a core that may manage them",
            queue("", "default=4").andThen(JobSets::install),
            """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: set, labels: {kueue.x-k8s.io/queue-name: lq}}
            spec: {replicatedJobs: [{name: workers, replicas: 2, template: {spec: {template: {spec: {
              containers: [{name: c, image: busybox, resources: {requests: {cpu: 1}}}]}}}}}]}
            """,
            DryRunOutcome.ADMITTED,
            null,
            "podSet=Optional[workers], pods=2, resource=cpu, flavor=default, amount=2"),
        row(
            "the schema of its kind refuses it",
            queue("", "default=4").andThen(JobSets::install),
            """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: set, labels: {kueue.x-k8s.io/queue-name: lq}}
            spec: {replicatedJobs: [{name: workers}, {name: workers, template: {spec: {template: {spec: {
              containers: [{name: c, image: busybox, resources: {requests: {cpu: 1}}}]}}}}}]}
            """,
            DryRunOutcome.REFUSED,
            null,
            "spec.replicatedJobs[1]: Duplicate value"),
        row(
            "another controller has made it",
            queue("", "default=1"),
            job(1).yaml().replace("metadata: {", "metadata: {" + owner("batch/v1", "CronJob")),
            DryRunOutcome.ADMITTED,
            null,
            "gets quota of ClusterQueue cq at once"),
        row(
            "a controller that is managed has made it",
            queue("", "default=1"),
            job(1)
                .yaml()
                .replace(
                    "metadata: {", "metadata: {" + owner("jobset.x-k8s.io/v1alpha2", "JobSet")),
            DryRunOutcome.NOT_QUEUED,
            null,
            "Its controller is JobSet other: if that is queued"),
        row(
            "its prebuilt Workload waits",
            full("").andThen(prebuilt()),
            onPrebuilt(),
            DryRunOutcome.WAITS,
            Reason.QUOTA_IN_USE,
            "as number 1 of 1"),
        row(
            "its prebuilt Workload is admitted",
            queue("", "default=4")
                .andThen(prebuilt())
                .andThen(TestCluster::startCore)
                .andThen(
                    cluster ->
                        cluster.passUntil(
                            "it is admitted",
                            world -> world.workloads().stream().anyMatch(TestCluster::admitted))),
            onPrebuilt(),
            DryRunOutcome.ADMITTED,
            null,
            "Its prebuilt Workload built holds quota already: it starts at once."),
        row(
            "its prebuilt Workload is for other pods",
            queue("", "default=4").andThen(prebuilt()),
            onPrebuilt().replace("cpu: 1", "cpu: 2"),
            DryRunOutcome.NOT_QUEUED,
            null,
            "or is for other pods"),
        row(
            "its prebuilt Workload is another's",
            queue("", "default=4")
                .andThen(prebuilt())
                .andThen(TestCluster::startCore)
                .andThen(applied(onPrebuilt().replace("\"job\"", "\"other\"")))
                .andThen(cluster -> cluster.awaitSuspended("other", false)),
            onPrebuilt(),
            DryRunOutcome.NOT_QUEUED,
            null,
            "Its prebuilt Workload built belongs to Job other"),
        row(
            "a Workload itself",
            queue("", "default=1"),
            "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w}}",
            DryRunOutcome.NOT_MANAGED,
            null,
            "'explain workload/w' says why it waits"),
        row(
            "a JobSet where none is served",
            queue("", "default=1"),
            "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: set}, spec: {}}",
            DryRunOutcome.REFUSED,
            null,
            "doesn't serve jobsets.jobset.x-k8s.io"),
        row(
            "a pod, and the configuration isn't known",
            queue("", "default=1"),
            """
            {apiVersion: v1, kind: Pod, metadata: {name: p, labels: {kueue.x-k8s.io/queue-name: lq}},
              spec: {containers: [{name: c, image: busybox}]}}
            """,
            DryRunOutcome.UNKNOWN,
            null,
            "Whether the core manages the kind Pod"),
        row(
            "one that was read has a status, and is made without",
            queue("", "default=1"),
            job(1).yaml() + "status: {conditions: [{type: Complete, status: 'True'}], active: 1}\n",
            DryRunOutcome.ADMITTED,
            null,
            "gets quota of ClusterQueue cq at once"),
        row(
            "another object of the file",
            queue("", "default=1"),
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: data}}",
            DryRunOutcome.NOT_MANAGED,
            null,
            "makes no Workloads for the kind ConfigMap"));
  }

  private static Consumer<TestCluster> prebuilt() {
    return applied(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: built, namespace: team}
        spec:
          queueName: lq
          podSets:
          - name: main
            count: 1
            template: {spec: {restartPolicy: Never, containers: [
              {name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}
        """);
  }

  private static String onPrebuilt() {
    return job(1).label("kueue.x-k8s.io/prebuilt-workload-name", "built").yaml();
  }

  private static String owner(String apiVersion, String kind) {
    return "ownerReferences: [{apiVersion: %s, kind: %s, name: other, uid: u, controller: true}], "
        .formatted(apiVersion, kind);
  }

  private static String lender(String name, int cpus) {
    return """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %1$s}
        spec: {cohortName: all, namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],
          flavors: [{name: default, resources: [{name: cpu, nominalQuota: %2$d}]}]}]}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: %1$s, namespace: team}
        spec: {clusterQueue: %1$s}
        """
        .formatted(name, cpus);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void saysWhatWouldHappen(Row row) {
    try (TestCluster cluster = new TestCluster()) {
      row.happens().accept(cluster);

      DryRunResult result = dryRun(cluster, row.manifest()).getFirst();

      assertThat(result.outcome()).as("%s", result).isEqualTo(row.outcome());
      assertThat(result.explanation() == null ? null : result.explanation().reason())
          .isEqualTo(row.reason());
      assertThat(result.toString()).contains(row.telling());
    }
  }

  private static List<DryRunResult> dryRun(TestCluster cluster, String manifests) {
    return DryRun.of(
        new DryRunInputReader(cluster.api).read(Manifest.read(manifests, TestCluster.NAMESPACE)),
        cluster.time.instant());
  }

  @Test
  void namesWhatIsEvictedForIt() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("cohortName: all, preemption: {reclaimWithinCohort: Any}", "default=2");
      cluster.apply(lender("borrower", 0));
      cluster.startCore();
      for (String name : List.of("one", "two")) {
        cluster.apply(TestJob.named(name).queue("borrower").cpus(1).yaml());
        cluster.awaitSuspended(name, false);
        cluster.podsRun(name);
      }
      cluster.advance(Duration.ofSeconds(1));

      DryRunResult result = dryRun(cluster, job(2).yaml()).getFirst();

      assertThat(result.outcome()).isEqualTo(DryRunOutcome.PREEMPTS);
      assertThat(result.preempts())
          .extracting(each -> each.workload(), each -> each.clusterQueue(), each -> each.reason())
          .containsExactlyInAnyOrder(
              tuple(cluster.workload("one").key(), "borrower", "InCohortReclamation"),
              tuple(cluster.workload("two").key(), "borrower", "InCohortReclamation"));
      assertThat(result.borrows()).isEmpty();
      assertThat(cluster.workloads())
          .as("nothing was created, and nothing evicted")
          .hasSize(2)
          .noneMatch(workload -> workload.conditions().evicted());
    }
  }

  private static void installed(TestCluster cluster) {
    cluster.apply(
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: kueue-system}
        ---
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: c1f6bfd2.kueue.x-k8s.io, namespace: kueue-system}
        spec: {holderIdentity: core, leaseDurationSeconds: 15, renewTime: '%s'}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: manager-config, namespace: kueue-system}
        data:
          controller_manager_config.yaml: |
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            kueue4j:
              jobKinds:
                - framework: ml.example.com/sweep
                  apiVersion: ml.example.com/v1
                  kind: Sweep
                  suspend: spec.suspend
                  podSets: [{name: workers, template: spec.worker, count: [spec.workers]}]
                  active: [status.active]
                  ready: [{condition: Ready}]
                  finished: [{condition: Done}]
                  succeeded: [{condition: Done}]
        """
            .formatted(ApiTime.formatMicro(cluster.time.instant())));
  }

  /** An explanation knows them, too. */
  @Test
  void knowsTheKindsOfTheInstalledConfiguration() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=3");
      cluster.server.applyCrds(List.of(SWEEPS));
      installed(cluster);
      String sweep =
          """
          apiVersion: ml.example.com/v1
          kind: Sweep
          metadata: {name: sweep, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
          spec: {workers: 3, worker: {spec: {restartPolicy: Never, containers: [
            {name: main, image: busybox, resources: {requests: {cpu: 1}}}]}}}
          """;

      DryRunResult result = dryRun(cluster, sweep).getFirst();

      assertThat(result.outcome()).as("%s", result).isEqualTo(DryRunOutcome.ADMITTED);
      assertThat(result.takes())
          .singleElement()
          .hasToString(
              "TakenQuota[podSet=Optional[workers], pods=3, resource=cpu, flavor=default, amount=3]");
      assertThat(result.warnings()).isEmpty();
      cluster.apply(sweep);
      assertThat(
              Explain.why(
                      new ExplainInputReader(cluster.api).read(TestCluster.NAMESPACE, "sweep"),
                      cluster.time.instant())
                  .reason())
          .isEqualTo(Reason.CORE_ABOUT_TO_ACT);
    }
  }

  @Test
  void eachOfOneGenerateNameHasANameOfItsOwn() {
    List<Manifest> manifests =
        Manifest.read(
            """
            {apiVersion: batch/v1, kind: Job, metadata: {generateName: run-}}
            ---
            {apiVersion: batch/v1, kind: Job, metadata: {generateName: run-}}
            """,
            "team");

    assertThat(manifests)
        .extracting(
            manifest -> manifest.tree().getAsJsonObject("metadata").get("name").getAsString())
        .containsExactly("run-xxxxx", "run-x0001");
  }

  @Test
  void eachObjectSeesWhatThoseBeforeItGot() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");

      List<DryRunResult> results =
          dryRun(cluster, job(2).yaml() + "---\n" + job(1).yaml().replace("\"job\"", "\"next\""));

      assertThat(results)
          .extracting(DryRunResult::outcome)
          .containsExactly(DryRunOutcome.ADMITTED, DryRunOutcome.WAITS);
    }
  }

  @Test
  void readsListsAndSaysWhatIsNoManifest() {
    assertThat(
            Manifest.read(
                "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: A}, {apiVersion: v1,"
                    + " kind: B}]}",
                "team"))
        .hasSize(2);
    assertThatThrownBy(() -> Manifest.read("just text", "team"))
        .hasMessage("holds a document without apiVersion and kind, which is no object");
    assertThatThrownBy(() -> Manifest.read("{", "team"))
        .hasMessageStartingWith("is neither YAML nor JSON: ");
    assertThatThrownBy(
            () -> Manifest.read("{apiVersion: v1, kind: A, spec: &all {inner: [*all]}}", "team"))
        .hasMessage("has an alias inside of what it stands for; write the value itself");
    assertThatThrownBy(() -> Manifest.read("---\n", "team")).hasMessage("holds no object");
  }
}
