// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.gpu.GpuWorld.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Verdict;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Node;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A new process works out from the objects what the former one let through. */
class RestartTest {

  private final GpuWorld world = new GpuWorld();

  @Test
  void aRestartForgetsNoReservation() {
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 6));

    world.restart();

    assertThat(world.ask("second", 3)).isInstanceOf(Verdict.Retry.class);
    assertThat(world.ask("third", 2)).isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void aRestartForgetsNoReservationOfResourcesThatOnlyAPolicyNames() {
    world.policy = world.policy.withResources(List.of("nvidia.com/mig-1g.5gb"));
    world.node("n1", 0);
    V1Node node = world.nodes.get(ObjectKey.cluster("n1")).orElseThrow();
    node.getStatus().putAllocatableItem("nvidia.com/mig-1g.5gb", new Quantity("8"));
    world.nodes.put(node);
    world.letThrough(Pods.asking("first", "{nvidia.com/mig-1g.5gb: 6}", ""));

    world.restart();
    world.offers.offer(world.now);
    Workload second = Pods.asking("second", "{nvidia.com/mig-1g.5gb: 3}", "");
    assertThat(world.askOfOthers(second))
        .as("the policy of the first one's check isn't known yet")
        .isInstanceOf(Verdict.Retry.class);

    assertThat(world.ask(second)).as("it is known now").isInstanceOf(Verdict.Retry.class);
    assertThat(world.ask(Pods.asking("third", "{nvidia.com/mig-1g.5gb: 2}", "")))
        .isInstanceOf(Verdict.Ready.class);
  }

  @Test
  void roomIsGivenBackThatAPolicyDoesNotAskFor() {
    world.policy = Policies.autoscaled(world.policy, Set.of("a100"));
    world.node("n1", 8);
    world.letThrough(workload("first", CheckState.PENDING, 6));
    world.restart();
    world.offers.offer(world.now);
    assertThat(world.ask("second", 1)).isInstanceOf(Verdict.Ready.class);
    world.workloads.remove(new ObjectKey("team-a", "second"));

    world.flavor("fixed", GpuWorld.A100);
    assertThat(world.ask(workload("third", CheckState.PENDING, 1, 8, "fixed")))
        .as("the first one's nodes are made when they are needed")
        .isInstanceOf(Verdict.Ready.class);
  }
}
