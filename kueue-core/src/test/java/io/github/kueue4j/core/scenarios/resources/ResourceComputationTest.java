// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.simulation.Simulated;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a pod takes beyond what its template says counts as well. */
@Tag("quick")
@Simulated
class ResourceComputationTest {
  private final TestCluster cluster = new TestCluster();

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void theOverheadOfTheRuntimeClassCounts() {
    cluster.apply(
        """
        apiVersion: node.k8s.io/v1
        kind: RuntimeClass
        metadata: {name: vm}
        handler: vm
        overhead: {podFixed: {cpu: 500m}}
        """);
    cluster.queue("", "default=4");
    cluster.startCore();

    cluster.job("heavy", 1, "runtimeClassName: vm", true);

    Workload heavy = cluster.awaitWorkload("heavy", TestCluster::admitted);
    assertThat(usage(heavy)).isEqualTo(Map.of("cpu", Quantity.ofMilli(1500)));
  }

  @Test
  void whatALimitRangeForbidsIsSaidAndTriedAgainWhenItIsGone() {
    cluster.apply(
        """
        apiVersion: v1
        kind: LimitRange
        metadata: {name: small, namespace: team}
        spec: {limits: [{type: Container, max: {cpu: 1}, defaultRequest: {cpu: 250m}}]}
        """);
    cluster.queue("", "default=4");
    cluster.startCore();
    cluster.job("large", 2);

    cluster.passUntil(
        "it is said",
        world ->
            world.workload("large").status().conditions().stream()
                .anyMatch(condition -> condition.reason().equals("Misconfigured")));
    Condition refused =
        TestCluster.condition(cluster.workload("large"), WorkloadConditions.QUOTA_RESERVED);
    assertThat(refused.message())
        .isEqualTo(
            "resources didn't satisfy LimitRange constraints: podSets[main].containers[main].cpu:"
                + " requests must not be above the limitRange max");

    cluster.api.delete(CoreTypes.LIMIT_RANGE, TestCluster.key("small"), DeleteOptions.background());
    cluster.awaitWorkload("large", TestCluster::admitted);
  }

  @Test
  void resourcesThatTheQueueDoesNotDeclareCanBeIgnored() {
    cluster.queue("", "default=4");
    cluster.startCore("resources: {quotaCheckStrategy: IgnoreUndeclared}\n");
    cluster.apply(
        TestJob.named("odd")
            .queue("lq")
            .resources(
                "requests: {cpu: 1, example.com/unicorn: 1}, limits: {example.com/unicorn: 1}")
            .yaml());

    Workload odd = cluster.awaitWorkload("odd", TestCluster::admitted);
    assertThat(usage(odd)).isEqualTo(Map.of("cpu", Quantity.ONE));
  }

  private static Map<String, Quantity> usage(Workload workload) {
    return Objects.requireNonNull(workload.status().admission())
        .podSetAssignments()
        .getFirst()
        .resourceUsage();
  }
}
