// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.dryrun;

import static io.github.kueue4j.observe.scenarios.dryrun.ServingManifests.configuration;
import static io.github.kueue4j.observe.scenarios.dryrun.ServingManifests.deployment;
import static io.github.kueue4j.observe.scenarios.dryrun.ServingManifests.leaderWorkerSet;
import static io.github.kueue4j.observe.scenarios.dryrun.ServingManifests.member;
import static io.github.kueue4j.observe.scenarios.dryrun.ServingManifests.statefulSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.observe.dryrun.DryRun;
import io.github.kueue4j.observe.dryrun.DryRunInputReader;
import io.github.kueue4j.observe.dryrun.DryRunOutcome;
import io.github.kueue4j.observe.dryrun.DryRunResult;
import io.github.kueue4j.observe.dryrun.DryRunResult.PartialOutcome;
import io.github.kueue4j.observe.dryrun.Manifest;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.simulation.Simulated;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects whose pods are queued in their place, and groups of pods. */
@Simulated
class PodsDryRunTest {
  private static final String GATED = "{schedulingGates: [{name: kueue.x-k8s.io/admission}], ";

  /**
   * What would become of an object where there is quota for three CPUs.
   *
   * @param telling texts that the summary and the notes contain
   */
  private record Row(String title, String manifest, DryRunOutcome outcome, List<String> telling) {
    @Override
    public String toString() {
      return title;
    }
  }

  private static Row row(String title, String manifest, DryRunOutcome outcome, String... telling) {
    return new Row(title, manifest, outcome, List.of(telling));
  }

