// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import org.junit.jupiter.api.Test;

/** Kinds that a configuration names and the core can't watch: the others go on. */
@Simulated
class UnusableKindsTest {
  private static final String IMPATIENT = "controller: {cacheSyncTimeout: 2s}\n";

  private final DeclaredSample sample = OwnKind.sample();

  private static double served(KueueCore core) {
    return core.meters()
        .get("kueue4j.informer.served")
        .tag("resource", "trainingruns.ml.example.com")
        .gauge()
        .value();
  }

  private static void runsAJob(TestCluster cluster) {
    cluster.job("job", 1);
    cluster.awaitSuspended("job", false);
    cluster.delete("job");
    cluster.awaitThat("no Workload is left", world -> world.workloads().isEmpty());
  }

  private static Fault forbid(TestCluster cluster) {
    return forbid(cluster, "trainingruns");
  }

  private static Fault forbid(TestCluster cluster, String resource) {
    return cluster
        .server
        .faults()
        .failNext(
            Integer.MAX_VALUE,
            RequestMatcher.resource(resource)
                .and(request -> request.userAgent().contains("kueue-core")),
            403);
  }

  @Test
  @ExpectedLog(logger = "KindPresence", message = "This account may not list this resource")
  void oneThatTheCoreMayNotListIsManagedOnceItMay() {
    try (TestCluster cluster = new TestCluster()) {
      OwnKind.install(cluster, "Namespaced", OwnKind.KEPT);
      cluster.queue("", "default=5");
      Fault forbidden = forbid(cluster);
      KueueCore core = cluster.startCore(OwnKind.CONFIGURATION);
      cluster.apply(sample.object());
      runsAJob(cluster);
      assertThat(served(core)).isZero();
      assertThat(core.readinessProblems()).isEmpty();

      forbidden.close();

      cluster.passUntil("it runs", world -> !sample.suspended(world));
      assertThat(served(core)).isOne();
    }
  }

  @Test
  @ExpectedLog(logger = "KindPresence", message = "This account may not list this resource")
  void aJobThatAnObjectWhichMayNotBeReadControlsIsOneOfItsOwn() {
    DeclaredSample ray = DeclaredSample.read("rayjob");
    try (TestCluster cluster = ray.cluster("default=5");
        Fault forbidden = forbid(cluster, "rayjobs")) {
      cluster.apply(ray.object());
      KueueCore core =
          cluster.startCore(
              "integrations: {frameworks: [batch/job, " + ray.kind().framework() + "]}\n");
      cluster.apply(
          """
          {apiVersion: batch/v1, kind: Job, metadata: {name: child, namespace: team,
              labels: {kueue.x-k8s.io/queue-name: lq}, ownerReferences: [{apiVersion: ray.io/v1,
              kind: RayJob, name: train, controller: true, uid: %s}]},
            spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: main,
              image: busybox, resources: {requests: {cpu: 1}}}]}}}}
          """
              .formatted(ray.read(cluster).getMetadata().getUid()));

      cluster.awaitSuspended("child", false);
      assertThat(core.readinessProblems()).isEmpty();
      assertThat(forbidden).isNotNull();
    }
  }

  /** A core that starts without the right doesn't know what became of its objects. */
  @Test
  void oneThatTheCoreMayNotListEndsItsStartWhereObjectsOfItMayRunOnQuota() {
    try (TestCluster cluster = new TestCluster()) {
      OwnKind.install(cluster, "Namespaced", OwnKind.KEPT);
      cluster.queue("", "default=5");
      cluster.startCore(OwnKind.CONFIGURATION);
      cluster.apply(sample.object());
      cluster.awaitThat("it runs", world -> !sample.suspended(world));
      cluster.settle();
      cluster.crashCore();

      try (Fault forbidden = forbid(cluster)) {
        assertThat(forbidden).isNotNull();
        assertThatThrownBy(() -> cluster.startCore(OwnKind.CONFIGURATION + IMPATIENT))
            .hasMessageContaining("trainingruns.ml.example.com");
      }
      assertThat(cluster.workloads()).singleElement().matches(TestCluster::admitted);
      assertThat(sample.suspended(cluster)).isFalse();
    }
  }

  @Test
  @ExpectedLog(logger = "KindPresence", message = "This resource is cluster-scoped")
  void oneThatIsClusterScopedIsLeftAloneUntilItIsNamespaced() {
    try (TestCluster cluster = new TestCluster()) {
      OwnKind.install(cluster, "Cluster", OwnKind.KEPT);
      cluster.queue("", "default=5");
      KueueCore core = cluster.startCore(OwnKind.CONFIGURATION);
      cluster.apply(sample.object().replace("\"namespace\":\"team\",", ""));
      runsAJob(cluster);
      assertThat(served(core)).isZero();
      assertThat(core.readinessProblems()).isEmpty();

      ObjectKey definition = ObjectKey.cluster("trainingruns.ml.example.com");
      cluster.api.delete(
          CoreTypes.CUSTOM_RESOURCE_DEFINITION, definition, DeleteOptions.background());
      cluster.awaitThat(
          "it is gone with its objects",
          world -> world.api.get(CoreTypes.CUSTOM_RESOURCE_DEFINITION, definition).isEmpty());
      OwnKind.install(cluster, "Namespaced", OwnKind.KEPT);
      cluster.apply(sample.object());
      cluster.passUntil("it runs", world -> !sample.suspended(world));
      assertThat(served(core)).isOne();
    }
  }
}
