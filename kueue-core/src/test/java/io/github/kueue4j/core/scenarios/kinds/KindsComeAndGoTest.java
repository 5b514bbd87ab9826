// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.jobs.JobSet;
import io.github.kueue4j.jobs.declared.DeclaredKind;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The definition of a managed kind is installed while the core runs, removed, and installed again.
 */
@Simulated
@ExpectedLog(logger = "CachedInformer", message = "Listing or watching failed; retrying")
@PossibleLog(
    logger = "KindPresence",
    message = "The server doesn't serve this resource any more",
    because = "its watch ends before it has told of every deletion, or after that")
@PossibleLog(
    logger = "GuardedReconciler",
    message = "Reconcile failed; retrying",
    because = "a Workload is looked at while it, or its owner, can't be found")
@PossibleLog(
    logger = "WorkloadReconciler",
    message = "The Workload does not settle",
    because = "its owner can't be found")
class KindsComeAndGoTest {
  /**
   * A kind of Jobs.
   *
   * @param install applies its definition
   * @param create creates an object of it that asks for all of the quota
   * @param suspended whether this object is
   */
  record Kind(
      ResourceType<?> type,
      String configuration,
      Consumer<TestCluster> install,
      Consumer<TestCluster> create,
      Predicate<TestCluster> suspended) {
    @Override
    public String toString() {
      return type.kind();
    }
  }

  static List<Kind> kinds() {
    DeclaredSample own = own();
    DeclaredSample builtIn = DeclaredSample.read("raycluster");
    return List.of(
        new Kind(
            JobSet.TYPE,
            JobSets.FRAMEWORKS,
            JobSets::install,
            cluster -> JobSets.apply(cluster, true, JOB_SET),
            JobSets::suspended),
        kind(builtIn, builtIn.configuration().replace("[", "[batch/job, ")),
        kind(own, OWN));
  }

  private static DeclaredSample own() {
    return DeclaredSample.of(
        (DeclaredKind) Configuration.parse(CONFIGURATION + OWN).integrations().managed().getLast(),
        FromYaml.json(
            """
            {object: {apiVersion: ml.example.com/v1, kind: TrainingRun,
              metadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}},
              spec: {suspend: true, worker: {spec: {containers: [{name: main, image: busybox,
                resources: {requests: {cpu: 5}}}]}}}}}
            """));
  }

  private static Kind kind(DeclaredSample sample, String configuration) {
    return new Kind(
        sample.type(),
        configuration,
        sample::install,
        cluster -> cluster.apply(sample.object()),
        sample::suspended);
  }

