// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.job.JobSet;
import io.github.kueue4j.core.job.declared.DeclaredKind;
import io.github.kueue4j.core.testing.FromYaml;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The definition of a managed kind is installed while the core runs, removed, and installed again.
 */
@Simulated
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
    DeclaredSample own =
        DeclaredSample.of(
            (DeclaredKind)
                Configuration.parse(CONFIGURATION + OWN).integrations().managed().getLast(),
            FromYaml.json(
                """
                {object: {apiVersion: ml.example.com/v1, kind: TrainingRun,
                  metadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}},
                  spec: {suspend: true, worker: {spec: {containers: [{name: main, image: busybox,
                    resources: {requests: {cpu: 5}}}]}}}}}
                """));
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
      cluster.awaitSuspended("second", false);
      cluster.awaitThat("the core has noticed", world -> served(core, kind) == 0);
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

  private static void remove(TestCluster cluster, Kind kind) {
    cluster.api.delete(
        CoreTypes.CUSTOM_RESOURCE_DEFINITION,
        ObjectKey.cluster(kind.type().qualifiedName()),
        DeleteOptions.background());
  }

  private static double served(KueueCore core, Kind kind) {
    return core.meters()
        .get("kueue4j.informer.served")
        .tag("resource", kind.type().qualifiedName())
        .gauge()
        .value();
  }
}
