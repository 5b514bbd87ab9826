// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.fixture.Evaluations;
import io.github.kueue4j.sdk.fixture.FakeObjects;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Nodes, pods and workloads in memory, and the check that looks at them. Workloads ask for GPUs of
 * the flavor {@code a100}, or of another that the world has; their Job is {@code job-NAME}.
 */
final class GpuWorld {
  static final Instant START = Instant.parse("2026-06-01T08:00:00Z");
  static final Map<String, String> A100 = Map.of("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB");

  /** Servers on loopback are allowed. */
  static final GpuOptions OPTIONS =
      GpuOptions.defaults()
          .withAddresses(AddressRules.defaults().allowing(AddressRange.parse("127.0.0.0/8")));

  final FakeObjects<V1Node> nodes = new FakeObjects<>();
  final FakeObjects<V1Pod> pods = new FakeObjects<>();
  final FakeObjects<V1Job> jobs = new FakeObjects<>();
  final FakeObjects<Workload> workloads = new FakeObjects<>();
  final FakeObjects<ResourceFlavor> flavors = new FakeObjects<>();
  final FakeObjects<AdmissionCheck> checks = new FakeObjects<>();
  final List<ObjectKey> triggered = new ArrayList<>();
  GpuPolicy policy = GpuPolicy.defaults().withWakeInBackoff(true);
  Instant now = START;
  Capacity capacity;
  GpuAvailabilityCheck check;
  Offers offers;
  int lineChanges;

  GpuWorld() {
    flavor("a100", A100);
    for (String name : List.of("gpu", "gpu-of-others")) {
      checks.put(
          KueueJson.fromJson(
              """
              {"metadata": {"name": "%s"}, "spec": {"controllerName": "kueue4j.io/gpu-availability"}}
              """
                  .formatted(name),
              KueueTypes.ADMISSION_CHECK.type()));
    }
    restart();
  }

  /** A new process, which remembers nothing. */
  void restart() {
    capacity =
        new Capacity(
            new ClusterObjects(
                "kueue4j.io/gpu-availability", nodes, pods, jobs, workloads, flavors, checks),
            GpuPolicy.defaults());
    check = new GpuAvailabilityCheck(capacity, OPTIONS.backends(), () -> now, () -> lineChanges++);
    offers = new Offers(capacity, triggered::add);
  }

  void flavor(String name, Map<String, String> labels) {
    ResourceFlavor flavor =
        KueueJson.fromJson(
            """
            {"metadata": {"name": "%s"}, "spec": {"nodeLabels": %s}}
            """
                .formatted(name, KueueJson.toTree(labels)),
            KueueTypes.RESOURCE_FLAVOR.type());
    flavors.put(flavor);
  }

  void node(String name, int gpus) {
    node(name, A100, gpus, "");
  }

  /**
   * A ready node.
   *
   * @param more of its spec and status, as JSON fields of the object
   */
  void node(String name, Map<String, String> labels, int gpus, String more) {
    V1Node node =
        KueueJson.fromJson(
            """
            {"metadata": {"name": "%s"},
             "status": {"allocatable": {"nvidia.com/gpu": "%d"}}%s}
            """
                .formatted(name, gpus, more.isEmpty() ? "" : ", " + more),
            V1Node.class);
    node.getMetadata().setLabels(labels);
    nodes.put(Trimming.node(node));
  }

  void pod(String node, int gpus, String owner) {
    pod("pod-" + owner, node, gpus, "Running", owner);
  }

  void pod(String name, String node, int gpus, String phase, String owner) {
    pods.put(
        Trimming.pod(
            KueueJson.fromJson(
                """
                {"metadata": {"namespace": "team-a", "name": "%s", "uid": "%s", "ownerReferences":
                   [{"controller": true, "uid": "%s", "name": "o", "kind": "Job",
                     "apiVersion": "batch/v1"}]},
                 "spec": {"nodeName": "%s", "containers": [{"name": "c", "resources":
                   {"limits": {"nvidia.com/gpu": "%d"}}}]},
                 "status": {"phase": "%s"}}
                """
                    .formatted(name, "uid-of-" + name, owner, node, gpus, phase),
                V1Pod.class)));
  }

  /** The API server was asked to delete the pod, and its node hasn't told yet that it ended. */
  void terminate(String pod) {
    V1Pod there = pods.get(new ObjectKey("team-a", pod)).orElseThrow();
    V1Pod deleted = KueueJson.copyOf(there, V1Pod.class);
    deleted.getMetadata().setDeletionTimestamp(now.atOffset(ZoneOffset.UTC));
    pods.put(Trimming.pod(deleted));
  }

