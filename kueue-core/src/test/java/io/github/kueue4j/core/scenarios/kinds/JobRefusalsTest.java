// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.JobSet;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.JsonPatch;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of several kinds whose start or stop the API server refuses, as people are told of it. */
@Simulated
@ExpectedLog(logger = "RefusedStarts", message = "The API server refuses the start of a Job")
@ExpectedLog(logger = "GuardedReconciler", message = "Reconcile failed; retrying")
@ExpectedLog(logger = "UnheededStops", message = "The API server refuses the stop of a Job")
class JobRefusalsTest {
  private static final ObjectKey KEY = TestCluster.key("train");

  /**
   * An object of a kind, whose controller the test plays.
   *
   * @param suspend the field that suspends it
   * @param running the status with which its pods run, as JSON
   * @param stopped the status without pods
   */
  private record Subject<T extends KubernetesObject>(
      ResourceType<T> type,
      String framework,
      Consumer<TestCluster> install,
      String suspend,
      String yaml,
      String running,
      String stopped) {

    static Subject<?> of(String kind) {
      return switch (kind) {
        case "Job" ->
            new Subject<>(
                CoreTypes.JOB,
                "batch/job",
                cluster -> {},
                "spec.suspend",
                TestJob.named("train").queue("lq").cpus(1).yaml(),
                "{\"active\": 1, \"ready\": 1}",
                "{\"active\": 0, \"ready\": 0}");
        case "JobSet" ->
            new Subject<>(
                JobSet.TYPE,
                "jobset.x-k8s.io/jobset",
                JobSets::install,
                "spec.suspend",
                """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
                spec: {suspend: true, replicatedJobs: [{name: node, template: {spec: {template: {spec: {
                  restartPolicy: Never, containers: [{name: main, image: busybox,
                    resources: {requests: {cpu: 1}}}]}}}}}]}
                """,
                "{\"replicatedJobsStatus\": [" + JobSets.group("node", 1, 1) + "]}",
                "{\"replicatedJobsStatus\": [" + JobSets.group("node", 0, 0) + "]}");
        default -> {
          DeclaredSample sample = DeclaredSample.read(kind.toLowerCase(Locale.ROOT));
          yield new Subject<>(
              sample.type(),
              sample.kind().framework(),
              sample::install,
              sample.kind().suspendField().orElseThrow().toString(),
              sample.object(),
              sample.facts().get("running").toString(),
              sample.facts().get("stopped").toString());
        }
      };
    }

    /** A cluster with a queue, a core and the object. */
    TestCluster cluster() {
      TestCluster cluster = new TestCluster();
      install.accept(cluster);
      cluster.apply(
          "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,"
              + " metadata: {name: high}, value: 100}");
      cluster.queue("preemption: {withinClusterQueue: LowerPriority}", "default=20");
      cluster.startCore(
          """
          resources: {excludeResourcePrefixes: [memory]}
          integrations: {frameworks: [%s]}
          """
              .formatted(framework.equals("batch/job") ? framework : "batch/job, " + framework));
      return cluster;
    }

    boolean suspended(TestCluster cluster) {
      return FieldPath.parse(suspend)
          .isTrueIn(KueueJson.toTree(cluster.api.get(type, KEY).orElseThrow()));
    }

    void status(TestCluster cluster, String status) {
      cluster.api.patchStatus(
          type,
          KEY,
          new JsonPatch(
              List.of(
                  new JsonPatch.Operation(
                      JsonPatch.Kind.ADD, "/status", JsonParser.parseString(status)))));
    }

    Workload workload(TestCluster cluster) {
      return cluster.workloads().stream()
          .filter(each -> owner(each).equals(KEY.name()))
          .findFirst()
          .orElseThrow();
    }

    private static String owner(Workload workload) {
      return workload.metadata().getOwnerReferences().getFirst().getName();
    }

    /** From now on the API server refuses changes of it for which this rule doesn't hold. */
    void demand(TestCluster cluster, Answer answer, String rule) {
      cluster.apply(
          answer.yaml.formatted(
              type.group(), type.plural(), rule.replace("SUSPEND", "object." + suspend)));
      cluster.apply(
          """
          apiVersion: admissionregistration.k8s.io/v1
          kind: ValidatingAdmissionPolicyBinding
          metadata: {name: audit}
          spec: {policyName: audit, validationActions: [Deny]}
          """);
    }

    /** How many writes of the core were refused in ten minutes with changes of the Workload. */
    long refusedInTenMinutes(TestCluster cluster, Answer answer) {
      RequestMatcher writes = RequestMatcher.writes().and(RequestMatcher.resource(type.plural()));
      cluster.settle();
      long before = cluster.server.requests().count(writes, answer.code);
      for (int minute = 0; minute < 10; minute++) {
        for (int change = 0; change < 3; change++) {
          cluster.api.patch(
              KueueTypes.WORKLOAD,
              ObjectKey.of(workload(cluster)),
              TestCluster.merge(
                  "{\"metadata\": {\"annotations\": {\"change\": \"%d-%d\"}}}"
                      .formatted(minute, change)));
          cluster.settle();
        }
        cluster.pass(Duration.ofMinutes(1));
      }
      return cluster.server.requests().count(writes, answer.code) - before;
    }

    /** The notes of events with this reason, about it and its Workload. */
    void assertTold(TestCluster cluster, String reason, Answer answer) {
      for (String kind : List.of(type.kind(), "Workload")) {
        assertThat(notes(cluster, reason, kind))
            .as(kind)
            .isNotEmpty()
            .allSatisfy(note -> assertThat(note).contains(answer.words));
      }
    }
  }

