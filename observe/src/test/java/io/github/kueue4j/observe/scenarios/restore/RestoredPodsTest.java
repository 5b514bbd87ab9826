// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.observe.restore.Restoration;
import io.github.kueue4j.observe.restore.RestoreReport;
import io.github.kueue4j.observe.restore.RestoredWorkload;
import io.github.kueue4j.observe.restore.RestoredWorkload.RestoreOutcome;
import io.github.kueue4j.observe.restore.WorkloadBackup;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A backup of Workloads of single pods and of groups is restored while no core runs: what ran then
 * and runs now isn't deleted, its quota isn't given to others, and what waits keeps waiting. A
 * Workload with which the core would delete pods, or keep quota for ever, isn't put back but named.
 */
@Simulated
@PossibleLog(
    logger = "ConfiguredSettings",
    message = "The configuration has keys that have no effect",
    because = "the test itself does what the webhook would")
class RestoredPodsTest {
  private static final String FRAMEWORKS =
      "integrations: {frameworks: [batch/job, pod, statefulset]}\n";
  private static final ResourceType<V1StatefulSet> STATEFUL_SET =
      ResourceType.of("apps/v1", "StatefulSet", V1StatefulSet.class);
  private static final List<String> RUNNING = List.of("single", "a", "b");
  private static final List<String> WAITING = List.of("late", "c", "d");

  private final TestCluster cluster = new TestCluster();

  @AfterEach
  void close() {
    cluster.close();
  }

  /** What was lost. */
  private enum Loss {
    STATUSES,
    WORKLOADS,
    UIDS_OF_PODS_TOO
  }

