// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.fixture.Evaluations;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * The check in a large cluster that is nearly full: how long the index takes to build, how much
 * heap it takes, how long evaluations last while pods come and go, and how long it takes to tell
 * those that wait that GPUs are free. Without a server. Arguments: nodes, pods per node, waiting
 * Workloads.
 */
public final class GpuBenchmark {

  private static final Instant START = Instant.parse("2026-06-01T08:00:00Z");
  private static final List<String> KINDS = List.of("NVIDIA-A100", "NVIDIA-H100", "Tesla-T4");
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int GPUS_PER_NODE = 8;

  /** Of how many Workloads at a time the pods are still to start. */
  private static final int KEPT = 50;

  private final Random random = new Random(16);
  private final MapObjects<V1Node> nodes = new MapObjects<>();
  private final MapObjects<V1Pod> pods = new MapObjects<>();
  private final MapObjects<V1Job> jobs = new MapObjects<>();
  private final MapObjects<Workload> workloads = new MapObjects<>();
  private final MapObjects<ResourceFlavor> flavors = new MapObjects<>();
  private final MapObjects<AdmissionCheck> checks = new MapObjects<>();
  private final ClusterObjects objects =
      new ClusterObjects(
          "kueue4j.io/gpu-availability", nodes, pods, jobs, workloads, flavors, checks);
  private final GpuPolicy policy = GpuPolicy.defaults().withWakeInBackoff(true);
  private final List<ObjectKey> gpuPods = new ArrayList<>();
  private Instant now = START;

  public static void main(String[] arguments) throws InterruptedException {
    int nodes = argument(arguments, 0, 5_000);
    int podsPerNode = argument(arguments, 1, 10);
    int waiting = argument(arguments, 2, 10_000);
    new GpuBenchmark().run(nodes, podsPerNode, waiting);
  }

  private static int argument(String[] arguments, int index, int fallback) {
    return arguments.length > index ? Integer.parseInt(arguments[index]) : fallback;
  }

  private void run(int nodeCount, int podsPerNode, int waiting) throws InterruptedException {
    long empty = usedHeap();
    createObjects(nodeCount, podsPerNode, waiting);
    long created = usedHeap();
    System.out.printf(
        Locale.ROOT,
        "%d nodes, %d pods, %d Workloads that wait, %d that run: %d MiB of objects as they are kept%n",
        nodeCount,
        pods.list().size(),
        waiting,
        workloads.list().size() - waiting,
        mebibytes(created - empty));

    long start = System.nanoTime();
    long begin = THREADS.getCurrentThreadCpuTime();
    Capacity capacity = new Capacity(objects, GpuPolicy.defaults());
    GpuAvailabilityCheck check =
        new GpuAvailabilityCheck(capacity, GpuOptions.defaults().backends(), () -> now, () -> {});
    capacity.offer(now);
    System.out.printf(
        Locale.ROOT,
        "index built in %d ms, of which %d ms are processor time%n",
        (System.nanoTime() - start) / 1_000_000,
        (THREADS.getCurrentThreadCpuTime() - begin) / 1_000_000);
    System.out.printf(Locale.ROOT, "index takes %d MiB%n", mebibytes(usedHeap() - created));

    for (int round = 1; round <= 3; round++) {
      evaluateAll(check, waiting, "round " + round);
    }
    System.out.printf(Locale.ROOT, "index and line take %d MiB%n", mebibytes(usedHeap() - created));
    offerWhatBecomesFree(new Offers(capacity, key -> {}));
  }

  private void createObjects(int nodeCount, int podsPerNode, int waiting) {
    checks.put(
        KueueJson.fromJson(
            "{\"metadata\": {\"name\": \"gpu\"},"
                + " \"spec\": {\"controllerName\": \"kueue4j.io/gpu-availability\"}}",
            KueueTypes.ADMISSION_CHECK.type()));
    for (String kind : KINDS) {
      flavors.put(
          KueueJson.fromJson(
              "{\"metadata\": {\"name\": \"%1$s\"}, \"spec\": {\"nodeLabels\": {\"nvidia.com/gpu.product\": \"%1$s\"}}}"
                  .formatted(kind),
              KueueTypes.RESOURCE_FLAVOR.type()));
    }
    int number = 0;
    for (int i = 0; i < nodeCount; i++) {
      nodes.put(Trimming.node(node(i)));
      int gpus = 0;
      for (int j = 0; j < podsPerNode; j++) {
        int takes = Math.min(GPUS_PER_NODE - gpus, j == 0 ? random.nextInt(5) : j < 6 ? 1 : 0);
        gpus += takes;
        putPod("node-" + i, number++, takes);
      }
    }
    for (int i = 0; i < waiting; i++) {
      workloads.put(waiting(i));
    }
  }

