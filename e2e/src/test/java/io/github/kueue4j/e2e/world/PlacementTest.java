// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSchedulingGate;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private static final V1Node SMALL = node("a-small", Map.of(), "1", "0");
  private static final V1Node GPUS = node("b-gpus", Map.of("accelerator", "a100"), "64", "8");

  @Test
  void takesTheFirstNodeWithRoom() {
    Placement placement = new Placement(List.of(GPUS, SMALL), List.of());

    assertThat(placement.nodeFor(spec("500m", "0"))).contains("a-small");
    assertThat(placement.nodeFor(spec("2", "0"))).contains("b-gpus");
    assertThat(placement.nodeFor(spec("65", "0"))).isEmpty();
  }

  @Test
  void respectsTheNodeSelector() {
    Placement placement = new Placement(List.of(SMALL, GPUS), List.of());

    assertThat(placement.nodeFor(spec("1", "0").nodeSelector(Map.of("accelerator", "a100"))))
        .contains("b-gpus");
    assertThat(placement.nodeFor(spec("1", "0").nodeSelector(Map.of("accelerator", "h100"))))
        .isEmpty();
  }

  @Test
  void placesNoPodThatAGateHolds() {
    V1PodSpec gated = spec("1", "0").addSchedulingGatesItem(new V1PodSchedulingGate().name("own"));

    assertThat(new Placement(List.of(SMALL), List.of()).nodeFor(gated)).isEmpty();
  }

  @Test
  void countsThePodsThatStillRun() {
    V1Pod running =
        new V1Pod()
            .spec(spec("1", "6").nodeName("b-gpus"))
            .status(new V1PodStatus().phase("Running"));
    V1Pod ended =
        new V1Pod()
            .spec(spec("1", "8").nodeName("b-gpus"))
            .status(new V1PodStatus().phase("Succeeded"));
    Placement placement = new Placement(List.of(GPUS), List.of(running, ended));

    assertThat(placement.nodeFor(spec("1", "2"))).contains("b-gpus");
    assertThat(placement.nodeFor(spec("1", "3"))).isEmpty();
  }

  private static V1Node node(String name, Map<String, String> labels, String cpu, String gpus) {
    return new V1Node()
        .metadata(new V1ObjectMeta().name(name).labels(labels))
        .status(
            new V1NodeStatus()
                .allocatable(
                    Map.of("cpu", new Quantity(cpu), "nvidia.com/gpu", new Quantity(gpus))));
  }

  private static V1PodSpec spec(String cpu, String gpus) {
    return new V1PodSpec()
        .containers(
            List.of(
                new V1Container()
                    .name("main")
                    .resources(
                        new V1ResourceRequirements()
                            .requests(Map.of("cpu", new Quantity(cpu)))
                            .limits(Map.of("nvidia.com/gpu", new Quantity(gpus))))));
  }
}
