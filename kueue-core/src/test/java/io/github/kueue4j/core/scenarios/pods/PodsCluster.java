// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.JobWorkloadKeys;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.TestLog;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** A {@link TestCluster} with plain pods, their users, and what plays their kubelet. */
final class PodsCluster implements AutoCloseable {
  static final String FRAMEWORKS =
      """
      integrations:
        frameworks:
          [batch/job, pod, deployment, statefulset, leaderworkerset.x-k8s.io/leaderworkerset]
      waitForPodsReady: {timeout: 1h}
      kueue4j: {quotaRelease: {lostNodeTimeout: 10s}}
      """;

  /** After how many writes cores are killed, a life for each: some die with writes left to do. */
  static final List<Integer> EACH = List.of(1, 3);

  /** For what is killed alike in another test: in a nightly build {@link #EACH}. */
  static final List<Integer> FIRST = Nightly.isOn() ? EACH : List.of(1);

  final TestCluster cluster = new TestCluster();

  private final AtomicInteger carriedOut = new AtomicInteger();
  private @Nullable Fault death;
  private int deadAfter;
  private int kills;

  PodsCluster(String... flavorsAndCpus) {
    cluster.queue("preemption: {withinClusterQueue: LowerPriority}", flavorsAndCpus);
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: WorkloadPriorityClass
        metadata: {name: high}
        value: 100
        """);
  }

  KueueCore startCore() {
    TestLog.possible(
        Level.WARN,
        "ConfiguredSettings",
        "The configuration has keys that have no effect",
        "the test itself does what the webhook would");
    return cluster.startCore(FRAMEWORKS);
  }

  /** Starts a core that the server asks about pods. */
  KueueCore startCoreWithWebhooks() {
    return cluster.startCoreReviewingPods(FRAMEWORKS);
  }

  /** A pod as the webhook leaves it. */
  void pod(String name, String cpus) {
    pod(name, cpus, "", "");
  }

  /**
   * A pod as the webhook leaves it.
   *
   * @param labels more of them, as the inside of a YAML flow mapping
   * @param more of its metadata
   */
  void pod(String name, String cpus, String labels, String more) {
    cluster.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: team
          labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/managed: "true"%s}
          %s
          finalizers: [kueue.x-k8s.io/managed]
        spec:
          schedulingGates: [{name: kueue.x-k8s.io/admission}]
          restartPolicy: Never
          containers: [{name: main, image: busybox, resources: {requests: {cpu: %s}}}]
        """
            .formatted(name, labels.isEmpty() ? "" : ", " + labels, more, cpus));
  }

  /**
   * A pod of the group {@code g}, as the webhook leaves it.
   *
   * @param total number of pods of the group
   * @param annotations more of them, as the inside of a YAML flow mapping
   */
  void member(String name, String cpus, int total, String... annotations) {
    member(name, cpus, String.valueOf(total), annotations);
  }

  void member(String name, String cpus, String total, String... annotations) {
    pod(
        name,
        cpus,
        "kueue.x-k8s.io/pod-group-name: g",
        "annotations: {"
            + String.join(
                ", ",
                Stream.concat(
                        Stream.of("kueue.x-k8s.io/pod-group-total-count: \"" + total + '"'),
                        Stream.of(annotations))
                    .toList())
            + "}");
  }

  /** The pods a, b and c of the group run. */
  void runningGroup() {
    List<String> names = List.of("a", "b", "c");
    names.forEach(name -> member(name, "1", 3));
    names.forEach(name -> awaitPod(name, pod -> !gated(pod)));
    names.forEach(this::runs);
    cluster.settle();
  }

  /** Those of these pods that exist and have the gate. */
  long waiting(String... names) {
    return Stream.of(names).flatMap(name -> find(name).stream()).filter(PodsCluster::gated).count();
  }

  /** Those of these pods that exist and have lost the gate. */
  List<String> started(String... names) {
    return Stream.of(names)
        .filter(name -> find(name).filter(pod -> !gated(pod)).isPresent())
        .toList();
  }

  void reachStarted(String... names) {
    reach(List.of(names) + " start", () -> started(names).size() == names.length);
  }

  /** The group's Workload has finished, with this reason. */
  void awaitFinished(String reason) {
    awaitGroup(
        workload ->
            TestCluster.isTrue(workload, WorkloadConditions.FINISHED)
                && TestCluster.condition(workload, WorkloadConditions.FINISHED)
                    .reason()
                    .equals(reason));
  }

  /** An event says so about a pod. */
  void awaitEvent(String pod, String text) {
    cluster.awaitThat(
        "an event of " + pod + ": " + text,
        world -> notes(pod).stream().anyMatch(note -> note.contains(text)));
  }

  /** The notes of events about a pod. */
  List<String> notes(String pod) {
    return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
        .filter(event -> event.getRegarding() != null && pod.equals(event.getRegarding().getName()))
        .map(event -> String.valueOf(event.getNote()))
        .toList();
  }

  Optional<Workload> group() {
    return cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key("g"));
  }

  Workload awaitGroup(Predicate<Workload> expected) {
    return await()
        .alias("Workload of the group")
        .until(this::group, found -> found.filter(expected).isPresent())
        .orElseThrow();
  }

  /** Another core has made and admitted the group's Workload, which no core has seen yet. */
  void replaceGroup(String json) {
    patch(KueueTypes.WORKLOAD, "g", "{\"metadata\": {\"finalizers\": null}}");
    cluster.api.delete(KueueTypes.WORKLOAD, TestCluster.key("g"), DeleteOptions.background());
    Workload other = KueueJson.fromJson(json, Workload.class);
    other.metadata().uid(null).resourceVersion(null).managedFields(null);
    Workload created = cluster.api.create(KueueTypes.WORKLOAD, other);
    cluster.api.patchStatus(
        KueueTypes.WORKLOAD, GuardedPatch.ofStatus(created, created.withStatus(other.status())));
  }

  void patch(String pod, String merge) {
    patch(CoreTypes.POD, pod, merge);
  }

  private void patch(ResourceType<?> type, String name, String merge) {
    cluster.api.patch(type, TestCluster.key(name), TestCluster.merge(merge));
  }

  /** A pod that was admitted, started, and runs. */
  void running(String name) {
    pod(name, "1");
    awaitPod(name, pod -> !gated(pod));
    runs(name);
    cluster.settle();
  }

  /** The scheduler and the kubelet have brought it to a node, where it is ready. */
  void runs(String name) {
    cluster.api.patch(
        CoreTypes.POD,
        TestCluster.key(name),
        TestCluster.merge("{\"spec\": {\"nodeName\": \"n\"}}"));
    status(
        name,
        "\"phase\": \"Running\", \"conditions\": [{\"type\": \"Ready\", \"status\": \"True\"}]");
  }

  /** Its containers have ended. */
  void ends(String name, String phase) {
    status(name, "\"phase\": \"" + phase + '"');
  }

  private void status(String name, String fields) {
    cluster.api.patchStatus(
        CoreTypes.POD, TestCluster.key(name), TestCluster.merge("{\"status\": {" + fields + "}}"));
  }

  /** A user deletes it; its kubelet gives it 30 s. */
  void delete(String name) {
    cluster.api.delete(CoreTypes.POD, TestCluster.key(name), DeleteOptions.background());
  }

  /** The kubelet has removed a pod that was deleted, and whose containers have ended. */
  void removed(String name) {
    cluster.api.delete(
        CoreTypes.POD, TestCluster.key(name), DeleteOptions.background().withGracePeriodSeconds(0));
  }

  Optional<V1Pod> find(String name) {
    return cluster.api.get(CoreTypes.POD, TestCluster.key(name));
  }

  V1Pod pod(String name) {
    return find(name).orElseThrow();
  }

  V1Pod awaitPod(String name, Predicate<V1Pod> expected) {
    return await().alias("pod " + name).until(() -> pod(name), expected);
  }

  void awaitGone(String name) {
    await().alias("pod " + name + " is gone").until(() -> find(name).isEmpty());
  }

  ObjectKey workloadKey(String name) {
    return JobWorkloadKeys.of(CoreTypes.POD, pod(name));
  }

  Workload awaitWorkload(String name, Predicate<Workload> expected) {
    ObjectKey key = workloadKey(name);
    return await()
        .alias("Workload of pod " + name)
        .until(
            () -> cluster.api.get(KueueTypes.WORKLOAD, key),
            found -> found.filter(expected).isPresent())
        .orElseThrow();
  }

  void awaitNoWorkload() {
    cluster.awaitThat("no Workload is left", world -> world.workloads().isEmpty());
  }

  /** The check {@code budget} answers; the core has to be at rest. */
  void ready(String pod, PodSetUpdate update) {
    cluster.settle();
    Workload before = cluster.api.get(KueueTypes.WORKLOAD, workloadKey(pod)).orElseThrow();
    AdmissionCheckState entry =
        before
            .status()
            .admissionCheck("budget")
            .orElseThrow()
            .withState(CheckState.READY)
            .withLastTransitionTime(cluster.time.instant())
            .withPodSetUpdates(List.of(update));
    cluster.api.patchStatus(
        KueueTypes.WORKLOAD,
        GuardedPatch.ofStatus(
            before, before.withStatus(before.status().withAdmissionCheck(entry))));
  }

  /**
   * Each core that runs from now on is killed after so many writes, by {@link #reach}: so what any
   * write leaves is found by another core, if lives with other numbers are tried as well.
   */
  void killAfterEvery(int writes) {
    RequestMatcher written =
        RequestMatcher.writes()
            .and(RequestMatcher.userAgent("kueue-core"))
            .and(RequestMatcher.resource("pods").or(RequestMatcher.resource("workloads")));
    carriedOut.set(0);
    deadAfter = writes;
    death =
        cluster
            .server
            .faults()
            .failNext(
                Integer.MAX_VALUE,
                request -> written.matches(request) && carriedOut.incrementAndGet() > writes,
                500);
  }

  /** Waits until it holds; a core whose end has come is replaced meanwhile. */
  void reach(String what, BooleanSupplier expected) {
    await()
        .alias(what)
        .until(
            () -> {
              if (death != null && carriedOut.get() > deadAfter) {
                cluster.crashCore();
                death.close();
                kills++;
                killAfterEvery(deadAfter);
                startCore();
              }
              return expected.getAsBoolean();
            });
  }

  /** How many cores were replaced by another one. */
  int kills() {
    return kills;
  }

  long patches() {
    return cluster
        .server
        .requests()
        .count(
            RequestMatcher.verbs("patch")
                .and(RequestMatcher.resource("pods"))
                .and(RequestMatcher.subresource("status").negate()));
  }

  /** Whether this pod exists and has the gate. */
  boolean waits(String name) {
    return waiting(name) == 1;
  }

  static boolean gated(V1Pod pod) {
    return Objects.requireNonNullElse(pod.getSpec().getSchedulingGates(), List.of()).stream()
        .anyMatch(gate -> gate.toString().contains("kueue.x-k8s.io/admission"));
  }

  static List<String> finalizers(V1Pod pod) {
    return Objects.requireNonNullElse(pod.getMetadata().getFinalizers(), List.of());
  }

  @Override
  public void close() {
    cluster.close();
  }
}
