// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.ledger;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.budget.BudgetCheck;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.Jobs;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.torture.AcceleratedServer;
import io.github.kueue4j.e2e.torture.PlayedJobController;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1Job;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * A cluster in a simulation with the core, the budget check and a recorder. Its Jobs are run by a
 * {@link PlayedJobController}.
 */
final class LedgerWorld implements AutoCloseable {
  /** Annotation of a Job: how long its pods run. */
  static final String RUNTIME = "example.com/runtime";

  final KubernetesApi api;
  final TimeSource time;
  final KilledCheck check;
  final UseRecorder recorder;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final AcceleratedServer server;

  LedgerWorld(List<LoadedBudget> budgets, List<String> namespaces, int cpus, Random random)
      throws InterruptedException {
    server = opened(AcceleratedServer.start());
    time = server.time();
    List<String> definitions = new ArrayList<>(Crds.kueue());
    definitions.addAll(BudgetCheck.crds());
    server.server().applyCrds(definitions);
    ClusterConnection users = opened(server.target().connect("users"));
    api = users.api();
    Manifests.parse(
            budgets.stream().map(LoadedBudget::objects).collect(Collectors.joining())
                + queue(budgets, cpus)
                + namespaces.stream().map(LedgerWorld::namespace).collect(Collectors.joining()))
        .createIn(api);
    recorder = opened(new UseRecorder(users, time));
    for (String namespace : namespaces) {
      opened(PlayedJobController.start(users, time, namespace, new AsAnnotated()));
    }
    opened(RunningCore.start(server.target(), Playground.quietConfiguration(), time));
    check = opened(new KilledCheck(server.server(), time, random));
    check.start();
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.push(part);
    return part;
  }

  private static String queue(List<LoadedBudget> budgets, int cpus) {
    return """
    {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: plain}}
    ---
    {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: urgent}, value: 100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: cpus}
    spec:
      namespaceSelector: {}
      preemption: {withinClusterQueue: LowerPriority}
      resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: plain, resources: [{name: cpu, nominalQuota: %d}]}]
      admissionChecksStrategy: {admissionChecks: [%s]}
    """
        .formatted(
            cpus,
            budgets.stream()
                .map(budget -> "{name: " + budget.name() + "}")
                .collect(Collectors.joining(", ")));
  }

  private static String namespace(String name) {
    return """
    ---
    {apiVersion: v1, kind: Namespace, metadata: {name: %1$s}}
    ---
    {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: main, namespace: %1$s},
      spec: {clusterQueue: cpus}}
    ---
    {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: other, namespace: %1$s},
      spec: {clusterQueue: cpus}}
    """
        .formatted(name);
  }

  private static final class AsAnnotated implements PlayedJobController.Pace {
    @Override
    public Duration run(V1Job job) {
      Map<String, String> annotations = Objects.requireNonNull(job.getMetadata().getAnnotations());
      return GoDuration.parse(Objects.requireNonNull(annotations.get(RUNTIME)));
    }

    @Override
    public Duration stop(V1Job job) {
      return Duration.ofSeconds(Math.floorMod(ObjectKey.of(job).hashCode(), 40));
    }
  }

  /** Creates a Job. */
  void create(LoadedJob job) {
    Manifests.parse(job.yaml()).createIn(api);
  }

  /** The Workload of a Job, if it has one. */
  Optional<Workload> workload(LoadedJob job) {
    return new Jobs(api, job.key().namespace()).findWorkload(job.key().name());
  }

  /** Those of a namespace. */
  List<Workload> workloads(String namespace) {
    return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace(namespace)).items();
  }

  /** The ledger as it is stored. */
  Ledger ledger(LoadedBudget budget, String namespace) {
    return api.get(BudgetLedger.TYPE, new LedgerName(budget.name(), namespace).key())
        .map(BudgetLedger::ledger)
        .orElseGet(Ledger::empty);
  }

  /** Waits until this clock has gone on; a simulation's does as soon as no thread can run. */
  static void pass(TimeSource time, Duration length) throws InterruptedException {
    CountDownLatch passed = new CountDownLatch(1);
    time.after(length, passed::countDown);
    passed.await();
  }

  /** The present second. */
  Instant now() {
    return Instant.ofEpochSecond(time.instant().getEpochSecond());
  }

  void until(String what, Duration patience, Callable<Boolean> condition) {
    await()
        .alias(what)
        .pollDelay(Duration.ZERO)
        .pollInterval(patience.dividedBy(1000))
        .atMost(patience)
        .until(condition);
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("can't close a part of the world", e);
      }
    }
  }
}