  private static V1Node node(int number) {
    return KueueJson.fromJson(
        """
        {"metadata": {"name": "node-%1$d", "labels": {
           "kubernetes.io/hostname": "node-%1$d", "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux",
           "topology.kubernetes.io/region": "r1", "topology.kubernetes.io/zone": "r1-%2$d",
           "node.kubernetes.io/instance-type": "g8", "nvidia.com/gpu.product": "%3$s",
           "nvidia.com/gpu.count": "8", "nvidia.com/gpu.memory": "81920", "nvidia.com/cuda.driver.major": "550"}},
         "spec": {"taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]},
         "status": {"allocatable": {"cpu": "96", "memory": "1Ti", "ephemeral-storage": "1Ti", "pods": "110",
           "nvidia.com/gpu": "8"}, "conditions": [{"type": "Ready", "status": "True"}]}}
        """
            .formatted(number, number % 3, KINDS.get(number % KINDS.size())),
        V1Node.class);
  }

  /** A pod; one with GPUs belongs to a Workload that runs. */
  private void putPod(String node, int number, int gpus) {
    V1Pod pod =
        KueueJson.fromJson(
            """
            {"metadata": {"namespace": "team-%d", "name": "pod-%d", "uid": "pod-%d", "ownerReferences":
               [{"controller": true, "uid": "job-%d", "name": "o", "kind": "Job", "apiVersion": "batch/v1"}]},
             "spec": {"nodeName": "%s", "containers": [{"name": "c", "resources": {"requests":
               {"cpu": "%d", "memory": "4Gi", "nvidia.com/gpu": "%d"}}}]},
             "status": {"phase": "Running"}}
            """
                .formatted(number % 50, number, number, number, node, gpus == 0 ? 1 : 4, gpus),
            V1Pod.class);
    pods.put(Trimming.pod(pod));
    if (gpus > 0) {
      gpuPods.add(ObjectKey.of(pod));
      workloads.put(running(number, gpus));
    }
  }

  private Workload running(int number, int gpus) {
    Workload reserved =
        workload("running-" + number, "team-" + number % 50, 1, gpus, 4, KINDS.getFirst());
    reserved.metadata().addOwnerReferencesItem(new V1OwnerReference().uid("job-" + number));
    AdmissionCheckState entry = reserved.status().admissionCheck("gpu").orElseThrow();
    List<Condition> conditions = new ArrayList<>(reserved.status().conditions());
    conditions.add(Condition.isTrue("Admitted", "Admitted", "", START));
    return reserved.withStatus(
        reserved
            .status()
            .withConditions(conditions)
            .withAdmissionChecks(List.of(entry.withState(CheckState.READY))));
  }

  private Workload waiting(int number) {
    int gpus = 1 << random.nextInt(4);
    int count = 1 + random.nextInt(16);
    return workload(
        "waiting-" + number,
        "team-" + number % 50,
        count,
        gpus,
        4 + random.nextInt(8),
        KINDS.get(random.nextInt(KINDS.size())));
  }

