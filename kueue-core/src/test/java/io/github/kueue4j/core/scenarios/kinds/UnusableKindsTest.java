// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.testdefaults.ExpectedLog;
import org.junit.jupiter.api.Test;

/** Kinds that a configuration names and the core can't watch: the others go on. */
class UnusableKindsTest {
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
