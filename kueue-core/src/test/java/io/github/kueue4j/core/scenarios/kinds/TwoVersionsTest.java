// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.declared.DeclaredJob;
import io.github.kueue4j.jobs.declared.DeclaredKind;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A kind that is served in two versions, which its declaration names. Either may be withdrawn while
 * the core runs, and the objects stay.
 */
@Simulated
@PossibleLog(
    logger = "CachedInformer",
    message = "Listing or watching failed; retrying",
    because = "a watch is opened in a version that was just withdrawn")
class TwoVersionsTest {
  private static final String KIND =
      """
      kueue4j:
        jobKinds:
          - framework: ml.example.com/trainingrun
            apiVersion: ml.example.com/v1
            otherVersions: [v1beta1]
            kind: TrainingRun
            suspend: spec.suspend
            podSets: [{name: workers, template: spec.worker}]
      """;

  private final DeclaredSample sample =
      DeclaredSample.of(
          (DeclaredKind)
              Configuration.parse(
                      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + KIND)
                  .integrations()
                  .managed()
                  .getLast(),
          "{object: {}}");

  /** Serves these versions; v1beta1 is the one that is stored. */
  private static void serve(TestCluster cluster, boolean v1, boolean v1beta1) {
    cluster.server.applyCrds(
        List.of(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: trainingruns.ml.example.com}
            spec:
              group: ml.example.com
              names: {kind: TrainingRun, listKind: TrainingRunList, plural: trainingruns, singular: trainingrun}
              scope: Namespaced
              conversion: {strategy: None}
              versions:
                - name: v1
                  served: %s
                  storage: false
                  schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                - name: v1beta1
                  served: %s
                  storage: true
                  schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """
                .formatted(v1, v1beta1)));
  }

  private static void create(TestCluster cluster, String name, String version) {
    cluster.apply(
        FromYaml.json(
            """
            {apiVersion: ml.example.com/%s, kind: TrainingRun,
              metadata: {name: %s, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}},
              spec: {suspend: true, worker: {spec: {containers: [{name: main, image: busybox,
                resources: {requests: {cpu: 5}}}]}}}}
            """
                .formatted(version, name)));
  }

  private void awaitRuns(TestCluster cluster, String name) {
    cluster.awaitThat(name + " runs", world -> !sample.suspended(world, name));
  }

  private void delete(TestCluster cluster, String name) {
    cluster.api.delete(sample.type(), TestCluster.key(name), DeleteOptions.background());
  }

  /** The other version is withdrawn: as of a server, its watches end. */
  private static void withdraw(TestCluster cluster, String left) {
    serve(cluster, left.equals("v1"), left.equals("v1beta1"));
    cluster.server.faults().dropWatches(RequestMatcher.resource("trainingruns"));
  }

  private static Optional<Workload> owned(TestCluster cluster, String owner) {
    return cluster.workloads().stream()
        .filter(each -> Metadata.owners(each).stream().anyMatch(by -> by.getName().equals(owner)))
        .findFirst();
  }

  private static Workload workload(TestCluster cluster, String owner) {
    return owned(cluster, owner).orElseThrow();
  }

  private static String owner(Workload workload) {
    return Metadata.owners(workload).getFirst().getApiVersion();
  }

  private static String watching(KueueCore core) {
    return String.valueOf(
        core.meters()
            .get("kueue4j.informer.watching")
            .tag("resource", "trainingruns.ml.example.com")
            .gauge()
            .value());
  }

  @Test
  void objectsOfBothAreManagedAndAVersionThatIsWithdrawnIsLeft() {
    try (TestCluster cluster = new TestCluster()) {
      serve(cluster, true, true);
      cluster.queue("", "default=10");
      KueueCore core = cluster.startCore(KIND);
      create(cluster, "new", "v1");
      create(cluster, "old", "v1beta1");
      awaitRuns(cluster, "new");
      awaitRuns(cluster, "old");
      create(cluster, "next", "v1beta1");
      cluster.awaitThat("it is queued", world -> owned(world, "next").isPresent());
      cluster.settle();
      assertThat(sample.suspended(cluster, "next")).isTrue();

      for (boolean later : List.of(false, true)) {
        String version = later ? "v1" : "v1beta1";
        withdraw(cluster, version);
        String created = later ? "last" : "late";
        create(cluster, created, version);
        cluster.passUntil("it is seen", world -> owned(world, created).isPresent());
        cluster.passUntil("it is watched", world -> watching(core).equals("1.0"));
        assertThat(core.readinessProblems()).isEmpty();
        assertThat(owner(workload(cluster, created))).isEqualTo("ml.example.com/" + version);
        DeclaredJob read = cluster.api.get(sample.type(), TestCluster.key("old")).orElseThrow();
        assertThat(read.getApiVersion()).isEqualTo("ml.example.com/" + version);

        String freed = later ? "next" : "old";
        cluster.api.patch(
            KueueTypes.WORKLOAD,
            ObjectKey.of(workload(cluster, freed)),
            TestCluster.merge("{\"spec\": {\"active\": false}}"));
        cluster.passUntil(freed + " is stopped", world -> sample.suspended(world, freed));
        String started = later ? "late" : "next";
        cluster.passUntil(started + " runs", world -> !sample.suspended(world, started));
      }
      delete(cluster, "new");
      delete(cluster, "old");
      cluster.passUntil("the last runs", world -> !sample.suspended(world, "last"));
    }
  }

  /** The garbage collector finds no owner in a version that isn't served any more. */
  @Test
  void aWorkloadThatIsMadeAnewNamesItsOwnerInTheVersionThatIsLeft() {
    try (TestCluster cluster = new TestCluster()) {
      serve(cluster, true, true);
      cluster.queue("", "default=0");
      cluster.startCore(KIND);
      create(cluster, "one", "v1");
      cluster.awaitThat("it is queued", world -> owned(world, "one").isPresent());
      cluster.settle();
      Workload first = workload(cluster, "one");
      assertThat(owner(first)).isEqualTo("ml.example.com/v1");

      withdraw(cluster, "v1beta1");
      cluster.api.delete(KueueTypes.WORKLOAD, ObjectKey.of(first), DeleteOptions.background());
      cluster.passUntil(
          "there is another",
          world ->
              owned(world, "one")
                  .filter(each -> !Uids.of(each).equals(Uids.of(first)))
                  .isPresent());

      assertThat(owner(workload(cluster, "one"))).isEqualTo("ml.example.com/v1beta1");
    }
  }

  /** As a core that starts where the version that its declaration prefers isn't there yet. */
  @Test
  void aCoreThatStartsTakesTheFirstThatIsServed() {
    try (TestCluster cluster = new TestCluster()) {
      serve(cluster, false, true);
      cluster.queue("", "default=5");
      cluster.startCore(KIND);
      create(cluster, "old", "v1beta1");
      awaitRuns(cluster, "old");

      assertThat(owner(workload(cluster, "old"))).isEqualTo("ml.example.com/v1beta1");
    }
  }
}