  static Stream<Row> rows() {
    String group = member("a", 3, 1) + "---\n" + member("b", 3, 1);
    return Stream.of(
        row(
            "some pods of a Deployment start",
            deployment(5, 1),
            DryRunOutcome.WAITS,
            "3 of 5 pods: each gets quota of ClusterQueue cq at once and starts.",
            "2 of 5 pods: the first waits in ClusterQueue cq, as number 1 of 2: couldn't assign"),
        row(
            "all do",
            deployment(3, 1),
            DryRunOutcome.ADMITTED,
            "3 of 3 pods: each gets quota of ClusterQueue cq at once and starts."),
        row(
            "it has one pod",
            deployment(1, 4),
            DryRunOutcome.NEVER_FITS,
            "It would wait even if all quota were free: "),
        row(
            "it has none",
            deployment(0, 1),
            DryRunOutcome.NOT_QUEUED,
            "It has no pods: spec.replicas is 0. Nothing is queued before it is scaled up."),
        row(
            "it is paused",
            deployment(2, 1).replace("replicas: 2", "paused: true"),
            DryRunOutcome.NOT_QUEUED,
            "It has no pods: spec.paused is true."),
        row(
            "it names no queue",
            deployment(1, 1).replace("labels: {kueue.x-k8s.io/queue-name: lq}", "labels: {}"),
            DryRunOutcome.NOT_QUEUED,
            "The Deployment names no LocalQueue, so it isn't queued"),
        row(
            "its template alone names one",
            deployment(1, 1)
                .replace("labels: {kueue.x-k8s.io/queue-name: lq}", "labels: {}")
                .replace("{app: web}}, spec", "{app: web, kueue.x-k8s.io/queue-name: lq}}, spec"),
            DryRunOutcome.ADMITTED,
            "gets quota of ClusterQueue cq"),
        row(
            "its queue doesn't exist",
            deployment(2, 1).replace("queue-name: lq", "queue-name: lp"),
            DryRunOutcome.NOT_QUEUED,
            "lp"),
        row(
            "its pods request nothing",
            deployment(2, 1).replace(", resources: {requests: {cpu: 1}}", ""),
            DryRunOutcome.ADMITTED,
            "its pods request nothing that the ClusterQueue has quota of"),
        row(
            "its template names a node",
            deployment(2, 1).replace("{containers:", "{nodeName: node-1, containers:"),
            DryRunOutcome.NOT_QUEUED,
            "Its pods can't be created: spec.nodeName: Forbidden: it is \"node-1\""),
        row(
            "it has no spec",
            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}",
            DryRunOutcome.REFUSED,
            "spec: Required value"),
        row(
            "its number of pods is none",
            deployment(7, 1).replace("replicas: 7", "replicas: many"),
            DryRunOutcome.REFUSED,
            "It is refused: it can't be read: ",
            "replicas"),
        row(
            "its template is none",
            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {%s}}, spec: {template: web}}"
                .formatted("kueue.x-k8s.io/queue-name: lq"),
            DryRunOutcome.REFUSED,
            "It is refused: "),
        row(
            "its template has other labels than texts",
            deployment(1, 1).replace("{app: web}}, spec", "web}, spec"),
            DryRunOutcome.REFUSED,
            "It is refused: "),
        row(
            "it has no template",
            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {%s}}, spec: {}}"
                .formatted("kueue.x-k8s.io/queue-name: lq"),
            DryRunOutcome.REFUSED,
            "spec.template.spec.containers: Required value"),
        row(
            "the size of a group is none",
            leaderWorkerSet(2, 1, 1).replace("size: 3", "size: three"),
            DryRunOutcome.REFUSED,
            "It is refused: it can't be read: "),
        row(
            "groups have no pods",
            leaderWorkerSet(2, 1, 1).replace("size: 3", "size: 0"),
            DryRunOutcome.REFUSED,
            "It is refused: spec.leaderWorkerTemplate.size: Invalid value: 0: "),
        row(
            "groups have no workers' template",
            leaderWorkerSet(2, 1, 1).replace("workerTemplate: ", "otherTemplate: "),
            DryRunOutcome.REFUSED,
            "It is refused: spec.leaderWorkerTemplate.workerTemplate: Required value"),
        row(
            "the templates of groups are none",
            "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {name: web}, spec: {leaderWorkerTemplate: 5}}",
            DryRunOutcome.REFUSED,
            "It is refused: it can't be read: "),
        row(
            "there are more groups than a number holds",
            leaderWorkerSet(2, 1, 1).replace("replicas: 2", "replicas: 9999999999"),
            DryRunOutcome.REFUSED,
            "It is refused: it can't be read: "),
        row(
            "all pods of a StatefulSet have quota",
            statefulSet(3, 1),
            DryRunOutcome.ADMITTED,
            "It gets quota of ClusterQueue cq at once and starts.",
            "podSet=Optional[main], pods=3, resource=cpu, flavor=default, amount=3"),
        row(
            "or none",
            statefulSet(4, 1),
            DryRunOutcome.NEVER_FITS,
            "It would wait even if all quota were free: "),
        row(
            "it has too many",
            statefulSet(5_001, 1),
            DryRunOutcome.NOT_QUEUED,
            "Its pods can't be created: spec: Forbidden: metadata.annotations["
                + "kueue.x-k8s.io/pod-group-total-count] is \"5001\""),
        row(
            "one group of a LeaderWorkerSet starts",
            leaderWorkerSet(2, 1, 1),
            DryRunOutcome.WAITS,
            "1 of 2 groups: it gets quota of ClusterQueue cq at once and starts.",
            "1 of 2 groups: it waits in ClusterQueue cq, as number 1 of 1:",
            "podSet=Optional[leader], pods=1, resource=cpu, flavor=default, amount=1",
            "podSet=Optional[worker], pods=2, resource=cpu, flavor=default, amount=2"),
        row(
            "a complete group",
            group + "---\n" + member("c", 3, 1),
            DryRunOutcome.ADMITTED,
            "amount=3"),
        row(
            "a group has more pods than it says",
            group + "---\n" + member("c", 3, 1) + "---\n" + member("d", 3, 1),
            DryRunOutcome.ADMITTED,
            "pods=3",
            "1 of its pods without a place, since the group's total count is 3, will be deleted: d"),
        row(
            "a pod is twice in the file",
            group + "---\n" + member("b", 3, 1),
            DryRunOutcome.REFUSED,
            "It is refused: pods \"b\" is twice in the file."),
        row(
            "a group lacks pods",
            group,
            DryRunOutcome.NOT_QUEUED,
            "belongs to the group g, which has 2 of its 3 pods"),
        row(
            "a group disagrees about its size",
            group + "---\n" + member("c", 2, 1),
            DryRunOutcome.NOT_QUEUED,
            "of pod c, metadata.annotations[kueue.x-k8s.io/pod-group-total-count] is \"2\", but"
                + " \"3\" for pod a of the same group"),
        row(
            "a pod of a group doesn't say its size",
            member("a", 1, 1).replace("annotations:", "#"),
            DryRunOutcome.REFUSED,
            "Pod a is refused: ",
            "pod-group-total-count] is missing"),
        row(
            "a pod is bound",
            member("a", 1, 1).replace("{containers:", "{nodeName: node-1, containers:"),
            DryRunOutcome.REFUSED,
            "Pod a is refused: spec.nodeName: Forbidden: it is \"node-1\""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void saysWhatWouldHappen(Row row) {
    try (TestCluster cluster = cluster()) {
      DryRunResult result = dryRun(cluster, configuration(""), row.manifest()).getFirst();

      assertThat(result.outcome()).as("%s", result).isEqualTo(row.outcome());
      assertThat(result.toString()).contains(row.telling());
    }
  }

  private static TestCluster cluster() {
    TestCluster cluster = new TestCluster();
    cluster.queue("", "default=3");
    cluster.server.applyCrds(List.of(ServingManifests.LEADER_WORKER_SETS));
    return cluster;
  }

  private static List<DryRunResult> dryRun(
      TestCluster cluster, Configuration configuration, String manifests) {
    return DryRun.of(
        new DryRunInputReader(cluster.api, configuration)
            .read(Manifest.read(manifests, TestCluster.NAMESPACE)),
        cluster.time.instant());
  }

  @Test
  void countsWhatBecomesOfHowManyPods() {
    try (TestCluster cluster = cluster()) {
      DryRunResult result = dryRun(cluster, configuration(""), deployment(5, 1)).getFirst();

      assertThat(result.parts())
          .containsExactly(
              new PartialOutcome(DryRunOutcome.ADMITTED, 3),
              new PartialOutcome(DryRunOutcome.WAITS, 2));
      assertThat(result.takes())
          .singleElement()
          .hasToString(
              "TakenQuota[podSet=Optional[main], pods=3, resource=cpu, flavor=default, amount=3]");
      assertThat(result.place()).isEqualTo(1);
      assertThat(result.waiting()).isEqualTo(2);
      assertThat(cluster.workloads()).isEmpty();
    }
  }

  /** It is queued with its last pod, so that others of the file may come before it. */
  @Test
  void aGroupHasOneResultAndItsPodsThatAreThereCount() {
    try (TestCluster cluster = cluster()) {
      cluster.apply(managed("a", GATED));

      List<DryRunResult> results =
          dryRun(
              cluster,
              configuration(""),
              String.join("---\n", member("b", 3, 1), deployment(1, 1), member("c", 3, 1)));

      assertThat(results)
          .extracting(DryRunResult::kind, result -> result.object().name(), DryRunResult::outcome)
          .containsExactly(
              tuple("Deployment", "web", DryRunOutcome.ADMITTED),
              tuple("Pod group", "g", DryRunOutcome.WAITS));
    }
  }

  /** What the core's webhook leaves of a pod of the group g that it has queued or started. */
  private static String managed(String name, String spec) {
    return member(name, 3, 1)
        .replace(
            "labels: {",
            "finalizers: [kueue.x-k8s.io/managed]\n  labels: {kueue.x-k8s.io/managed: \"true\", ")
        .replace("{containers:", spec + "containers:");
  }

  /** A patch in lenient JSON. */
  private static MergePatch change(String text) {
    return new MergePatch(JsonParser.parseString(text).getAsJsonObject());
  }

  @Test
  void membersThatHaveEndedTakeNoPlaceInANewWorkload() {
    try (TestCluster cluster = cluster()) {
      cluster.apply(managed("a", GATED));
      cluster.api.patchStatus(
          CoreTypes.POD,
          new ObjectKey(TestCluster.NAMESPACE, "a"),
          change("{status: {phase: Succeeded}}"));

      DryRunResult result =
          dryRun(cluster, configuration(""), member("b", 3, 1) + "---\n" + member("c", 3, 1))
              .getFirst();

      assertThat(result)
          .returns(DryRunOutcome.NOT_QUEUED, DryRunResult::outcome)
          .returns("Its group g has 2 of its 3 pods.", DryRunResult::summary);
    }
  }

  @Test
  void membersThatRunWithoutAWorkloadAreStoppedFirst() {
    try (TestCluster cluster = cluster()) {
      cluster.apply(managed("a", "{"));
      ObjectKey key = new ObjectKey(TestCluster.NAMESPACE, "a");
      String uid = Uids.of(cluster.api.get(CoreTypes.POD, key).orElseThrow());
      cluster.api.patch(
          CoreTypes.POD,
          key,
          change("{metadata: {labels: {'%s': '%s'}}}".formatted(Keys.JOB_UID, uid)));

      DryRunResult result =
          dryRun(cluster, configuration(""), member("b", 3, 1) + "---\n" + member("c", 3, 1))
              .getFirst();

      assertThat(result)
          .returns(DryRunOutcome.NOT_QUEUED, DryRunResult::outcome)
          .returns(
              "Pods of its group g run without a Workload: the core stops a first, and others have to take their places.",
              DryRunResult::summary);
    }
  }

  @Test
  void aGroupWhoseWorkloadHasFinishedStartsNoMore() {
    try (TestCluster cluster = cluster()) {
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: g, namespace: team, annotations: {kueue.x-k8s.io/is-group-workload: "true"}}
          spec:
            queueName: lq
            podSets: [{name: main, count: 3, template: {spec: {containers: [{name: c, image: i}]}}}]
          """);
      cluster.api.patchStatus(
          KueueTypes.WORKLOAD,
          new ObjectKey(TestCluster.NAMESPACE, "g"),
          change(
              "{status: {conditions: [{type: Finished, status: 'True', reason: Succeeded, message:"
                  + " '', lastTransitionTime: '2026-01-05T08:00:00Z'}]}}"));

      DryRunResult result = dryRun(cluster, configuration(""), member("b", 1, 1)).getFirst();

      assertThat(result.outcome()).as("%s", result).isEqualTo(DryRunOutcome.NOT_QUEUED);
      assertThat(result.summary())
          .startsWith("The Workload of its group g has finished: ")
          .endsWith("by the label kueue.x-k8s.io/pod-group-name.");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2, c, 2, 2, WAITS, c will run on that; 'explain workload/g' says what that waits for.",
    "2, c, 1, 1, ADMITTED, the core starts c at once, on that.",
    "3, d, 1, 1, NOT_QUEUED, it has no place for d, which the core deletes.",
    "2, c, 2, 1, NOT_QUEUED, pod c waits in vain: its requests",
  })
  void aGroupThatHasItsWorkloadTakesThePodsForWhichItHasPlaces(
      int there, String pod, int cpus, int queued, DryRunOutcome outcome, String telling) {
    try (TestCluster cluster = cluster()) {
      List.of("a", "b", "c").subList(0, there).forEach(name -> cluster.apply(managed(name, GATED)));
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: g, namespace: team, annotations: {kueue.x-k8s.io/is-group-workload: "true"}}
          spec:
            queueName: lq
            podSets: [{name: main, count: 3, template: {spec: {containers: [
              {name: c, image: i, resources: {requests: {cpu: %d}}}]}}}]
          """
              .formatted(queued));
      DryRunResult result = dryRun(cluster, configuration(""), member(pod, 3, cpus)).getFirst();

      assertThat(result.outcome()).as("%s", result).isEqualTo(outcome);
      assertThat(result.summary())
          .startsWith("Its group g has its Workload already: ")
          .contains(telling);
    }
  }

  @Test
  void theConfigurationSaysWhetherTheyAreManaged() {
    try (TestCluster cluster = cluster()) {
      assertThat(
              DryRun.of(
                      new DryRunInputReader(cluster.api)
                          .read(Manifest.read(deployment(1, 1), TestCluster.NAMESPACE)),
                      cluster.time.instant())
                  .getFirst())
          .extracting(DryRunResult::outcome, DryRunResult::summary)
          .containsExactly(
              DryRunOutcome.UNKNOWN,
              "Whether the core manages the kind Deployment is in its configuration, which can't be"
                  + " read from here; give it with --config.");
      DryRunResult unmanaged =
          dryRun(cluster, Configuration.defaults(), deployment(1, 1)).getFirst();
      assertThat(unmanaged.outcome()).isEqualTo(DryRunOutcome.NOT_QUEUED);
      assertThat(unmanaged.summary())
          .contains("this core makes no Workloads for the kind Deployment");
    }
  }
}
