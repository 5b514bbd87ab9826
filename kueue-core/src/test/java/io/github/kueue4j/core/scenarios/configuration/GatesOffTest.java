// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.micrometer.core.instrument.Meter;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What feature gates take away when they are switched off, seen from outside. */
@Tag("quick")
@Simulated
@ExpectedLog(
    logger = "ConfiguredSettings",
    message = "The configuration has keys that have no effect")
class GatesOffTest {
  private final TestCluster cluster = new TestCluster();

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void finishOrphanedWorkloads() {
    cluster.queue("", "default=1");
    cluster.startCore("featureGates: {FinishOrphanedWorkloads: false}\n");
    cluster.job("job", 1);
    ObjectKey orphan = ObjectKey.of(cluster.awaitWorkload("job", TestCluster::admitted));
    cluster.awaitSuspended("job", false);
    cluster.settle();

    cluster.api.patch(
        KueueTypes.WORKLOAD,
        orphan,
        TestCluster.merge("{\"metadata\": {\"ownerReferences\": null}}"));
    cluster.job("next", 1);
    cluster.workload("next");
    cluster.pass(Duration.ofMinutes(1));

    Workload left = cluster.api.get(KueueTypes.WORKLOAD, orphan).orElseThrow();
    assertThat(TestCluster.isTrue(left, WorkloadConditions.FINISHED)).isFalse();
    assertThat(TestCluster.admitted(left)).isTrue();
    assertThat(TestCluster.reserved(cluster.workload("next"))).isFalse();
  }

  @Test
  void quotaCheckStrategy() {
    cluster.queue("", "default=4");
    cluster.startCore(
        """
        featureGates: {QuotaCheckStrategy: false}
        resources: {quotaCheckStrategy: IgnoreUndeclared}
        """);
    cluster.apply(
        TestJob.named("odd")
            .queue("lq")
            .resources(
                "requests: {cpu: 1, example.com/unicorn: 1}, limits: {example.com/unicorn: 1}")
            .yaml());

    cluster.passUntil(
        "it is told",
        world ->
            world.workload("odd").status().conditions().stream()
                .anyMatch(
                    condition ->
                        condition
                            .message()
                            .contains("resource example.com/unicorn unavailable in ClusterQueue")));
    assertThat(TestCluster.reserved(cluster.workload("odd"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reclaimablePods(boolean enabled) {
    cluster.queue("", "default=2");
    cluster.startCore("featureGates: {ReclaimablePods: " + enabled + "}\n");
    cluster.apply(TestJob.named("two").queue("lq").pods(2, 2).cpus(1).yaml());
    cluster.awaitSuspended("two", false);
    cluster.settle();
    cluster.api.patchStatus(
        CoreTypes.JOB,
        TestCluster.key("two"),
        TestCluster.merge("{\"status\": {\"active\": 1, \"succeeded\": 1}}"));
    cluster.job("next", 1);
    cluster.workload("next");
    cluster.settle();

    assertThat(TestCluster.reserved(cluster.workload("next"))).isEqualTo(enabled);
    assertThat(cluster.workload("two").status().reclaimablePods()).hasSize(enabled ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void disableWaitForPodsReady(boolean disabled) {
    cluster.queue("", "default=1");
    cluster.startCore(
        """
        featureGates: {DisableWaitForPodsReady: %s}
        waitForPodsReady: {timeout: 5m}
        """
            .formatted(disabled));
    cluster.job("job", 1);
    cluster.awaitSuspended("job", false);
    cluster.podsRun("job");
    cluster.pass(Duration.ofMinutes(6));

    assertThat(cluster.job("job").getSpec().getSuspend()).isEqualTo(!disabled);
    assertThat(
            cluster.workload("job").status().conditions().stream()
                .anyMatch(condition -> condition.type().equals(WorkloadConditions.PODS_READY)))
        .isEqualTo(!disabled);
  }

  @ParameterizedTest
  @ValueSource(strings = {"LocalQueueMetrics", "MetricsForCohorts"})
  void metrics(String gate) {
    cluster.apply(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: all}, spec: {}}");
    cluster.queue("cohortName: all", "default=1");
    KueueCore core = cluster.startCore("featureGates: {" + gate + ": false}\n");
    cluster.job("job", 1);
    cluster.awaitSuspended("job", false);
    cluster.awaitThat("measured", world -> measured(core, "kueue.admitted.active.workloads"));
    cluster.settle();

    assertThat(measured(core, "kueue.local.queue.")).isEqualTo(!gate.equals("LocalQueueMetrics"));
    assertThat(measured(core, "kueue.cohort.subtree.admitted.workloads"))
        .isEqualTo(!gate.equals("MetricsForCohorts"));
  }

  private static boolean measured(KueueCore core, String prefix) {
    return core.meters().getMeters().stream()
        .map(Meter::getId)
        .anyMatch(id -> id.getName().startsWith(prefix));
  }
}
