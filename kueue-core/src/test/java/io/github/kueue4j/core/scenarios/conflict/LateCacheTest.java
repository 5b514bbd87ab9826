// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.conflict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the core has just written and its watches don't show yet, it doesn't write again. */
@Simulated
class LateCacheTest {
  private static final RequestMatcher CREATIONS =
      RequestMatcher.verbs("create").and(RequestMatcher.resource("workloads"));

  @Test
  void aWorkloadThatTheWatchDoesNotShowYetIsNotCreatedAgain() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.settle();
      cluster.silence("workloads");
      cluster.job("job", 1);
      Workload created = cluster.workload("job");
      cluster.settle();

      change(cluster, "1");
      cluster.settle();
      assertThat(cluster.server.requests().count(CREATIONS)).isEqualTo(1);

      // It is deleted before any watch has shown it.
      ObjectKey key = ObjectKey.of(created);
      cluster.api.patch(
          KueueTypes.WORKLOAD, key, TestCluster.merge("{\"metadata\": {\"finalizers\": null}}"));
      cluster.api.delete(KueueTypes.WORKLOAD, key, DeleteOptions.background());
      change(cluster, "2");
      cluster.pass(Duration.ofSeconds(5));

      await().until(() -> cluster.api.get(KueueTypes.WORKLOAD, key).isPresent());
      assertThat(cluster.server.requests().count(CREATIONS)).isEqualTo(2);
    }
  }

  private static void change(TestCluster cluster, String value) {
    cluster.api.patch(
        CoreTypes.JOB,
        TestCluster.key("job"),
        TestCluster.merge("{\"metadata\": {\"annotations\": {\"change\": \"" + value + "\"}}}"));
  }
}