  /** As the webhook leaves it. */
  private void pod(String name, String labels, String annotations, String more) {
    cluster.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: team
          labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/managed: "true"%s}
          annotations: {%s}
          finalizers: [kueue.x-k8s.io/managed]
          %s
        spec:
          schedulingGates: [{name: kueue.x-k8s.io/admission}]
          restartPolicy: Never
          containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]
        """
            .formatted(name, labels, annotations, more));
  }

  private void single(String name) {
    pod(name, "", "", "");
  }

  private void member(String name, String group) {
    pod(
        name,
        ", kueue.x-k8s.io/pod-group-name: " + group,
        "kueue.x-k8s.io/pod-group-total-count: \"2\"",
        "");
  }

  private V1Pod read(String name) {
    return cluster.api.get(CoreTypes.POD, TestCluster.key(name)).orElseThrow();
  }

  private static boolean gated(V1Pod pod) {
    return pod.getSpec().getSchedulingGates() != null
        && !pod.getSpec().getSchedulingGates().isEmpty();
  }

  private void awaitStarted(String name) {
    await().alias(name + " is started").until(() -> !gated(read(name)));
  }

  private void runs(String name) {
    awaitStarted(name);
    status(name, "Running");
  }

  private void status(String name, String phase) {
    cluster.api.patchStatus(
        CoreTypes.POD,
        TestCluster.key(name),
        TestCluster.merge("{\"status\": {\"phase\": \"" + phase + "\"}}"));
  }

  private Map<String, String> uids() {
    return cluster.api.list(CoreTypes.POD, ListOptions.inNamespace("team")).items().stream()
        .collect(Collectors.toMap(pod -> ObjectKey.of(pod).name(), Uids::of));
  }

  /** A single pod and a group run, another pod and another group wait; no core runs any more. */
  private WorkloadBackup backup() {
    begin();
    return saved();
  }

  private void begin() {
    cluster.queue("", "default=3");
    cluster.startCore(FRAMEWORKS);
    single("single");
    member("a", "g");
    member("b", "g");
    RUNNING.forEach(this::runs);
    single("late");
    cluster.settle();
    member("c", "h");
    member("d", "h");
    cluster.awaitThat("all are queued", world -> world.workloads().size() == 4);
  }

  private WorkloadBackup saved() {
    cluster.settle();
    cluster.crashCore();
    return WorkloadBackup.of(cluster.api);
  }

  private <T extends KubernetesObject> void remove(ResourceType<T> type, ObjectKey key) {
    cluster.api.patch(type, key, TestCluster.merge("{\"metadata\": {\"finalizers\": null}}"));
    cluster.api.delete(type, key, DeleteOptions.background().withGracePeriodSeconds(0));
  }

  private void happen(Loss loss) {
    for (Workload workload : cluster.workloads()) {
      if (loss == Loss.STATUSES) {
        cluster.api.patchStatus(
            KueueTypes.WORKLOAD,
            GuardedPatch.ofStatus(workload, workload.withStatus(WorkloadStatus.empty())));
      } else {
        remove(KueueTypes.WORKLOAD, ObjectKey.of(workload));
      }
    }
    if (loss == Loss.UIDS_OF_PODS_TOO) {
      Stream.concat(RUNNING.stream(), WAITING.stream()).forEach(this::recreate);
    }
  }

  /** As a tool that restores objects. */
  private void recreate(String name) {
    recreate(read(name));
  }

  private void recreate(V1Pod pod) {
    String name = ObjectKey.of(pod).name();
    remove(CoreTypes.POD, TestCluster.key(name));
    pod.getMetadata().uid(null).resourceVersion(null).creationTimestamp(null);
    cluster.api.create(CoreTypes.POD, pod);
    if (!gated(pod)) {
      status(name, "Running");
    }
  }

  private RestoreReport restore(WorkloadBackup backup) {
    return new Restoration(cluster.api).restore(backup, cluster.time.instant());
  }

  private static Map<String, RestoreOutcome> outcomes(RestoreReport report) {
    Map<String, RestoreOutcome> outcomes = new HashMap<>();
    for (RestoredWorkload each : report.workloads()) {
      outcomes.put(shortened(each), each.outcome());
    }
    return outcomes;
  }

  /** The group, or the pod. */
  private static String shortened(RestoredWorkload restored) {
    String name = restored.workload().name();
    return name.startsWith("pod-") ? name.split("-", -1)[1] : name;
  }

  @ParameterizedTest
  @EnumSource(Loss.class)
  void whatRunsRunsOnAndWhatWaitsKeepsWaiting(Loss loss) {
    WorkloadBackup backup = backup();
    happen(loss);
    Map<String, String> before = uids();

    RestoreReport report = restore(backup);

    assertThat(report.complete()).as("%s", report).isTrue();
    assertThat(outcomes(report))
        .isEqualTo(
            Map.of(
                "single", RestoreOutcome.RUNS_ON,
                "g", RestoreOutcome.RUNS_ON,
                "late", RestoreOutcome.WAITS,
                "h", RestoreOutcome.WAITS));
    cluster.startCore(FRAMEWORKS);
    cluster.settle();
    cluster.pass(Duration.ofMinutes(1));
    assertThat(uids()).as("no pod was deleted").isEqualTo(before);
    assertThat(WAITING).allMatch(name -> gated(read(name)));
    assertThat(cluster.workloads().stream().filter(TestCluster::admitted)).hasSize(2);
    assertThat(owners("g")).containsExactlyInAnyOrder(before.get("a"), before.get("b"));

    status("single", "Succeeded");
    awaitStarted("late");
    status("a", "Succeeded");
    status("b", "Succeeded");
    List.of("c", "d").forEach(this::awaitStarted);
    cluster.awaitThat(
        "the group has finished",
        world ->
            TestCluster.isTrue(
                world.api.get(KueueTypes.WORKLOAD, TestCluster.key("g")).orElseThrow(),
                "Finished"));
  }

  private Workload workload(String name) {
    return cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key(name)).orElseThrow();
  }

  /** It was started when no core looked. */
  private void started(String name) {
    cluster.api.patch(
        CoreTypes.POD,
        TestCluster.key(name),
        TestCluster.merge(
            "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/job-uid\": \"%s\"}}, \"spec\": {\"schedulingGates\": null}}"
                .formatted(Uids.of(read(name)))));
    status(name, "Running");
  }

  private static String why(RestoreReport report, String workload) {
    return report.workloads().stream()
        .filter(each -> shortened(each).equals(workload))
        .findFirst()
        .orElseThrow()
        .why();
  }

  /** The group would keep its quota, since the pod that is gone can't succeed any more. */
  @Test
  void aGroupThatHasLostAPodIsNotRestored() {
    begin();
    status("a", "Succeeded");
    cluster.awaitThat(
        "its place is free", world -> !workload("g").status().reclaimablePods().isEmpty());
    WorkloadBackup backup = saved();
    happen(Loss.WORKLOADS);
    remove(CoreTypes.POD, TestCluster.key("a"));

    RestoreReport report = restore(backup);

    assertThat(outcomes(report)).containsEntry("g", RestoreOutcome.NOT_RESTORED);
    assertThat(report.complete()).isFalse();
    assertThat(why(report, "g"))
        .startsWith("1 of its pods had succeeded and is gone: the group would keep quota for ever");
  }

  /** Of one that has ended since the backup, nothing tells. */
  @Test
  void aGroupThatHasLostAPodSinceTheBackupIsNotRestored() {
    WorkloadBackup backup = backup();
    happen(Loss.WORKLOADS);
    remove(CoreTypes.POD, TestCluster.key("a"));

    RestoreReport report = restore(backup);

    assertThat(outcomes(report)).containsEntry("g", RestoreOutcome.NOT_RESTORED);
    assertThat(why(report, "g")).startsWith("1 of its pods is gone, while others run");
  }

  /** With the Workload that waits, the core would delete them. */
  @Test
  void podsThatWaitedAndRunNowAreNamed() {
    WorkloadBackup backup = backup();
    happen(Loss.WORKLOADS);
    List.of("late", "d").forEach(this::started);

    RestoreReport report = restore(backup);

    assertThat(outcomes(report))
        .containsEntry("late", RestoreOutcome.NOT_RESTORED)
        .containsEntry("h", RestoreOutcome.NOT_RESTORED)
        .containsEntry("g", RestoreOutcome.RUNS_ON);
    assertThat(why(report, "late"))
        .startsWith("Pod team/late has run since the backup, in which it waited");
    assertThat(why(report, "h")).startsWith("its pod d has run since the backup");
    assertThat(report.unadmitted()).containsExactly("Pod team/late", "group of pods team/h");
  }

  @Test
  void aGroupWithMorePodsThatRunThanItHadIsNotRestored() {
    WorkloadBackup backup = backup();
    happen(Loss.WORKLOADS);
    member("e", "g");
    started("e");

    RestoreReport report = restore(backup);

    assertThat(outcomes(report)).containsEntry("g", RestoreOutcome.NOT_RESTORED);
    assertThat(why(report, "g"))
        .startsWith("3 of its pods run or have succeeded as")
        .contains("the Workload in the backup has 2");
  }

  /** On a Workload that has finished, they would never start. */
  @Test
  void aLaterGroupOfTheSameNameIsQueuedAnew() {
    begin();
    List.of("a", "b").forEach(name -> status(name, "Succeeded"));
    cluster.awaitThat("it has finished", world -> workload("g").conditions().finished());
    WorkloadBackup backup = saved();
    happen(Loss.WORKLOADS);
    for (String name : List.of("a", "b")) {
      remove(CoreTypes.POD, TestCluster.key(name));
      member(name, "g");
    }

    RestoreReport report = restore(backup);

    assertThat(outcomes(report)).containsEntry("g", RestoreOutcome.NOT_NEEDED);
    assertThat(why(report, "g")).startsWith("it had finished");
    cluster.startCore(FRAMEWORKS);
    cluster.awaitThat(
        "it is queued anew",
        world ->
            world
                .api
                .get(KueueTypes.WORKLOAD, TestCluster.key("g"))
                .filter(found -> !found.conditions().finished())
                .isPresent());
  }

  private List<String> owners(String workload) {
    return Metadata.owners(workload(workload)).stream().map(V1OwnerReference::getUid).toList();
  }

  /** Its pods were made anew, with their gates, by whatever makes them. */
  @Test
  void aGroupWhosePodsDoNotRunWaitsAgain() {
    WorkloadBackup backup = backup();
    happen(Loss.WORKLOADS);
    for (String name : List.of("a", "b")) {
      remove(CoreTypes.POD, TestCluster.key(name));
      member(name, "g");
    }

    assertThat(outcomes(restore(backup))).containsEntry("g", RestoreOutcome.WAITS_AGAIN);
    cluster.startCore(FRAMEWORKS);
    List.of("a", "b").forEach(this::awaitStarted);
  }

  @Test
  void whatIsGoneHasEndedOrAsksForOtherPodsIsNotRestored() {
    WorkloadBackup backup = backup();
    happen(Loss.WORKLOADS);
    List.of("c", "d", "single").forEach(name -> remove(CoreTypes.POD, TestCluster.key(name)));
    status("a", "Failed");
    status("b", "Succeeded");

    RestoreReport report = restore(backup);

    assertThat(outcomes(report))
        .containsEntry("g", RestoreOutcome.NOT_NEEDED)
        .containsEntry("h", RestoreOutcome.NOT_RESTORED)
        .containsEntry("single", RestoreOutcome.NOT_RESTORED);
    assertThat(report.workloads())
        .extracting(RestoredWorkload::why)
        .contains(
            "its pods have ended",
            "no pod of its group exists; restore them and run this again, unless they were deleted");
  }

  /** The pods of a group are named once, however many there are. */
  @Test
  void aGroupThatRunsWithoutItsWorkloadIsTold() {
    WorkloadBackup backup = backup();
    happen(Loss.WORKLOADS);
    List<Workload> others =
        backup.workloads().stream().filter(each -> !ObjectKey.of(each).name().equals("g")).toList();

    assertThat(restore(new WorkloadBackup(others)).unadmitted())
        .containsExactly("group of pods team/g");
    assertThat(restore(backup).unadmitted()).isEmpty();
  }

  /** The Workload of a StatefulSet belongs to that, and not to the pods, which come and go. */
  @Test
  void theWorkloadOfAStatefulSetBelongsToItAgain() {
    cluster.queue("", "default=3");
    cluster.apply(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: db, namespace: team}
        spec:
          replicas: 1
          serviceName: db
          selector: {matchLabels: {app: db}}
          template:
            metadata: {labels: {app: db}}
            spec: {containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]}
        """);
    String set = cluster.api.get(STATEFUL_SET, TestCluster.key("db")).map(Uids::of).orElseThrow();
    String group = "statefulset-db-0a1b2";
    pod(
        "db-0",
        ", kueue.x-k8s.io/pod-group-name: " + group,
        "kueue.x-k8s.io/pod-group-total-count: \"1\", kueue.x-k8s.io/pod-group-fast-admission: \"true\","
            + " kueue.x-k8s.io/pod-group-serving: \"true\"",
        "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, controller: true, uid: "
            + set
            + "}]");
    cluster.startCore(FRAMEWORKS);
    runs("db-0");
    cluster.settle();
    cluster.crashCore();
    WorkloadBackup backup = WorkloadBackup.of(cluster.api);
    happen(Loss.WORKLOADS);

    assertThat(outcomes(restore(backup))).containsEntry(group, RestoreOutcome.RUNS_ON);
    assertThat(owners(group)).containsExactly(set);
    Map<String, String> before = uids();
    cluster.startCore(FRAMEWORKS);
    cluster.pass(Duration.ofMinutes(1));
    assertThat(uids()).isEqualTo(before);
    assertThat(cluster.workloads()).singleElement().matches(TestCluster::admitted);
    cluster.crashCore();

    happen(Loss.WORKLOADS);
    recreate("db-0");
    RestoreReport refused = restore(backup);
    assertThat(Objects.requireNonNull(refused.workloads().getFirst()).why())
        .isEqualTo(
            "its pod db-0 was created anew while it ran, and the core can't stop it; delete it, so"
                + " that StatefulSet db makes another, which is queued");

    V1Pod ownerless = read("db-0");
    ownerless.getMetadata().ownerReferences(null);
    recreate(ownerless);
    assertThat(why(restore(backup), group))
        .as("it would never be evicted")
        .isEqualTo(
            "its pod db-0 has no owner; wait until StatefulSet db has adopted it, then run this"
                + " again");
  }
}