  private static final String CONFIGURATION =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      """;

  private static final String OWN =
      """
      kueue4j:
        jobKinds:
          - framework: ml.example.com/trainingrun
            apiVersion: ml.example.com/v1
            kind: TrainingRun
            suspend: spec.suspend
            podSets: [{name: workers, template: spec.worker}]
      """;

  private static final String JOB_SET =
      """
      replicatedJobs: [{name: workers, template: {spec: {template: {spec: {restartPolicy: Never,
        containers: [{name: main, image: busybox, resources: {requests: {cpu: 5}}}]}}}}}]""";

  @ParameterizedTest
  @MethodSource("kinds")
  void aKindIsManagedFromItsInstallationToItsRemoval(Kind kind) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=5");
      KueueCore core = cluster.startCore(kind.configuration());
      cluster.job("first", 1);
      cluster.awaitSuspended("first", false);
      cluster.settle();
      assertThat(served(core, kind)).isZero();
      assertThat(core.readinessProblems()).isEmpty();
      cluster.delete("first");

      kind.install().accept(cluster);
      kind.create().accept(cluster);
      cluster.awaitThat("it runs", world -> !kind.suspended().test(world));
      assertThat(served(core, kind)).isOne();
      cluster.job("second", 1);
      cluster.workload("second");
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("second"))).as("no quota is left").isFalse();

      remove(cluster, kind);
      cluster.awaitThat("the core has noticed", world -> served(core, kind) == 0);
      cluster.passUntil("its quota is free", world -> !suspended(world, "second"));
      cluster.settle();
      assertThat(cluster.workloads()).as("but that of the Job").hasSize(1);
      assertThat(core.readinessProblems()).isEmpty();
      assertThat(core.livenessProblems()).isEmpty();

      // Another core leads from now on, and has never seen the kind.
      cluster.crashCore();
      KueueCore next = cluster.startCore(kind.configuration());
      cluster.delete("second");
      kind.install().accept(cluster);
      kind.create().accept(cluster);
      cluster.awaitThat("it runs again", world -> !kind.suspended().test(world));
      assertThat(served(next, kind)).isOne();
    }
  }

  @Test
  void nothingIsFreedWhileAProxySaysThatThereIsNoSuchKind() {
    DeclaredSample sample = own();
    try (TestCluster cluster = sample.cluster("default=0")) {
      cluster.queue("preemption: {withinClusterQueue: LowerPriority}", "default=5");
      KueueCore core = cluster.startCore(OWN);
      cluster.apply(sample.object());
      cluster.awaitThat("it runs", world -> !sample.suspended(world));
      cluster.settle();
      String uid = cluster.workloads().getFirst().metadata().getUid();

      Fault hidden = hide(cluster, sample.type().plural());
      cluster.apply(
          "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,"
              + " metadata: {name: high}, value: 100}");
      cluster.apply(TestJob.named("urgent").queue("lq").priority("high").cpus(5).yaml());
      cluster.awaitThat("it is evicted", world -> evicted(world, uid));
      stays(cluster, world -> evicted(world, uid) && suspended(world, "urgent"));
      assertThat(sample.suspended(cluster)).isFalse();

      hidden.close();
      awaitWatch(cluster, core, sample.type());
      cluster.passUntil("its quota is free", world -> !suspended(world, "urgent"));
      assertThat(sample.suspended(cluster)).isTrue();
      assertThat(cluster.workloads()).extracting(each -> each.metadata().getUid()).contains(uid);
    }
  }

  /** Whether the Workload is, and still has its quota. */
  private static boolean evicted(TestCluster cluster, String uid) {
    return cluster.workloads().stream()
        .filter(each -> uid.equals(each.metadata().getUid()))
        .anyMatch(each -> TestCluster.isTrue(each, "Evicted") && TestCluster.reserved(each));
  }

  private static boolean suspended(TestCluster cluster, String job) {
    return Boolean.TRUE.equals(cluster.job(job).getSpec().getSuspend());
  }

  @Test
  void aJobRunsOnWhileAProxySaysThatThereAreNoWorkloads() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=5");
      KueueCore core = cluster.startCore();
      cluster.apply(TestJob.named("job").queue("lq").pods(2, 2).cpus(1).yaml());
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");
      cluster.settle();

      Fault hidden = hide(cluster, "workloads");
      cluster.api.patchStatus(
          CoreTypes.JOB,
          TestCluster.key("job"),
          TestCluster.merge("{\"status\": {\"active\": 1, \"succeeded\": 1}}"));
      stays(cluster, world -> !suspended(world, "job"));
      assertThat(hidden.hits()).as("the core misses it").isPositive();

      hidden.close();
      awaitWatch(cluster, core, KueueTypes.WORKLOAD);
      cluster.passUntil(
          "a pod gave its quota back",
          world -> !world.workload("job").status().reclaimablePods().isEmpty());
      assertThat(TestCluster.admitted(cluster.workload("job"))).isTrue();
      assertThat(suspended(cluster, "job")).isFalse();
    }
  }

  private static void stays(TestCluster cluster, Predicate<TestCluster> expected) {
    await()
        .pollInterval(Duration.ofSeconds(1))
        .during(Duration.ofSeconds(30))
        .until(
            () -> {
              cluster.time.advance(Duration.ofSeconds(1)); // For what the core tries again.
              return expected.test(cluster);
            });
  }

  /** To the core, the server doesn't serve the type; discovery says that it does. */
  private static Fault hide(TestCluster cluster, String plural) {
    RequestMatcher hidden =
        RequestMatcher.resource(plural).and(request -> request.userAgent().contains("kueue-core"));
    Fault fault = cluster.server.faults().failNext(Integer.MAX_VALUE, hidden, 404);
    cluster.server.faults().dropWatches(hidden);
    return fault;
  }

  private static void remove(TestCluster cluster, Kind kind) {
    cluster.api.delete(
        CoreTypes.CUSTOM_RESOURCE_DEFINITION,
        ObjectKey.cluster(kind.type().qualifiedName()),
        DeleteOptions.background());
  }

  /** Its pauses are longer than a core takes to come to rest. */
  private static void awaitWatch(TestCluster cluster, KueueCore core, ResourceType<?> type) {
    cluster.awaitThat("it is watched", world -> gauge(core, "watching", type) == 1);
  }

  private static double served(KueueCore core, Kind kind) {
    return gauge(core, "served", kind.type());
  }

  private static double gauge(KueueCore core, String name, ResourceType<?> type) {
    return core.meters()
        .get("kueue4j.informer." + name)
        .tag("resource", type.qualifiedName())
        .gauge()
        .value();
  }
}