  /** One pod with these GPUs. */
  static Workload workload(String name, CheckState state, long gpus) {
    return workload(name, state, 1, gpus, "a100");
  }

  /** Pods with these GPUs each, whose quota is reserved. */
  static Workload workload(String name, CheckState state, int pods, long gpus, String flavor) {
    Workload reserved =
        Evaluations.reserved(
            "team-a",
            name,
            new PodSetAssignment(
                "main",
                Map.of("nvidia.com/gpu", flavor),
                Map.of("nvidia.com/gpu", Quantity.of(gpus * pods)),
                pods),
            AdmissionCheckState.pending("gpu", START).withState(state),
            START);
    reserved.metadata().addOwnerReferencesItem(new V1OwnerReference().uid("job-" + name));
    return reserved.withSpec(
        reserved
            .spec()
            .withPodSets(List.of(new PodSet("main", new V1PodTemplateSpec(), pods, null))));
  }

  static Workload with(Workload workload, Condition... more) {
    List<Condition> conditions = new ArrayList<>(workload.status().conditions());
    conditions.addAll(List.of(more));
    return workload.withStatus(workload.status().withConditions(conditions));
  }

  /** In its delay: the reservation is gone. */
  static Workload waiting(Workload workload) {
    AdmissionCheckState entry = workload.status().admissionCheck("gpu").orElseThrow();
    return workload.withStatus(
        workload
            .status()
            .withAdmission(null)
            .withAdmissionChecks(List.of(entry.withState(CheckState.RETRY).withRetryCount(1)))
            .withConditions(List.of(Condition.isFalse("QuotaReserved", "Pending", "", START))));
  }

  Evaluation<GpuPolicy> evaluation(Workload workload) {
    return evaluation("gpu", workload);
  }

  private Evaluation<GpuPolicy> evaluation(String check, Workload workload) {
    AdmissionCheckState entry = workload.status().admissionCheck("gpu").orElseThrow();
    return new Evaluation<>(
        check,
        workload,
        capacityObjects().podSets(workload),
        entry,
        policy,
        now,
        now.plus(Duration.ofSeconds(30)));
  }

  private ClusterObjects capacityObjects() {
    return new ClusterObjects("", nodes, pods, jobs, workloads, flavors, checks);
  }

  /** What the check says of a workload whose quota was just reserved. */
  Verdict ask(Workload workload) {
    workloads.put(workload);
    return evaluate(evaluation(workload));
  }

  /** The same of another check of the controller. */
  Verdict askOfOthers(Workload workload) {
    workloads.put(workload);
    return evaluate(evaluation("gpu-of-others", workload));
  }

  Verdict ask(String name, long gpus) {
    return ask(workload(name, CheckState.PENDING, gpus));
  }

  /** Asks, and writes a Ready as the controller does. */
  void letThrough(Workload pending) {
    showReady(pending, ((Verdict.Ready) ask(pending)).updates());
  }

  /** The watch shows a Ready with these updates. */
  void showReady(Workload pending, List<PodSetUpdate> updates) {
    AdmissionCheckState entry = pending.status().admissionCheck("gpu").orElseThrow();
    workloads.put(
        pending.withStatus(
            pending
                .status()
                .withAdmissionChecks(
                    List.of(
                        entry
                            .withState(CheckState.READY)
                            .withPodSetUpdates(updates)
                            .withLastTransitionTime(now)))));
  }

  /** Asks for GPUs, is sent back, and waits. */
  void sendBack(String name, long gpus) {
    assertThat(ask(name, gpus)).isInstanceOf(Verdict.Retry.class);
    workloads.put(waiting(workload(name, CheckState.PENDING, gpus)));
  }

  /** Offers what is free, and asks whether the delay of a workload ends. */
  boolean wake(String name) {
    offers.offer(now);
    return delayEnds(workloads.get(new ObjectKey("team-a", name)).orElseThrow());
  }

  boolean delayEnds(Workload waiting) {
    return check.delayEnds(evaluation(waiting)).isPresent();
  }

  /** What the check says of a workload as it is. */
  Verdict again(String name) {
    return evaluate(evaluation(workloads.get(new ObjectKey("team-a", name)).orElseThrow()));
  }

  Verdict evaluate(Evaluation<GpuPolicy> evaluation) {
    try {
      return check.evaluate(evaluation);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
