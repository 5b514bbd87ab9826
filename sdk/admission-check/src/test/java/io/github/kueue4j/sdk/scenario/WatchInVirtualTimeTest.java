// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.github.kueue4j.sdk.program.CheckStarter;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.script.RunningController;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A controller that the testkit runs hears of changes while virtual time stands still. */
@KueueTest(start = "2026-03-29T00:59:00Z")
class WatchInVirtualTimeTest {
  private static final String CONTROLLER = "example.com/gate";

  private final AtomicInteger built = new AtomicInteger();

  private CheckController gate(CheckEnvironment environment) {
    built.incrementAndGet();
    CheckController.Builder builder = CheckController.builder(CONTROLLER, environment);
    Watched<V1ConfigMap> gates = builder.watch(Watch.of(CoreTypes.CONFIG_MAP).named("gate"));
    return builder
        .check(
            evaluation ->
                gates.list().isEmpty()
                    ? Verdict.pending("The gate is closed.")
                    : Verdict.ready("The gate is open."))
        .build();
  }

  @Test
  void aWatchedObjectWakesAtOnce(KueueCluster cluster, ManualTime time) {
    Instant start = Instant.parse("2026-03-29T00:59:00Z");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: gate}
        spec: {controllerName: example.com/gate}
        """);
    RunningController controller = cluster.run(CheckStarter.of(this::gate));
    PlayedWorkload job =
        cluster.workload("job").reserve().awaitMessage("gate", "The gate is closed.");

    cluster.apply(
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: gate, namespace: default}
        """);

    job.awaitState("gate", CheckState.READY);
    assertThat(time.instant()).isEqualTo(start);

    controller.restart();
    cluster.workload("next").reserve().awaitState("gate", CheckState.READY);
    assertThat(built).hasValue(2);
  }

  @Test
  void aControllerThatCanNotBeBuiltIsReported(KueueCluster cluster) {
    assertThatThrownBy(
            () ->
                cluster.run(
                    CheckStarter.of(
                        environment -> CheckController.builder(CONTROLLER, environment).build())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the controller did not start: ")
        .hasMessageContaining("call check(...)");
  }
}