  private static Workload workload(
      String name, String namespace, int count, int gpus, int cpu, String kind) {
    V1PodTemplateSpec template =
        KueueJson.fromJson(
            """
            {"spec": {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}],
              "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
                {"nodeSelectorTerms": [{"matchExpressions":
                  [{"key": "nvidia.com/gpu.memory", "operator": "Gt", "values": ["40000"]}]}]}}},
              "containers": [{"name": "c", "resources": {"requests":
                {"cpu": "%d", "memory": "16Gi", "nvidia.com/gpu": "%d"}}}]}}
            """
                .formatted(cpu, gpus),
            V1PodTemplateSpec.class);
    Workload reserved =
        Evaluations.reserved(
            namespace,
            name,
            new PodSetAssignment(
                "main",
                Map.of("nvidia.com/gpu", kind, "cpu", kind),
                Map.of("nvidia.com/gpu", Quantity.of((long) gpus * count)),
                count),
            AdmissionCheckState.pending("gpu", START),
            START);
    return reserved.withSpec(
        reserved.spec().withPodSets(List.of(new PodSet("main", template, count, null))));
  }

  /** Each Workload in its turn, and between them a pod ends and another one starts. */
  private void evaluateAll(GpuAvailabilityCheck check, int waiting, String what)
      throws InterruptedException {
    long[] nanos = new long[waiting];
    long[] processor = new long[waiting];
    int ready = 0;
    Deque<ObjectKey> letThrough = new ArrayDeque<>();
    for (int i = 0; i < waiting; i++) {
      if (i % 2 == 0) {
        replaceAPod();
      }
      now = now.plusMillis(10);
      Workload workload =
          workloads.get(new ObjectKey("team-" + i % 50, "waiting-" + i)).orElseThrow();
      Evaluation<GpuPolicy> evaluation =
          new Evaluation<>(
              "gpu",
              workload,
              objects.podSets(workload),
              workload.status().admissionCheck("gpu").orElseThrow(),
              policy,
              now,
              now.plus(Duration.ofSeconds(30)));
      long start = System.nanoTime();
      long begin = THREADS.getCurrentThreadCpuTime();
      Verdict verdict = check.evaluate(evaluation);
      processor[i] = THREADS.getCurrentThreadCpuTime() - begin;
      nanos[i] = System.nanoTime() - start;
      if (verdict instanceof Verdict.Ready) {
        ready++;
        letThrough.add(workload.key());
        AdmissionCheckState entry = workload.status().admissionCheck("gpu").orElseThrow();
        workloads.put(
            workload.withStatus(
                workload.status().withAdmissionChecks(List.of(entry.withState(CheckState.READY)))));
      }
      if (letThrough.size() > KEPT) {
        sendBack(letThrough.removeFirst());
      }
    }
    letThrough.forEach(this::sendBack);
    report("evaluations, " + what + " (" + ready + " Ready)", nanos);
    report("  of processor time", processor);
  }

  /** It is preempted before its pods start, and waits again. */
  private void sendBack(ObjectKey key) {
    Workload workload = workloads.get(key).orElseThrow();
    AdmissionCheckState entry = workload.status().admissionCheck("gpu").orElseThrow();
    workloads.remove(key);
    workloads.put(
        workload.withStatus(
            workload.status().withAdmissionChecks(List.of(entry.withState(CheckState.PENDING)))));
  }

  private void replaceAPod() {
    int index = random.nextInt(gpuPods.size());
    V1Pod ended = pods.get(gpuPods.get(index)).orElseThrow();
    pods.remove(gpuPods.get(index));
    pods.put(ended);
  }

  /** A whole node becomes free, again and again. */
  private void offerWhatBecomesFree(Offers offers) {
    long[] nanos = new long[2_000];
    long[] processor = new long[nanos.length];
    for (int i = 0; i < nanos.length; i++) {
      pods.remove(gpuPods.removeLast());
      now = now.plusMillis(100);
      long start = System.nanoTime();
      long begin = THREADS.getCurrentThreadCpuTime();
      offers.offer(now);
      processor[i] = THREADS.getCurrentThreadCpuTime() - begin;
      nanos[i] = System.nanoTime() - start;
    }
    report("turns of those that wait, after a pod has ended", nanos);
    report("  of processor time", processor);
  }

  private static void report(String what, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%s: median %.2f ms, p99 %.2f ms, longest %.2f ms%n",
        what,
        nanos[nanos.length / 2] / 1e6,
        nanos[(int) (nanos.length * 0.99)] / 1e6,
        nanos[nanos.length - 1] / 1e6);
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static long mebibytes(long bytes) {
    return bytes >> 20;
  }
}
