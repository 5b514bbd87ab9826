// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.assembly.WindableTime;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.cluster.Jobs;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.e2e.world.SimulatedWorld;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.testdefaults.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A cluster with one queue for CPUs, whose Jobs really get pods; see {@link #letTimePass}. On a
 * real API server no webhooks are registered here, so there the core suspends Jobs itself.
 */
final class Stage implements AutoCloseable {
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final Duration RUNTIME = Duration.ofHours(1);
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  final WindableTime time = new WindableTime(START);
  final KubernetesApi api;

  /** Those of the queue. */
  final Jobs jobs;

  private ClusterWait wait;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final List<ClusterConnection> connections = new ArrayList<>();

  /** The queue has {@code cpus}, and a Workload of higher priority preempts. */
  Stage(ScenarioCluster kind, Configuration configuration, int cpus) throws InterruptedException {
    running.push(time);
    Target target =
        kind == ScenarioCluster.EMBEDDED ? play(configuration, Set.of()) : set(kind, configuration);
    api = open(target, cpus);
    jobs = new Jobs(api, "ml");
    wait = ClusterWait.on(api, PATIENCE);
  }

  /** The same in a cluster that runs Jobs itself; closed with this. */
  Stage(Cluster cluster, Configuration configuration, int cpus) throws InterruptedException {
    running.push(time);
    api = open(set(cluster, configuration), cpus);
    jobs = new Jobs(api, "ml");
    wait = ClusterWait.on(api, PATIENCE);
  }

  /** On the embedded API server, with checks that run and queues of one's own. */
  Stage(Set<CheckName> checks, String objects) throws InterruptedException {
    running.push(time);
    api = open(play(Playground.quietConfiguration(), checks));
    jobs = new Jobs(api, "ml");
    wait = ClusterWait.on(api, PATIENCE);
    create(objects);
  }

  private KubernetesApi open(Target target, int cpus) {
    KubernetesApi opened = open(target);
    createQueue(opened, cpus);
    return opened;
  }

  private KubernetesApi open(Target target) {
    ClusterConnection connection = target.connect("scenario");
    running.push(connection);
    connections.add(connection);
    return connection.api();
  }

  /** Shows every version of every Workload from now on, on another thread. */
  void watchWorkloads(Consumer<Workload> observer) {
    Informers informers = Informers.on(connections.getFirst());
    running.push(informers);
    informers
        .of(KueueTypes.WORKLOAD)
        .register()
        .onChange(change -> observer.accept(change.object()));
    informers.start();
  }

  private static void createQueue(KubernetesApi api, int cpus) {
    Manifests.parse(QueueYaml.ML.cpus(cpus, "preemption: {withinClusterQueue: LowerPriority}"))
        .createIn(api);
    Manifests.parse(
            """
            {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
              metadata: {name: urgent}, value: 100}
            """)
        .createIn(api);
  }

  private Target play(Configuration configuration, Set<CheckName> checks)
      throws InterruptedException {
    Playground playground =
        Playground.start(new Playground.Options(0, configuration, checks, RUNTIME), time);
    running.push(playground);
    return playground.target();
  }

  private Target set(ScenarioCluster kind, Configuration configuration)
      throws InterruptedException {
    Cluster cluster = kind.start(time);
    Target target = set(cluster, configuration);
    running.push(SimulatedWorld.start(cluster.kubeconfig(), time, RUNTIME));
    return target;
  }

  private Target set(Cluster cluster, Configuration configuration) throws InterruptedException {
    running.push(cluster);
    Target target = Target.of(cluster.kubeconfig());
    try (ClusterConnection connection = target.connect("definitions")) {
      Definitions.installKueueUnconverted(connection.api());
      Definitions.installExternal(connection.api());
    }
    running.push(RunningCore.start(target, configuration, time));
    return target;
  }

  void create(String yaml) {
    Manifests.parse(yaml).createIn(api);
  }

  /** In the waits that follow time passes at each look; see {@link ClusterWait#passing}. */
  void letTimePass(Duration atEachLook) {
    wait = ClusterWait.on(api, PATIENCE).passing(time, atEachLook);
  }

  /** When a pod of the Job was told to end, once it was. */
  Instant toldToEnd(String job) {
    return wait.untilPresent("a pod of " + job + " is told to end", () -> jobs.toldToEnd(job));
  }

  void until(String what, BooleanSupplier condition) {
    wait.until(what, condition::getAsBoolean);
  }

  boolean is(String job, String condition) {
    return Conditions.isTrue(jobs.workload(job).status().conditions(), condition);
  }

  /** Whether the queue reports that no Workload has a reservation. */
  boolean quotaIsFree() {
    return api
        .get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("ml"))
        .orElseThrow()
        .status()
        .flavorsReservation()
        .stream()
        .flatMap(flavor -> flavor.resources().stream())
        .allMatch(resource -> resource.total().isZero());
  }

  @Override
  public void close() {
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("cannot close what the scenario started", e);
      }
    }
  }
}
