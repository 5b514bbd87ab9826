// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static io.github.kueue4j.gpu.GpuWorld.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.Verdict;
import org.junit.jupiter.api.Test;

/** A replica that answers nothing, since another one leads, keeps no trace of what is gone. */
class StandbyTest {

  private final GpuWorld world = new GpuWorld();

  @Test
  void whatComesAndGoesLeavesNothingBehind() {
    for (int i = 0; i < 100; i++) {
      world.node("n" + i, 8);
      world.workloads.put(workload("w" + i, CheckState.READY, 8));
      world.pod("n" + i, 8, "job-w" + i);
      world.nodes.remove(ObjectKey.cluster("n" + i));
      world.pods.remove(new ObjectKey("team-a", "pod-job-w" + i));
      world.workloads.remove(new ObjectKey("team-a", "w" + i));
    }
    assertThat(world.capacity.pending()).isZero();
  }

  @Test
  void nodesThatWereLostAreForgottenWithTheirPods() {
    world.policy = Policies.evicting(world.policy);
    for (int i = 0; i < 10; i++) {
      world.node("n" + i, 8);
      world.letThrough(workload("w" + i, CheckState.PENDING, 8));
      world.pod("n" + i, 8, "job-w" + i);
      world.nodes.remove(ObjectKey.cluster("n" + i));
      world.again("w" + i);
      world.pods.remove(new ObjectKey("team-a", "pod-job-w" + i));
      world.workloads.remove(new ObjectKey("team-a", "w" + i));
    }
    assertThat(world.ask("next", 1)).isInstanceOf(Verdict.Retry.class);
    world.workloads.remove(new ObjectKey("team-a", "next"));
    assertThat(world.capacity.pending()).isZero();
  }
}