  /** How the API server refuses. */
  private enum Answer {
    FORBIDDEN(403, "not before the audit", policy("Forbidden")),
    INVALID(422, "not before the audit", policy("Invalid")),
    UNCALLABLE(
        500,
        "failed calling webhook \"audit.example.com\"",
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: audit}
        webhooks:
        - name: audit.example.com
          admissionReviewVersions: [v1]
          sideEffects: None
          clientConfig: {service: {namespace: team, name: audit}}
          rules: [{apiGroups: [%s], apiVersions: ['*'], operations: [UPDATE], resources: [%s]}]
          matchConditions: [{name: audit, expression: '!(%s)'}]
        """);

    private final int code;
    private final String words;
    private final String yaml;

    Answer(int code, String words, String yaml) {
      this.code = code;
      this.words = words;
      this.yaml = yaml;
    }

    private static String policy(String reason) {
      return """
          apiVersion: admissionregistration.k8s.io/v1
          kind: ValidatingAdmissionPolicy
          metadata: {name: audit}
          spec:
            matchConstraints: {resourceRules: [{apiGroups: [%%s], apiVersions: ['*'],
              operations: [UPDATE], resources: [%%s]}]}
            validations: [{expression: '%%s', reason: %s, message: not before the audit}]
          """
          .formatted(reason);
    }
  }

  private static List<String> notes(TestCluster cluster, String reason, String kind) {
    return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
        .filter(event -> reason.equals(event.getReason()))
        .filter(event -> kind.equals(event.getRegarding().getKind()))
        .map(event -> String.valueOf(event.getNote()))
        .toList();
  }

  private static boolean unheeded(Workload workload) {
    return TestCluster.isTrue(workload, WorkloadConditions.SUSPENSION_UNHEEDED);
  }

  /**
   * Three kinds and answers in pairs: what is tried again, and when, is the same for all of them. A
   * nightly build takes more pairs, one of the RayJob.
   */
  @ParameterizedTest
  @CsvSource({
    "Job, UNCALLABLE, FORBIDDEN",
    "JobSet, FORBIDDEN, INVALID",
    "MPIJob, FORBIDDEN, UNCALLABLE"
  })
  void whatIsRefusedIsToldAndTriedAgainEveryMinute(String kind, Answer starts, Answer stops) {
    refused(kind, starts, stops);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({"Job, FORBIDDEN, UNCALLABLE", "RayJob, UNCALLABLE, INVALID"})
  void soItIsForOtherPairs(String kind, Answer starts, Answer stops) {
    refused(kind, starts, stops);
  }

  private static void refused(String kind, Answer starts, Answer stops) {
    Subject<?> subject = Subject.of(kind);
    try (TestCluster cluster = subject.cluster()) {
      subject.demand(cluster, starts, "SUSPEND");
      cluster.apply(subject.yaml());
      cluster.passUntil("it is told", world -> !notes(world, "StartRefused", "Workload").isEmpty());
      subject.assertTold(cluster, "StartRefused", starts);
      assertThat(subject.refusedInTenMinutes(cluster, starts))
          .as("one a minute")
          .isBetween(9L, 11L);
      assertThat(subject.workload(cluster)).matches(TestCluster::admitted);

      subject.demand(cluster, starts, "true");
      subject.demand(cluster, stops, "!SUSPEND");
      cluster.passUntil("it runs", world -> !subject.suspended(world));
      subject.status(cluster, subject.running());
      cluster.settle();
      cluster.apply(TestJob.named("urgent").queue("lq").priority("high").cpus(20).yaml());
      cluster.passUntil("it is told", world -> unheeded(subject.workload(world)));
      Condition told =
          TestCluster.condition(subject.workload(cluster), WorkloadConditions.SUSPENSION_UNHEEDED);
      assertThat(told.reason()).isEqualTo("StopRefused");
      assertThat(told.message()).startsWith(kind + " train: ").contains(stops.words);
      subject.assertTold(cluster, "SuspensionUnheeded", stops);
      assertThat(subject.refusedInTenMinutes(cluster, stops))
          .as("one a minute, and one for each change")
          .isBetween(9L, 41L);
      assertThat(subject.workload(cluster)).matches(TestCluster::reserved, "keeps its quota");
      assertThat(cluster.workload("urgent")).matches(waits -> !TestCluster.reserved(waits));

      subject.demand(cluster, stops, "true");
      cluster.passUntil("it is suspended", subject::suspended);
      subject.status(cluster, subject.stopped());
      cluster.passUntil(
          "the quota is given on", world -> TestCluster.reserved(world.workload("urgent")));
      assertThat(unheeded(subject.workload(cluster))).isFalse();
    }
  }

  private static TestJob named(TestJob job) {
    return job.label("kueue.x-k8s.io/prebuilt-workload-name", "built");
  }

  /** The Job "first" runs on a Workload that its user has built. */
  private static void prebuilt(TestCluster cluster) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: built, namespace: team}
        spec: {queueName: lq, podSets: [{name: main, count: 1, template: {spec: {
          restartPolicy: Never, containers: [{name: main, image: busybox,
            resources: {requests: {cpu: 1}}}]}}}]}
        """);
    cluster.apply(named(TestJob.named("first").queue("lq").pods(1, 2).cpus(1)).yaml());
    cluster.awaitSuspended("first", false);
    cluster.settle();
  }

  private static Workload built(TestCluster cluster) {
    return cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key("built")).orElseThrow();
  }

  /** A Job that isn't queued yet, and one that names the Workload of another. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theRefusedStopOfAJobWithoutWorkloadOfItsOwnIsToldAndTriedAgain(boolean taken) {
    Subject<?> subject = Subject.of("Job");
    try (TestCluster cluster = subject.cluster()) {
      TestJob job = TestJob.named("train").queue("lq").cpus(1);
      if (taken) {
        prebuilt(cluster);
        job = named(job);
      }
      subject.demand(cluster, Answer.FORBIDDEN, "!SUSPEND");
      cluster.apply(job.yaml().replace("suspend: true", "suspend: false"));

      cluster.passUntil(
          "it is told", world -> !notes(world, "SuspensionUnheeded", "Job").isEmpty());
      long refused = cluster.server.requests().count(RequestMatcher.resource("jobs"), 403);
      for (int minute = 0; minute < 10; minute++) {
        cluster.pass(Duration.ofMinutes(1));
      }
      assertThat(cluster.server.requests().count(RequestMatcher.resource("jobs"), 403) - refused)
          .as("one a minute, or with growing pauses")
          .isBetween(taken ? 9L : 1L, 11L);

      subject.demand(cluster, Answer.FORBIDDEN, "true");
      cluster.passUntil(
          "it is stopped, or queued by then",
          world -> taken ? subject.suspended(world) : !world.workloads().isEmpty());
    }
  }

  /** A user who names the Workload of another one must not keep its quota. */
  @ParameterizedTest
  @ValueSource(ints = {403, 500})
  void aWorkloadIsEvictedThoughTheStopOfAnotherJobThatNamesItFails(int code) {
    try (TestCluster cluster = Subject.of("Job").cluster()) {
      prebuilt(cluster);
      RequestMatcher stops =
          RequestMatcher.verbs("patch")
              .and(RequestMatcher.resource("jobs"))
              .and(RequestMatcher.object(KEY.namespace(), KEY.name()))
              .and(request -> request.userAgent().contains("kueue-core"));
      try (Fault failing = cluster.server.faults().failNext(100_000, stops, code)) {
        cluster.apply(
            named(TestJob.named("train").queue("lq").cpus(1))
                .yaml()
                .replace("suspend: true", "suspend: false"));
        cluster.passUntil("it was tried", world -> failing.hits() > 0);
        cluster.queue("stopPolicy: HoldAndDrain", "default=20");

        cluster.awaitSuspended("first", true);
        cluster.passUntil(
            "its quota is free",
            world -> built(world).conditions().evicted() && !TestCluster.reserved(built(world)));
        assertThat(failing.hits()).isPositive();
      }
    }
  }

  @Test
  void theRefusedStopOfAJobThatItsPrebuiltWorkloadDoesNotFitIsTold() {
    Subject<?> subject = Subject.of("Job");
    try (TestCluster cluster = subject.cluster()) {
      prebuilt(cluster);
      cluster.podsRun("first");
      subject.demand(cluster, Answer.FORBIDDEN, "!SUSPEND");
      cluster.api.patch(
          CoreTypes.JOB,
          TestCluster.key("first"),
          TestCluster.merge("{'spec': {'parallelism': 2}}"));

      cluster.passUntil("it is told", world -> unheeded(built(world)));
      assertThat(built(cluster)).matches(TestCluster::reserved, "keeps its quota");

      subject.demand(cluster, Answer.FORBIDDEN, "true");
      cluster.passUntil(
          "it is stopped", world -> Boolean.TRUE.equals(world.job("first").getSpec().getSuspend()));
      cluster.podsGone("first");
      cluster.passUntil(
          "it has finished",
          world -> TestCluster.isTrue(built(world), WorkloadConditions.FINISHED));
    }
  }

  @Test
  void itsWorkloadSaysSoNoLongerOnceItsUserHasStoppedIt() {
    Subject<?> subject = Subject.of("Job");
    try (TestCluster cluster = subject.cluster()) {
      cluster.queue("", "default=0");
      cluster.apply(subject.yaml());
      cluster.awaitThat("it waits", world -> !world.workloads().isEmpty());
      subject.demand(cluster, Answer.FORBIDDEN, "!SUSPEND || has(object.metadata.annotations)");
      cluster.api.patch(CoreTypes.JOB, KEY, TestCluster.merge("{\"spec\": {\"suspend\": false}}"));
      cluster.passUntil("it is told", world -> unheeded(subject.workload(world)));

      cluster.api.patch(
          CoreTypes.JOB,
          KEY,
          TestCluster.merge(
              "{\"metadata\": {\"annotations\": {\"mine\": \"true\"}}, \"spec\": {\"suspend\": true}}"));

      cluster.passUntil("it says so no longer", world -> !unheeded(subject.workload(world)));
      assertThat(subject.suspended(cluster)).isTrue();
    }
  }

  /** As while the webhook's pods are restarted, or its cache is behind. */
  @ParameterizedTest
  @EnumSource(names = {"FORBIDDEN", "UNCALLABLE"})
  void aStartThatIsRefusedForAMomentIsNeitherToldNorLate(Answer answer) {
    Subject<?> subject = Subject.of("Job");
    try (TestCluster cluster = subject.cluster()) {
      subject.demand(cluster, answer, "SUSPEND");
      cluster.apply(subject.yaml());
      cluster.awaitWorkload("train", TestCluster::admitted);
      cluster.settle();
      assertThat(cluster.server.requests().count(RequestMatcher.resource("jobs"), answer.code))
          .isPositive();
      subject.demand(cluster, answer, "true");
      cluster.pass(Duration.ofSeconds(10));

      assertThat(subject.suspended(cluster)).isFalse();
      assertThat(notes(cluster, "StartRefused", "Job")).isEmpty();
    }
  }
}
