// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.unsupported;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.JobWorkloadKeys;
import io.github.kueue4j.jobs.Unsupported;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.observe.explain.ExplainInputReader;
import io.github.kueue4j.observe.explain.Explanation;
import io.github.kueue4j.observe.explain.Reason;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1PodSchedulingGate;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Parts of the API that the core doesn't carry out: a Job that asks for one is told so, and no
 * quota is held for it.
 */
@Simulated
class UnsupportedTest {
  private static final String CLAIM =
      "resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}], ";
  private static final String TOPOLOGY =
      "kueue.x-k8s.io/podset-required-topology: example.com/rack";

  private final TestCluster cluster = new TestCluster();

  @AfterEach
  void stop() {
    cluster.close();
  }

  /** What becomes of a Job. */
  private enum Outcome {
    NOT_TAKEN,
    NEVER_ADMITTED,
    STARTED
  }

  /**
   * A Job as its user wrote it; the parts are the inside of YAML flow mappings.
   *
   * @param told a part of the event on the Job
   */
  record Row(
      String title,
      String configuration,
      String annotations,
      String spec,
      String podAnnotations,
      String podSpec,
      Outcome outcome,
      String told) {
    @Override
    public String toString() {
      return title;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row(
            "a Job for MultiKueue",
            "",
            "",
            "managedBy: kueue.x-k8s.io/multikueue, ",
            "",
            "",
            Outcome.NOT_TAKEN,
            "spec.managedBy \"kueue.x-k8s.io/multikueue\" is not supported here: no controller"),
        new Row(
            "devices by a claim",
            "",
            "",
            "",
            "",
            CLAIM,
            Outcome.NEVER_ADMITTED,
            "spec.template.spec.resourceClaims \"gpu\" is not supported here: no Workload with it"),
        new Row(
            "devices by a claim, which the configuration lets pass",
            "featureGates: {KueueDRARejectWorkloadsWhenDRADisabled: false}\n",
            "",
            "",
            "",
            CLAIM,
            Outcome.STARTED,
            "its devices can't be counted"),
        new Row(
            "a topology",
            "",
            "",
            "",
            TOPOLOGY,
            "",
            Outcome.STARTED,
            "podset-required-topology] \"example.com/rack\" is not supported here: quota alone"),
        new Row(
            "a topology, which the configuration refuses",
            "kueue4j: {topologyRequests: Refuse}\n",
            "",
            "",
            TOPOLOGY,
            "",
            Outcome.NEVER_ADMITTED,
            "no Workload with it is admitted"),
        new Row(
            "an elastic Job",
            "",
            "kueue.x-k8s.io/elastic-job: 'true'",
            "",
            "",
            "",
            Outcome.STARTED,
            "another parallelism stops the running Job"),
        new Row(
            "limits of its own for its pods to get ready",
            "",
            "kueue.x-k8s.io/wait-for-pods-ready: '{\"timeoutSeconds\": 60}'",
            "",
            "",
            "",
            Outcome.STARTED,
            "the limits of its ClusterQueue or of the configuration hold"),
        new Row(
            "flavors of its own",
            "",
            "kueue.x-k8s.io/workload-allowed-resource-flavors: reserved",
            "",
            "",
            "",
            Outcome.STARTED,
            "every flavor of its ClusterQueue is tried"),
        new Row(
            "pods that may be deleted by force",
            "",
            "",
            "",
            "kueue.x-k8s.io/safe-to-forcefully-delete: 'true'",
            "",
            Outcome.STARTED,
            "no pod is deleted by force"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void aJobIsTold(Row row) {
    cluster.queue("", "default=1");
    cluster.startCore(row.configuration());
    cluster.apply(job(row.annotations(), row.spec(), row.podAnnotations(), row.podSpec()));

    cluster.awaitThat("its Job tells", world -> !told().isEmpty());
    assertThat(told()).singleElement().asString().contains(row.told());
    switch (row.outcome()) {
      case NOT_TAKEN -> {
        cluster.settle();
        assertThat(cluster.workloads()).isEmpty();
        assertThat(spec().getSuspend()).isTrue();
        assertThat(explained().reason()).isEqualTo(Reason.NOT_SUPPORTED);
      }
      case NEVER_ADMITTED -> {
        cluster.passUntil("it is said", world -> misconfigured(world.workload("job")));
        assertThat(notReserved().message()).contains("podSets[main].template", Unsupported.MARK);
        assertThat(explained().reason()).isEqualTo(Reason.NOT_SUPPORTED);
      }
      case STARTED -> cluster.awaitSuspended("job", false);
    }
    assertThat(explained().evidence())
        .anyMatch(each -> each.value().endsWith("(not supported by kueue4j)"));
  }

  /** Values that the webhook refuses, of Jobs that are written while none answers. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          labels      | max-exec-time-seconds: soon                  | STARTED   | it sets no limit
          annotations | job-min-parallelism: '3'                     | STARTED   | all of its pods or for none
          annotations | job-completions-equal-parallelism: 'true'    | STARTED   | its completions stay
          annotations | 'admission-gated-by: "a.com/x,,"'            | GATED     | until the annotation is gone
          annotations | prebuilt-workload-name: Not_A_Name           | NOT_TAKEN | no Workload can have this name
          """)
  void aValueThatMeansNothingIsTold(String where, String entry, String outcome, String told) {
    cluster.queue("", "default=3");
    String key = "kueue.x-k8s.io/";
    cluster.apply(
        where.equals("labels")
            ? job("", "", "", "").replace("queue-name: lq", "queue-name: lq, " + key + entry)
            : job(key + entry, "completions: 3, parallelism: 3, ", "", ""));

    assertThat(explained().evidence()).anyMatch(each -> each.value().endsWith(" (not valid)"));
    cluster.startCore();

    cluster.awaitThat("its Job tells", world -> !told().isEmpty());
    assertThat(told()).singleElement().asString().contains("\" is not valid: ", told);
    switch (outcome) {
      case "STARTED" -> {
        cluster.awaitSuspended("job", false);
        assertThat(cluster.workload("job").spec().maximumExecutionTimeSeconds()).isNull();
      }
      case "GATED" ->
          cluster.passUntil(
              "it says so",
              world ->
                  world.workload("job").status().conditions().stream()
                      .anyMatch(condition -> condition.reason().equals("AdmissionGated")));
      case "NOT_TAKEN" -> {
        cluster.settle();
        assertThat(cluster.workloads()).isEmpty();
      }
      default -> throw new IllegalArgumentException(outcome);
    }
  }

  /** Its Workload is there before it, so that the core doesn't make one. */
  @Test
  void aJobThatNamesAPrebuiltWorkloadIsTold() {
    cluster.queue("", "default=1");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: built, namespace: team}
        spec: {queueName: lq, podSets: [{name: main, count: 1, template: {spec: {
          restartPolicy: Never, containers: [{name: main, image: busybox,
            resources: {requests: {cpu: 1}}}]}}}]}
        """);
    cluster.startCore();
    cluster.apply(
        job(
            "kueue.x-k8s.io/prebuilt-workload-name: built, kueue.x-k8s.io/elastic-job: 'true'",
            "",
            "",
            ""));

    cluster.awaitSuspended("job", false);
    cluster.awaitThat("its Job tells", world -> !told().isEmpty());
    assertThat(told()).singleElement().asString().contains("elastic-job");
  }

  @Test
  void aChangeThatItsWorkloadTakesOverIsTold() {
    cluster.queue("", "default=0");
    cluster.startCore();
    cluster.apply(
        job("", "", "", "")
            .replace(
                "queue-name: lq", "queue-name: lq, kueue.x-k8s.io/max-exec-time-seconds: '9'"));
    cluster.workload("job");

    cluster.api.patch(
        CoreTypes.JOB,
        TestCluster.key("job"),
        TestCluster.merge(
            "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/max-exec-time-seconds\": \"soon\"}}}"));

    cluster.awaitWorkload("job", workload -> workload.spec().maximumExecutionTimeSeconds() == null);
    cluster.awaitThat("its Job tells", world -> !told().isEmpty());
    assertThat(told()).singleElement().asString().contains("\"soon\" is not valid: it sets no");
  }

  /** It runs with two of its three pods, for which the annotation is out of range. */
  @Test
  void aJobThatRunsWithFewerPodsAsksForNothingInVain() {
    cluster.queue("", "default=2");
    cluster.startCore();
    cluster.apply(
        job("kueue.x-k8s.io/job-min-parallelism: '2'", "completions: 3, parallelism: 3, ", "", ""));

    cluster.awaitSuspended("job", false);
    assertThat(spec().getParallelism()).isEqualTo(2);
    assertThat(told()).isEmpty();
    assertThat(explained().evidence()).noneMatch(each -> each.value().endsWith(" (not valid)"));
  }

  /** A warning isn't possible: the webhook isn't asked about what such a namespace has. */
  @Test
  void aJobInANamespaceThatIsNotManagedIsToldOnce() {
    String managed = "managedJobsNamespaceSelector: {matchLabels: {managed: 'yes'}}\n";
    cluster.queue("", "default=1");
    cluster.startCore(managed);
    cluster.job("waits", 1);
    cluster.job("runs", 1, "", false);
    cluster.awaitThat("both tell", world -> told("NamespaceNotManaged").size() == 2);

    cluster.podsRun("runs");
    cluster.settle();
    assertThat(told("NamespaceNotManaged"))
        .containsExactlyInAnyOrder(
            unmanaged("it stays suspended, and the core won't start it"),
            unmanaged("it starts at once, without quota"));
    assertThat(events("NamespaceNotManaged")).allMatch(event -> event.getSeries() == null);
    assertThat(cluster.workloads()).isEmpty();
    assertThat(explained("runs", managed).reason()).isEqualTo(Reason.JOB_NOT_MANAGED);
    assertThat(explained("runs", managed).summary())
        .contains("LocalQueue lq", "managed=yes", "at once, without quota");

    labelNamespace("'yes'");
    cluster.awaitWorkload("waits", TestCluster::admitted);
    labelNamespace("null");
    cluster.settle();
    cluster.job("later", 1);
    cluster.awaitThat(
        "it tells",
        world ->
            events("NamespaceNotManaged").stream()
                .anyMatch(event -> "later".equals(event.getRegarding().getName())));
  }

  private static String unmanaged(String consequence) {
    return "It names the queue lq, but namespace team is not managed"
        + " (managedJobsNamespaceSelector: managed=yes): "
        + consequence
        + ". Create it in a namespace that is selected, or have the operator of the core select"
        + " this one.";
  }

  private void labelNamespace(String managed) {
    cluster.api.patch(
        CoreTypes.NAMESPACE,
        ObjectKey.cluster(TestCluster.NAMESPACE),
        TestCluster.merge("{\"metadata\": {\"labels\": {\"managed\": %s}}}".formatted(managed)));
  }

  /** The namespace is known after its Jobs. */
  @Test
  void aJobInANamespaceThatIsNotKnownYetIsToldNothing() {
    cluster.queue("", "default=1");
    Fault silence = cluster.silence("namespaces");
    cluster.startCore("managedJobsNamespaceSelector: {matchLabels: {managed: 'yes'}}\n");
    cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: free}}");
    cluster.apply(job("", "", "", "").replace("namespace: team", "namespace: free"));
    cluster.settle();
    assertThat(told("NamespaceNotManaged")).isEmpty();

    silence.close();
    cluster.awaitThat("it tells", world -> told("NamespaceNotManaged").size() == 1);
  }

  /** A Workload that another core has made is there already. */
  @Test
  void aJobForMultiKueueIsNotStartedOnAWorkloadThatIsLeft() {
    cluster.queue("", "default=1");
    cluster.apply(job("", "managedBy: kueue.x-k8s.io/multikueue, ", "", ""));
    workloadOfAnotherCore();
    cluster.startCore();

    Workload ended =
        cluster.awaitWorkload(
            "job", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));

    assertThat(TestCluster.condition(ended, WorkloadConditions.FINISHED))
        .extracting(Condition::reason, Condition::message)
        .satisfies(said -> assertThat(said.toString()).contains("FailedToStart", "spec.managedBy"));
    assertThat(spec().getSuspend()).isTrue();
    assertThat(explained().reason()).isEqualTo(Reason.NOT_SUPPORTED);
  }

  @Test
  void aJobSetForMultiKueueIsNotTaken() {
    JobSets.install(cluster);
    cluster.queue("", "default=1");
    cluster.startCore(JobSets.FRAMEWORKS);
    JobSets.apply(
        cluster,
        true,
        """
        managedBy: kueue.x-k8s.io/multikueue, replicatedJobs: [{name: a, template: {spec:
          {template: {spec: {containers: [{name: c, image: i}]}}}}}]""");

    cluster.awaitThat("it tells", world -> !told().isEmpty());
    cluster.settle();
    assertThat(cluster.workloads()).isEmpty();
    assertThat(JobSets.suspended(cluster)).isTrue();
  }

  /** With them its pods would wait for ever; stopped, the Job is as its user wrote it. */
  @Test
  void gatesOfAnotherCoreAreTakenOffAtTheStartAndComeBackAtTheStop() {
    cluster.queue("", "default=1");
    cluster.startCore();
    cluster.apply(
        job(
            "",
            "",
            "",
            "schedulingGates: [{name: kueue.x-k8s.io/elastic-job}, {name: example.com/own}], "));
    cluster.awaitSuspended("job", false);
    assertThat(gates()).containsExactly("example.com/own");
    cluster.awaitThat("its Job tells", world -> !told().isEmpty());
    assertThat(told()).singleElement().asString().contains("taken off the template");

    cluster.api.patch(
        KueueTypes.WORKLOAD,
        ObjectKey.of(cluster.workload("job")),
        TestCluster.merge("{\"spec\": {\"active\": false}}"));

    cluster.awaitThat("it is as it was", world -> gates().size() == 2);
    assertThat(gates()).containsExactly("kueue.x-k8s.io/elastic-job", "example.com/own");
    assertThat(spec().getSuspend()).isTrue();
  }

  /** A stop that was cut short: the Job has the marks of a start, the Workload has none. */
  @Test
  void aJobThatAnotherCoreStartedIsStartedAgainWithoutItsGates() {
    cluster.queue("", "default=1");
    cluster.apply(
        job(
            "",
            "",
            "kueue.x-k8s.io/workload: another",
            "schedulingGates: [{name: kueue.x-k8s.io/topology}], "));
    workloadOfAnotherCore();
    cluster.startCore();

    cluster.awaitSuspended("job", false);
    assertThat(gates()).isEmpty();
  }

  @Test
  void aQueueWithAFlavorOfATopologyAdmitsNothingAndSaysSo() {
    cluster.queue("", "default=1");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: default}
        spec: {nodeLabels: {flavor: default}, topologyName: racks}
        """);
    cluster.startCore();
    cluster.job("job", 1);

    cluster.passUntil(
        "the queue says so",
        world ->
            world.clusterQueue().status().conditions().stream()
                .anyMatch(condition -> condition.reason().equals("TopologyNotFound")));
    cluster.passUntil("the Workload says so", world -> misconfigured(world.workload("job")));
    assertThat(notReserved().message()).contains("spec.topologyName of ResourceFlavor(s): default");
    Explanation explained = explained();
    assertThat(explained.reason()).isEqualTo(Reason.NOT_SUPPORTED);
    assertThat(explained.evidence().getFirst())
        .hasToString(
            "Evidence[object=ResourceFlavor/default, field=spec.topologyName, value=racks]");
  }

  /** Made from the Job as its user wrote it. */
  private void workloadOfAnotherCore() {
    V1Job job = cluster.job("job");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata:
          name: "%1$s"
          namespace: team
          labels: {kueue.x-k8s.io/job-uid: "%2$s"}
          ownerReferences:
          - {apiVersion: batch/v1, kind: Job, name: job, uid: "%2$s", controller: true}
        spec:
          queueName: lq
          podSets:
          - name: main
            count: 1
            template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}}
        """
            .formatted(JobWorkloadKeys.of(CoreTypes.JOB, job).name(), Uids.of(job)));
  }

  private List<String> told() {
    return told("NotSupported");
  }

  private List<String> told(String reason) {
    return events(reason).stream().map(event -> String.valueOf(event.getNote())).toList();
  }

  private List<EventsV1Event> events(String reason) {
    return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
        .filter(event -> reason.equals(event.getReason()))
        .toList();
  }

  private Condition notReserved() {
    return TestCluster.condition(cluster.workload("job"), WorkloadConditions.QUOTA_RESERVED);
  }

  private static boolean misconfigured(Workload workload) {
    return workload.status().conditions().stream()
        .anyMatch(condition -> condition.reason().equals("Misconfigured"));
  }

  private Explanation explained() {
    return Explain.why(
        new ExplainInputReader(cluster.api).read(TestCluster.NAMESPACE, "job/job"),
        cluster.time.instant());
  }

  private Explanation explained(String job, String configuration) {
    return Explain.why(
        new ExplainInputReader(
                cluster.api,
                Configuration.parse(
                    "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
                        + configuration))
            .read(TestCluster.NAMESPACE, "job/" + job),
        cluster.time.instant());
  }

  private V1JobSpec spec() {
    V1Job job = cluster.job("job");
    return Objects.requireNonNull(job.getSpec());
  }

  private List<String> gates() {
    V1PodTemplateSpec template = spec().getTemplate();
    return Objects.requireNonNullElse(
            Objects.requireNonNull(template.getSpec()).getSchedulingGates(),
            List.<V1PodSchedulingGate>of())
        .stream()
        .map(V1PodSchedulingGate::getName)
        .toList();
  }

  private static String job(
      String annotations, String spec, String podAnnotations, String podSpec) {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: job, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq},
          annotations: {%s}}
        spec: {suspend: true, %stemplate: {metadata: {annotations: {%s}},
          spec: {%srestartPolicy: Never, containers: [{name: main, image: busybox,
            resources: {requests: {cpu: 1}}}]}}}
        """
        .formatted(annotations, spec, podAnnotations, podSpec);
  }
}
